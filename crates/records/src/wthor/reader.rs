//! Reading games.

use super::head::{GAME, HEAD, Head};
use super::names::Names;
use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::{Form, GameRecord, Place, Placed, RecordError};
use std::io::{BufReader, Read};
use tochki_rules::record::{GameResult, WinReason};
use tochki_rules::{Illegal, Move, MoveError, Point, Seat, Setup, reversi};

/// Reads the games of a file.
pub(crate) struct Reader<R> {
    input: BufReader<R>,
    head: Head,
    names: Names,
    number: u32,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R, names: Names) -> Result<Self, RecordError> {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        let head = read::<HEAD>(&mut input, 0)?;
        let head = head.ok_or(ErrorKind::NotThisForm(Form::Wthor).at(Place::Byte(0)))?;
        let head = Head::parse(head);
        if !matches!(head.size, 0 | 8) {
            let what = format!("a board of size {}", head.size);
            return Err(ErrorKind::Unsupported(what).at(Place::Byte(12)));
        }
        if head.kind != 0 {
            return Err(
                ErrorKind::Unsupported("endgames (solitaires)".to_owned()).at(Place::Byte(13))
            );
        }
        Ok(Self {
            input,
            head,
            names,
            number: 0,
        })
    }

    fn game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        if self.number == self.head.count {
            return Ok(None);
        }
        let offset = HEAD as u64 + u64::from(self.number) * GAME as u64;
        let game = read::<GAME>(&mut self.input, offset);
        let Some(bytes) = game? else {
            self.number = self.head.count;
            return Err(ErrorKind::CutOff.at(Place::Byte(offset)));
        };
        self.number += 1;
        self.read_game(&bytes, offset).map(Some)
    }

    fn read_game(&self, bytes: &[u8; GAME], offset: u64) -> Result<GameRecord, RecordError> {
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let name = |list: &[String], at: usize| {
            let number = number(at);
            match list.get(usize::from(number)) {
                Some(name) => Ok(known(name).to_owned()),
                None if list.is_empty() => Ok(format!("#{number}")),
                None => {
                    let fault = ErrorKind::NoSuchName(number.into());
                    Err(fault.at(Place::Byte(offset + at as u64)))
                }
            }
        };
        let mut builder = Builder::line(Setup::Reversi(reversi::Setup::DEFAULT));
        let record = &mut builder.record;
        record.event = name(self.names.tournaments(), 0)?;
        record.players[0].name = name(self.names.players(), 2)?;
        record.players[1].name = name(self.names.players(), 4)?;
        if self.head.year > 0 {
            record.date = self.head.year.to_string();
        }
        record.result = result(bytes[6]);
        for (number, &mv) in bytes[8..]
            .iter()
            .enumerate()
            .take_while(|(_, mv)| **mv != 0)
        {
            let place = Place::Byte(offset + 8 + number as u64);
            let point = Point::new((mv % 10).wrapping_sub(1), (mv / 10).wrapping_sub(1));
            let placed = Placed {
                seat: builder.turn(),
                mv: Move::Reversi(point),
            };
            let played = if point.x < 8 && point.y < 8 {
                builder.play_as(placed, None)
            } else {
                Err(MoveError::Illegal(Illegal::OffBoard).into())
            };
            if let Err(why) = played {
                builder.stop(why, place);
                break;
            }
        }
        Ok(builder.finish())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

/// A name, empty where the database has none.
fn known(name: &str) -> &str {
    if name.bytes().all(|byte| byte == b'?') {
        ""
    } else {
        name
    }
}

/// The result by black's discs; empty squares count for the winner.
fn result(discs: u8) -> Option<GameResult> {
    let white = 64_u8.checked_sub(discs)?;
    let by = if discs > white {
        Seat::First
    } else {
        Seat::Second
    };
    let how = WinReason::Points(u32::from(discs.abs_diff(white)).into());
    Some(match discs {
        32 => GameResult::Draw,
        _ => GameResult::Won { by, how },
    })
}

/// The next bytes; `None` if there are fewer.
fn read<const N: usize>(
    input: &mut impl Read,
    offset: u64,
) -> Result<Option<[u8; N]>, RecordError> {
    let mut bytes = [0; N];
    match input.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(ErrorKind::Io(error).at(Place::Byte(offset))),
    }
}
