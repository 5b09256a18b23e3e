//! Messages on a pipe: the length in four bytes, least first, then JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, ErrorKind, Read, Write};

/// No message is longer, in bytes: a length above it is noise.
const LONGEST: u32 = 1 << 28;

/// Writes `message`.
pub(super) fn send(out: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)?;
    let length = u32::try_from(bytes.len() - 4).unwrap_or(u32::MAX);
    if length > LONGEST {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "a message is too long",
        ));
    }
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a message; `None` where the pipe was closed after the last. Anything else that is no message is
/// [`ErrorKind::InvalidData`] or [`ErrorKind::UnexpectedEof`].
pub(super) fn receive<M: DeserializeOwned>(input: &mut impl Read) -> io::Result<Option<M>> {
    // As all reads below, the first goes on after a signal.
    let mut first = Vec::with_capacity(1);
    if input.by_ref().take(1).read_to_end(&mut first)? == 0 {
        return Ok(None);
    }
    let mut length = [first[0], 0, 0, 0];
    input.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::new(
            ErrorKind::InvalidData,
            "a length out of range",
        ));
    }
    // What has not come takes no memory.
    let mut bytes = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(serde_json::from_slice(&bytes)?))
}

#[cfg(test)]
mod tests {
    use super::{receive, send};
    use std::io::{self, ErrorKind, Read};

    /// A pipe whose every other read is interrupted.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            self.0.read(buffer)
        }
    }

    #[test]
    fn signals_lose_nothing() {
        let mut pipe = Vec::new();
        send(&mut pipe, &"a").unwrap();
        let mut input = Interrupted(&pipe, false);
        assert_eq!(receive::<String>(&mut input).unwrap(), Some("a".to_owned()));
        assert_eq!(receive::<String>(&mut input).unwrap(), None);
    }

    #[test]
    fn what_is_sent_is_received_and_noise_is_told() {
        let mut pipe = Vec::new();
        send(&mut pipe, &vec!["a", "ü"]).unwrap();
        send(&mut pipe, &Vec::<String>::new()).unwrap();
        let mut input = pipe.as_slice();
        let mut next = || receive::<Vec<String>>(&mut input).unwrap();
        assert_eq!(next(), Some(vec!["a".to_owned(), "ü".to_owned()]));
        assert_eq!(next(), Some(Vec::new()));
        assert_eq!(next(), None);
        let kind = |mut bytes: &[u8]| receive::<Vec<String>>(&mut bytes).unwrap_err().kind();
        assert_eq!(kind(&pipe[..3]), ErrorKind::UnexpectedEof);
        assert_eq!(kind(&pipe[..6]), ErrorKind::UnexpectedEof);
        assert_eq!(kind(b"running 1 test"), ErrorKind::InvalidData);
        assert_eq!(kind(b"\x02\0\0\0{}"), ErrorKind::InvalidData);
    }
}
