//! Writing games, players and tournaments.

use super::head::{GAME, HEAD, Head, NAMES};
use super::names::Numbered;
use crate::turns::in_turn;
use crate::{GameRecord, WriteError, date, reversi_text};
use std::io::{Seek, SeekFrom, Write};
use tochki_rules::record::{GameResult, Points, WinReason};
use tochki_rules::{Move, Position, Seat, Setup};

/// Writes games of Reversi into a file `.wtb`. Its head has their number, so it is written at the end.
#[derive(Debug)]
pub struct Writer<W> {
    games: W,
    players: Numbered,
    tournaments: Numbered,
    count: u32,
    /// The year of all games so far: `None` before the first one, 0 if they differ.
    year: Option<u16>,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(mut games: W) -> Result<Self, WriteError> {
        games.write_all(&[0; HEAD])?;
        Ok(Self {
            games,
            players: Numbered::new(NAMES[0]),
            tournaments: Numbered::new(NAMES[1]),
            count: 0,
            year: None,
        })
    }

    /// Writes a game. If the form cannot have it, nothing is written.
    ///
    /// # Errors
    ///
    /// If the form cannot have this game, or the file cannot be written.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        if !matches!(record.setup, Setup::Reversi(_)) {
            return Err(WriteError::OtherGame);
        }
        let moves = record.main_line();
        let mut bytes = [0; GAME];
        let position = in_turn(record, |_, number| {
            if let (Move::Reversi(point), Some(byte)) =
                (moves[number].mv, bytes.get_mut(8 + number))
            {
                *byte = 10 * (point.y + 1) + point.x + 1;
            }
        })?;
        let [black, white] = &record.players;
        let numbers = [
            self.tournaments.number(&record.event)?,
            self.players.number(&black.name)?,
            self.players.number(&white.name)?,
        ];
        for (place, number) in numbers.into_iter().enumerate() {
            bytes[2 * place..2 * place + 2].copy_from_slice(&number.to_le_bytes());
        }
        let discs = discs(record.result, &position);
        // The theoretical score is not known; that of the game stands for it, as in the database.
        (bytes[6], bytes[7]) = (discs, discs);
        self.games.write_all(&bytes)?;
        self.count += 1;
        let year = date::year(&record.date).unwrap_or_default();
        self.year = Some(match self.year {
            None => year,
            Some(same) if same == year => year,
            Some(_) => 0,
        });
        Ok(())
    }

    /// Ends the file. The answer are the file, and the bytes of those of players (`.jou`) and tournaments (`.trn`). `now`, in
    /// seconds since 1970, is the time for the heads.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn finish(mut self, now: u64) -> Result<(W, Vec<u8>, Vec<u8>), WriteError> {
        let head = Head {
            count: self.count,
            year: self.year.unwrap_or_default(),
            size: 8,
            ..Head::default()
        };
        self.games.seek(SeekFrom::Start(0))?;
        self.games.write_all(&head.bytes(now))?;
        self.games.seek(SeekFrom::End(0))?;
        self.games.flush()?;
        Ok((
            self.games,
            self.players.bytes(now),
            self.tournaments.bytes(now),
        ))
    }
}

/// Black's discs by the result; by the position, where it has no points.
fn discs(result: Option<GameResult>, position: &Position) -> u8 {
    let of_position = || {
        let black = i32::midpoint(64, reversi_text::difference(position));
        u8::try_from(black).unwrap_or_default()
    };
    let whole = |points: Points| {
        points
            .whole()
            .and_then(|points| u8::try_from(points).ok())
            .filter(|&points| points <= 64)
    };
    match result {
        Some(GameResult::Draw) => 32,
        Some(GameResult::Won { by, how }) => {
            match how {
                WinReason::Points(points) if whole(points).is_some() => {
                    let half = whole(points).unwrap_or_default().div_ceil(2);
                    if by == Seat::First {
                        32 + half
                    } else {
                        32 - half
                    }
                }
                WinReason::Points(_) | WinReason::Unknown => of_position(),
                // The winner of a game that was given up has all discs.
                WinReason::Resignation | WinReason::Time | WinReason::Forfeit => {
                    if by == Seat::First { 64 } else { 0 }
                }
            }
        }
        None => of_position(),
    }
}
