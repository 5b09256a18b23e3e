//! From an address to a whole file on disk: tried again where the network fails, continued where it broke off.

use super::FetchError;
use super::client::{Answer, Client, Then, Trouble};
use super::digest::BLOCK;
use super::part::Part;
use super::progress::Progress;
use crate::data::Download;
use std::io::Read as _;
use std::time::Duration;

/// The pause before the first new trial; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// Why a trial ended.
enum Failure {
    Trouble(Trouble),
    Disk(FetchError),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        Self::Disk(error)
    }
}

/// Fetches until `part` is whole. `retries` trials may fail in a row that bring nothing new.
///
/// # Errors
/// [`FetchError::Network`], or [`FetchError::Io`] on the part; what came so far stays.
pub(super) fn transfer(
    client: &Client,
    download: &Download,
    part: &mut Part,
    retries: u32,
    progress: &mut Progress,
) -> Result<(), FetchError> {
    let mut failures = 0;
    let mut most = part.len();
    while !part.is_whole() {
        let trouble = match trial(client, download, part, progress) {
            Ok(()) => continue,
            Err(Failure::Disk(error)) => return Err(error),
            Err(Failure::Trouble(trouble)) => trouble,
        };
        failures = if part.len() > most { 1 } else { failures + 1 };
        most = most.max(part.len());
        let pause = match trouble.then {
            Then::Again(pause) => Some(pause),
            Then::Anew => {
                part.begin(None, None)?;
                Some(Duration::ZERO)
            }
            Then::GiveUp => None,
        };
        let Some(pause) = pause.filter(|_| failures <= retries) else {
            return Err(given_up(download, part, &trouble, failures));
        };
        progress.tell(&format!("{}; trying again", trouble.message));
        std::thread::sleep(pause.max(PAUSE * 2_u32.pow((failures - 1).min(6))));
    }
    Ok(())
}

/// One request; the part grows by what comes.
fn trial(
    client: &Client,
    download: &Download,
    part: &mut Part,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let answer = client.get(download, part.continues())?;
    if answer.continued {
        if let (Some(known), Some(told)) = (part.total(), answer.total)
            && known != told
        {
            return Err(Failure::Trouble(Trouble {
                message: "the file there has changed its length".to_owned(),
                then: Then::Anew,
            }));
        }
    } else {
        part.begin(answer.validator.clone(), answer.total)?;
    }
    // A server that goes on need not tell the length that an earlier answer told.
    let total = part.total().or(answer.total);
    progress.begin(part.len(), total);
    receive(answer, part, progress)?;
    match total {
        Some(total) if part.len() < total => {
            let message = format!("the connection ended after {} of {total} bytes", part.len());
            Err(Trouble::passing(message).into())
        }
        _ if part.len() == 0 => Err(Failure::Trouble(Trouble {
            message: "the file there is empty".to_owned(),
            then: Then::GiveUp,
        })),
        Some(total) if part.len() > total => Err(Failure::Trouble(Trouble {
            message: format!("the server sent more than the {total} bytes it told"),
            then: Then::Anew,
        })),
        _ => Ok(part.end()?),
    }
}

/// Adds the bytes of `answer` to `part` until they end or break off.
fn receive(mut answer: Answer, part: &mut Part, progress: &mut Progress) -> Result<(), Failure> {
    let mut block = vec![0; BLOCK];
    loop {
        match answer.body.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                part.add(&block[..count])?;
                progress.add(count as u64);
            }
            Err(error) => {
                let message = format!("the connection broke after {} bytes: {error}", part.len());
                return Err(Trouble::passing(message).into());
            }
        }
    }
}

fn given_up(download: &Download, part: &Part, trouble: &Trouble, failures: u32) -> FetchError {
    let tried = if failures > 1 {
        format!(" ({failures} trials)")
    } else {
        String::new()
    };
    let help = match trouble.then {
        Then::Again(_) if part.continues().is_some() => format!(
            "the same command goes on from the {} bytes in {}",
            part.len(),
            part.path().display()
        ),
        Then::Again(_) => {
            "try again later; look at the network, and at the proxy if one is needed (HTTPS_PROXY)"
                .to_owned()
        }
        Then::Anew => "the same command fetches it from its beginning".to_owned(),
        Then::GiveUp if download.tried => {
            "look at the address in a browser: the file may have moved".to_owned()
        }
        Then::GiveUp => {
            "look at the address in a browser, it was never tried; if the file is elsewhere, name that address in a \
             catalogue of your own (--catalogue DIR)"
                .to_owned()
        }
    };
    FetchError::Network {
        url: download.url.clone(),
        message: format!("{}{tried}", trouble.message),
        help,
    }
}
