//! Reversi in PGN, as `PlayOK` (formerly Kurnik) writes it: tags, moves with numbers, `--` for a pass, and the discs of both sides,
//! black's first, as the result: `38-26`.

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::text_source::{Line, TextSource};
use crate::{Form, GameRecord, Place, RecordError, date, reversi_text, transcript};
use std::io::Read;
use tochki_rules::record::{GameResult, WinReason};
use tochki_rules::{Seat, Setup, reversi};

/// Reads the games of a file: each begins with its tags.
pub(crate) struct Reader<R> {
    source: TextSource<R>,
    /// The first tag of the next game, which ended the one before.
    tag: Option<Line>,
    has_any: bool,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        Ok(Self {
            source: TextSource::open(input)?,
            tag: None,
            has_any: false,
        })
    }

    fn game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let first = match self.tag.take() {
            Some(tag) => Some(tag),
            None => self.find_tag()?,
        };
        let Some(first) = first else {
            if self.has_any {
                return Ok(None);
            }
            self.has_any = true;
            return Err(ErrorKind::NotThisForm(Form::Pgn).at(Place::START));
        };
        self.has_any = true;
        let mut game = Game {
            builder: Builder::line(Setup::Reversi(reversi::Setup::DEFAULT)),
            result: String::new(),
            in_comment: false,
        };
        let mut fault = game.take_tag(&first).err();
        let mut has_moves = false;
        while let Some(line) = self.source.line()? {
            let is_tag = !game.in_comment && line.text.trim_start().starts_with('[');
            if is_tag && has_moves {
                self.tag = Some(line);
                break;
            }
            if is_tag {
                fault = fault.or(game.take_tag(&line).err());
            } else if !line.text.trim().is_empty() {
                has_moves = true;
                game.take_moves(&line);
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Some(game.finish())),
        }
    }

    fn find_tag(&mut self) -> Result<Option<Line>, RecordError> {
        while let Some(line) = self.source.line()? {
            if line
                .text
                .trim_start_matches('\u{feff}')
                .trim_start()
                .starts_with('[')
            {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

struct Game {
    builder: Builder,
    result: String,
    in_comment: bool,
}

impl Game {
    /// Takes `[Name "value"]`.
    fn take_tag(&mut self, line: &Line) -> Result<(), RecordError> {
        let text = line.text.trim_start_matches('\u{feff}').trim();
        let expected = || ErrorKind::Expected("[Name \"value\"]").at(line.place());
        let tag = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        let (name, value) = tag
            .and_then(|tag| tag.split_once(char::is_whitespace))
            .ok_or_else(expected)?;
        let value = value
            .trim()
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        let value = value
            .ok_or_else(expected)?
            .replace("\\\"", "\"")
            .replace("\\\\", "\\");
        // An unknown value.
        if matches!(&*value, "?" | "-" | "????.??.??") {
            return Ok(());
        }
        let record = &mut self.builder.record;
        match name {
            "Event" => record.event = value,
            "Site" => record.site = value,
            "Round" => record.round = value,
            "Date" => record.date = date::normal(&value),
            "Black" => record.players[0].name = value,
            "White" => record.players[1].name = value,
            "BlackElo" | "BlackRank" => record.players[0].rank = value,
            "WhiteElo" | "WhiteRank" => record.players[1].rank = value,
            "Result" => self.result = value,
            "FEN" | "SetUp" => {
                let fault = ErrorKind::Unsupported("a start of its own".to_owned());
                return Err(fault.at(line.place()));
            }
            _ => {}
        }
        Ok(())
    }

    fn take_moves(&mut self, line: &Line) {
        let mut rest = &*line.text;
        while !rest.is_empty() {
            if self.in_comment {
                let Some(end) = rest.find('}') else {
                    return;
                };
                rest = &rest[end + 1..];
                self.in_comment = false;
            }
            let end = rest.find(['{', ';']).unwrap_or(rest.len());
            for word in transcript::words(&rest[..end]) {
                self.take_word(word, line);
            }
            match rest.as_bytes().get(end) {
                Some(b'{') => {
                    self.in_comment = true;
                    rest = &rest[end + 1..];
                }
                // A comment up to the end of the line, or its end.
                _ => return,
            }
        }
    }

    fn take_word(&mut self, word: &str, line: &Line) {
        if self.builder.record.stop.is_some() {
            return;
        }
        if matches!(word, "*" | "1-0" | "0-1") || result(word).is_some() {
            if self.result.is_empty() {
                word.clone_into(&mut self.result);
            }
            return;
        }
        if let Err(why) = reversi_text::play(&mut self.builder, word, None) {
            self.builder.stop(why, line.place_of(word));
        }
    }

    fn finish(mut self) -> GameRecord {
        self.builder.record.result = result(&self.result);
        self.builder.finish()
    }
}

/// The result: the discs of black and white. What a point of chess would say of the sides is not certain, so that only a draw
/// is read of it.
fn result(text: &str) -> Option<GameResult> {
    if text == "1/2-1/2" {
        return Some(GameResult::Draw);
    }
    let (black, white) = text.split_once('-')?;
    let discs = |text: &str| text.parse::<u32>().ok().filter(|&discs| discs <= 64);
    let (black, white) = (discs(black)?, discs(white)?);
    if black + white < 2 {
        return None;
    }
    if black == white {
        return Some(GameResult::Draw);
    }
    let by = if black > white {
        Seat::First
    } else {
        Seat::Second
    };
    let how = WinReason::Points(black.abs_diff(white).into());
    Some(GameResult::Won { by, how })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::Pgn, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    const TAGS: &str = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2020.05.05\"]\n[Round \"-\"]\n[Black \"ann\"]\n[White \"bob \\\"b\\\"\"]\n[Result \"38-26\"]\n[Time \"11:24:48\"]\n[TimeControl \"300\"]\n[BlackElo \"1073\"]\n[WhiteElo \"1183\"]\n\n";

    #[test]
    fn games_have_tags_and_moves() {
        let text = format!(
            "{TAGS}1. f5 d6 2. c3\nd3 3. c4 {{a comment\nof two; lines}} f4 ; f6\n4. f6 38-26\n\n{TAGS}1. f5 38-26\n"
        );
        let games = all(&text);
        assert_eq!(games.len(), 2);
        let game = games[0].as_ref().unwrap();
        let moves: String = game
            .main_line()
            .iter()
            .map(|mv| reversi_text::name(mv.mv))
            .collect();
        assert_eq!((&*moves, game.stop), ("f5d6c3d3c4f4f6", None));
        assert_eq!(
            game.players
                .clone()
                .map(|player| player.name + "|" + &player.rank),
            ["ann|1073", "bob \"b\"|1183"]
        );
        assert_eq!(
            (&*game.event, &*game.site, &*game.date),
            ("", "PlayOK", "2020-05-05")
        );
        assert_eq!(game.result.unwrap().to_string(), "B+12");
    }

    #[test]
    fn results_are_discs() {
        for (text, expected) in [
            ("38-26", Some("B+12")),
            ("20-44", Some("W+24")),
            ("32-32", Some("0")),
            ("1-0", None),
            ("0-1", None),
            ("1/2-1/2", Some("0")),
            ("*", None),
            ("65-0", None),
            ("--", None),
        ] {
            let told = result(text).map(|result| result.to_string());
            assert_eq!(told.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn faults_have_their_place() {
        for (text, fault) in [
            ("1. f5", "line 1, column 1: nothing here has the form pgn"),
            (
                "[Event]\n1. f5",
                "line 1, column 1: expected [Name \"value\"]",
            ),
            (
                "[Event \"\"]\n[FEN \"x\"]\n1. f5",
                "line 2, column 1: not read: a start of its own",
            ),
        ] {
            let mut games = all(text);
            assert_eq!(games.len(), 1);
            assert_eq!(games.remove(0).unwrap_err().to_string(), fault);
        }
        let game = all("[Event \"\"]\n1. f5 d6\n2. a1 b1").remove(0).unwrap();
        assert_eq!(
            game.stop.unwrap().to_string(),
            "line 3, column 4: move 3 cannot be played (flips_nothing)"
        );
    }
}
