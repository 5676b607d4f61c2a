//! FIDE's tournament report files of 2026 (TRF-2026), as far as a Swiss of this arena needs them: players, rounds, byes,
//! forbidden pairs, the first side. A point is a point, ½ a draw; accelerations, teams and other points are refused.
//!
//! The older codes `XXR`, `XXC`, `XXZ` and `XXP` are read, too. Source: FIDE Handbook C.04, annex *TRF*; for the older codes the
//! manual of the program `JaVaFo`.

mod file;
mod read;
mod write;

pub use file::{File, PlayerLine};
pub use read::{InvalidFile, read};
pub use write::{write, write_round_robin};

/// Reads a file and returns the pairs of its next round: the pure part of `tochki pairings`.
///
/// # Errors
///
/// If the file is none, or if there is no pairing: the reason, with the line where there is one.
pub fn pairings(file: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(file).map_err(|error| {
        let before = String::from_utf8_lossy(&file[..error.valid_up_to()]);
        format!("line {}: no UTF-8", before.matches('\n').count() + 1)
    })?;
    let file = read(text.trim_start_matches('\u{feff}')).map_err(|error| error.to_string())?;
    file.pairings().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(id: u32, rounds: &str) -> String {
        let points = usize::from(rounds.ends_with('1'));
        format!("001 {id:>4}{:72}{points:>2}.0{id:>5}{rounds}\n", "")
    }

    #[test]
    fn pairs_are_lines() {
        let fresh: String = (1..=5).map(|id| player(id, "")).collect();
        let pairs = pairings(format!("XXR 3\nXXC black1\n{fresh}").as_bytes());
        assert_eq!(pairs.unwrap(), "3 1\n2 4\n5 0\n");
        assert_eq!(
            pairings(format!("XXR 3\nXXZ 1 2 3 4 5\n{fresh}").as_bytes()).unwrap(),
            ""
        );
    }

    #[test]
    fn an_error_tells_the_line_or_that_nobody_can_be_paired() {
        assert_eq!(pairings(b"XXR 3\n\xff").unwrap_err(), "line 2: no UTF-8");
        assert_eq!(
            pairings(b"XXR 0").unwrap_err(),
            "line 1: \"0\" is no number from 1 to 99"
        );
        let met = [player(1, "     2 w 1"), player(2, "     1 b 0")].concat();
        assert_eq!(
            pairings(format!("XXR 3\n{met}").as_bytes()).unwrap_err(),
            "no pairing is possible: too many have met already"
        );
    }
}
