//! The result of a match as a few bytes: one of bits, the reason, and the ratings of both players as they are in memory.

use super::bytes::{Input, Output};
use super::damage::DamagedPack;
use crate::{MatchResult, Rating, RatingChange, Reason};
use tochki_rules::Seat;

/// The reasons by their numbers, which packs have. A new one gets the next number.
const REASONS: [Reason; 11] = [
    Reason::BoardFull,
    Reason::FiveInRow,
    Reason::NoMoves,
    Reason::AllBoxes,
    Reason::AgreedDraw,
    Reason::AgreedFinish,
    Reason::Resigned,
    Reason::Time,
    Reason::Absence,
    Reason::Forfeit,
    Reason::Aborted,
];

const fn number(reason: Reason) -> u8 {
    match reason {
        Reason::BoardFull => 0,
        Reason::FiveInRow => 1,
        Reason::NoMoves => 2,
        Reason::AllBoxes => 3,
        Reason::AgreedDraw => 4,
        Reason::AgreedFinish => 5,
        Reason::Resigned => 6,
        Reason::Time => 7,
        Reason::Absence => 8,
        Reason::Forfeit => 9,
        Reason::Aborted => 10,
    }
}

/// The place of the side that aborted the match; the winner is in the bits before.
const BY: u8 = 2;
/// The ratings follow.
const RATED: u8 = 16;
/// The new rating of each player is provisional.
const PROVISIONAL: [u8; 2] = [32, 64];

/// Writes a result.
pub(super) fn write(output: &mut Output, result: &MatchResult) {
    let seat = |seat: Option<Seat>| seat.map_or(0, Seat::number);
    let mut bits = seat(result.winner) | seat(result.by) << BY;
    if let Some(ratings) = &result.ratings {
        bits |= RATED;
        for (change, bit) in ratings.iter().zip(PROVISIONAL) {
            bits |= if change.provisional { bit } else { 0 };
        }
    }
    output.byte(bits);
    output.byte(number(result.reason));
    for change in result.ratings.iter().flatten() {
        for rating in [change.before, change.after] {
            output.extend(&rating.0.to_le_bytes());
        }
    }
}

/// Reads a result.
pub(super) fn read(input: &mut Input) -> Result<MatchResult, DamagedPack> {
    let bits = input.byte()?;
    let reason = usize::from(input.byte()?);
    let reason = REASONS.get(reason).copied();
    let mut ratings = None;
    if bits & RATED != 0 {
        ratings = Some([
            read_change(input, bits & PROVISIONAL[0] != 0)?,
            read_change(input, bits & PROVISIONAL[1] != 0)?,
        ]);
    }
    Ok(MatchResult {
        winner: read_seat(bits)?,
        reason: reason.ok_or_else(|| DamagedPack("an unknown reason".to_owned()))?,
        ratings,
        by: read_seat(bits >> BY)?,
    })
}

fn read_change(input: &mut Input, provisional: bool) -> Result<RatingChange, DamagedPack> {
    Ok(RatingChange {
        before: read_rating(input)?,
        after: read_rating(input)?,
        provisional,
    })
}

fn read_rating(input: &mut Input) -> Result<Rating, DamagedPack> {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(input.bytes(8)?);
    let rating = f64::from_le_bytes(bytes);
    if rating.is_finite() {
        Ok(Rating(rating))
    } else {
        Err(DamagedPack("a rating that is no number".to_owned()))
    }
}

/// The seat in the last two bits.
fn read_seat(bits: u8) -> Result<Option<Seat>, DamagedPack> {
    match bits & 3 {
        0 => Ok(None),
        number => Seat::try_from(number)
            .map(Some)
            .map_err(|_| DamagedPack("an unknown seat".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_the_number_of_its_place() {
        for (place, reason) in REASONS.into_iter().enumerate() {
            assert_eq!(usize::from(number(reason)), place);
        }
    }

    #[test]
    fn results_read_back() {
        let change = |before, after, provisional| RatingChange {
            before: Rating(before),
            after: Rating(after),
            provisional,
        };
        let third = 1_600.0 + 100.0 / 3.0;
        let rated = |one, other| {
            Some([
                change(1_600.0, third, one),
                change(third, f64::MIN_POSITIVE, other),
            ])
        };
        for ratings in [
            None,
            rated(false, false),
            rated(true, false),
            rated(false, true),
        ] {
            for winner in [None, Some(Seat::First), Some(Seat::Second)] {
                for by in [None, Some(Seat::First), Some(Seat::Second)] {
                    let result = MatchResult {
                        winner,
                        reason: Reason::Resigned,
                        ratings,
                        by,
                    };
                    let mut output = Output::default();
                    write(&mut output, &result);
                    let bytes = output.into_bytes();
                    assert_eq!(bytes.len(), if ratings.is_some() { 34 } else { 2 });
                    let mut input = Input::new(&bytes);
                    assert_eq!(read(&mut input).unwrap(), result);
                    assert!(input.is_empty());
                    let cut = &bytes[..bytes.len() - 1];
                    assert!(read(&mut Input::new(cut)).is_err());
                }
            }
        }
    }

    #[test]
    fn bytes_of_no_result_are_damage() {
        let nan = [&[RATED, 6][..], &f64::NAN.to_le_bytes(), &[0; 24]].concat();
        for bytes in [&[3, 6][..], &[12, 6], &[1, 11], &[1, 255], &[], &nan] {
            assert!(read(&mut Input::new(bytes)).is_err(), "{bytes:?}");
        }
    }
}
