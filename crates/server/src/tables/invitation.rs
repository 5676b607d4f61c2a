//! Invitation to a table: its link as text and as a QR code.

use crate::Error;
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write as _;
use tochki_protocol::{ApiError, Code, Invitation};

/// Width of the quiet zone of a QR code.
const QUIET: usize = 4;

/// Draws the code of an address.
pub fn invite(address: String) -> Result<Invitation, Error> {
    let code = QrCode::with_error_correction_level(&address, EcLevel::M).map_err(|error| {
        let message = format!("This address has no QR code: {error}.");
        ApiError::from(Code::BadRequest).with_message(message)
    })?;
    let side = code.width();
    let squares = code.into_colors();
    let mut dark = String::new();
    for (row, line) in squares.chunks(side).enumerate() {
        let mut from = 0;
        // Neighbours in a row are one rectangle.
        for run in line.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                let (x, y, width) = (from + QUIET, row + QUIET, run.len());
                // Writing into a string cannot fail.
                let _ = write!(dark, "M{x} {y}h{width}v1h-{width}z");
            }
            from += run.len();
        }
    }
    Ok(Invitation {
        address,
        squares: side + 2 * QUIET,
        dark,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_a_quiet_zone_and_its_three_corners() {
        let invitation = invite("https://tochki.example/t/0123456789".into()).unwrap();
        let corner = |x, y| format!("M{x} {y}h7v1h-7z");
        let far = invitation.squares - QUIET - 7;
        for (x, y) in [(QUIET, QUIET), (far, QUIET), (QUIET, far)] {
            assert!(invitation.dark.contains(&corner(x, y)), "{x}, {y}");
        }
        let begins = |at: &str| invitation.dark.contains(at);
        for quiet in ["M3 ", "M0 ", " 3h", " 0h"] {
            assert!(!begins(quiet), "{quiet}");
        }
    }

    #[test]
    fn what_is_too_long_for_a_code_is_refused() {
        let error = invite("x".repeat(5000)).unwrap_err();
        assert_eq!(error.code(), Code::BadRequest);
    }
}
