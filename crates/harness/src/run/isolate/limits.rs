//! What a cell may take.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Limits of a cell and its worker; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time from a cell's beginning to its end, with the work that it is the first to need.
    pub time: Option<Duration>,
    /// Resident memory of the worker that it runs in.
    pub memory: Option<Bytes>,
    /// Time from a worker's start until it has planned the experiment and is ready for its first cell.
    pub start: Option<Duration>,
}

/// A number of bytes, as `512MiB` or `2GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// Suffixes and how many bytes they stand for, the larger first.
const UNITS: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let help = || "expected a number and a unit, for example 512MiB or 2GiB".to_owned();
        let unit = |(suffix, size): &(&str, u64)| Some((text.strip_suffix(suffix)?, *size));
        let (number, size) = UNITS.iter().find_map(unit).ok_or_else(help)?;
        let number: f64 = number.trim().parse().map_err(|_| help())?;
        let bytes = number * size as f64;
        if (1.0..2f64.powi(63)).contains(&bytes) {
            Ok(Self(bytes as u64))
        } else {
            Err(help())
        }
    }
}

/// With the largest binary unit that it has one of, to a tenth.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binary = UNITS.iter().filter(|(_, size)| size.is_power_of_two());
        let unit = binary.copied().find(|(_, size)| self.0 >= *size);
        let (suffix, size) = unit.unwrap_or(("B", 1));
        let tenths = format!("{:.1}", self.0 as f64 / size as f64);
        write!(f, "{} {suffix}", tenths.trim_end_matches(".0"))
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn sizes_are_read_and_written() {
        let bytes = |text: &str| text.parse::<Bytes>();
        assert_eq!(bytes("2GiB"), Ok(Bytes(2 << 30)));
        assert_eq!(bytes("1.5 kB"), Ok(Bytes(1500)));
        assert_eq!(bytes("700B"), Ok(Bytes(700)));
        assert_eq!(bytes("2TiB"), Ok(Bytes(2 << 40)));
        for wrong in [
            "2", "GiB", "-1MiB", "0B", "2 PiB", "infGiB", "NaNGiB", "1e30GiB",
        ] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Bytes(2 << 30).to_string(), "2 GiB");
        assert_eq!(Bytes(1_600_000).to_string(), "1.5 MiB");
        assert_eq!(Bytes(700).to_string(), "700 B");
    }
}
