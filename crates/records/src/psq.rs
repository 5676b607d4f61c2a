//! `.psq`, the games of Piskvork and of Gomocup, after `savePsq` and `openPsq` of Piskvork
//! (<https://github.com/plastovicka/Piskvork>): a head, a line for each move, in tournaments the names of both players, a code of
//! the end.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0
//! 10,11,0
//! 11,11,532
//! PELA17
//! YIXIN18
//! -1
//! ```
//!
//! Coordinates are counted from 1 at the upper left, times are milliseconds. The last number of the head says which of the
//! two players began. The form has no result: rows of five tell it, a resignation cannot be told.

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::text_source::{Line, TextSource};
use crate::turns::in_turn;
use crate::{Form, GameRecord, Place, RecordError, StopReason, WriteError};
use std::fmt::Write as _;
use std::io::Read;
use tochki_rules::gomoku::{Rule, Setup};
use tochki_rules::record::{GameResult, WinReason};
use tochki_rules::{Illegal, Move, MoveError, Point, Position, Seat};

/// Reads the games of files one after the other.
pub(crate) struct Reader<R> {
    source: TextSource<R>,
    rule: Rule,
    /// The head of the next game, which ended the one before.
    head: Option<Line>,
    has_any: bool,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R, rule: Rule) -> Result<Self, RecordError> {
        Ok(Self {
            source: TextSource::open(input)?,
            rule,
            head: None,
            has_any: false,
        })
    }

    fn game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        let Some(line) = self.next_head()? else {
            if self.has_any {
                return Ok(None);
            }
            self.has_any = true;
            return Err(ErrorKind::NotThisForm(Form::Psq).at(Place::START));
        };
        self.has_any = true;
        let head = Head::parse(&line).and_then(|head| {
            let setup = Setup::new(head.size, self.rule);
            let setup = setup.map_err(|_| ErrorKind::InvalidSize.at(line.place()))?;
            Ok((head, setup))
        });
        match head {
            Ok((head, setup)) => self.read_game(head, setup).map(Some),
            Err(error) => {
                self.skip_game()?;
                Err(error)
            }
        }
    }

    fn read_game(&mut self, head: Head, setup: Setup) -> Result<GameRecord, RecordError> {
        let mut builder = Builder::line(tochki_rules::Setup::Gomoku(setup));
        let mut names = Vec::new();
        let (mut moves_ended, mut has_ended) = (false, false);
        while let Some(line) = self.source.line()? {
            if is_head(&line) {
                self.head = Some(line);
                break;
            }
            let text = line.text.trim();
            let numbers = numbers(text);
            if has_ended || text.is_empty() {
                // Programs add lines of their own after the code.
            } else if let Some(&[x, y]) = numbers
                .get(..2)
                .and_then(|two| <&[i64; 2]>::try_from(two).ok())
                && !moves_ended
            {
                if builder.record.stop.is_none()
                    && let Err(why) = play(&mut builder, x, y, numbers.get(2).copied())
                {
                    builder.stop(why, line.place_of(text));
                }
            } else if numbers.len() == 1 {
                has_ended = true;
            } else {
                moves_ended = true;
                if names.len() == 2 {
                    return Err(ErrorKind::Expected("a code of the end").at(line.place_of(text)));
                }
                names.push(name(text));
            }
        }
        if let Ok([first, second]) = <[String; 2]>::try_from(names) {
            let [own, other] = if head.second_began {
                [second, first]
            } else {
                [first, second]
            };
            builder.record.players[0].name = own;
            builder.record.players[1].name = other;
        }
        let outcome = builder.position().outcome();
        builder.record.result = outcome.map(|outcome| match outcome.winner {
            None => GameResult::Draw,
            Some(by) => GameResult::Won {
                by,
                how: WinReason::Unknown,
            },
        });
        Ok(builder.finish())
    }

    /// The next head. What is before the first one is not of this form.
    fn next_head(&mut self) -> Result<Option<Line>, RecordError> {
        if let Some(head) = self.head.take() {
            return Ok(Some(head));
        }
        while let Some(line) = self.source.line()? {
            if is_head(&line) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn skip_game(&mut self) -> Result<(), RecordError> {
        self.head = self.next_head()?;
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

/// The first line of a game.
#[derive(Clone, Copy)]
struct Head {
    size: u8,
    second_began: bool,
}

impl Head {
    fn parse(line: &Line) -> Result<Self, RecordError> {
        let expected = || ErrorKind::Expected("Piskvorky WIDTHxHEIGHT, N:N, N").at(line.place());
        let rest = line.text.trim().get(MARK.len()..).ok_or_else(expected)?;
        let mut parts = rest.split(',').map(str::trim);
        let size = parts.next().and_then(|size| size.split_once(['x', 'X']));
        let (width, height) = size.ok_or_else(expected)?;
        let number = |text: &str| text.trim().parse::<u8>().ok();
        let (width, height) = number(width).zip(number(height)).ok_or_else(expected)?;
        if width != height {
            return Err(ErrorKind::InvalidSize.at(line.place()));
        }
        Ok(Self {
            size: width,
            second_began: parts.nth(1) == Some("1"),
        })
    }
}

const MARK: &str = "Piskvorky ";

fn is_head(line: &Line) -> bool {
    begins_as_head(&line.text)
}

fn begins_as_head(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.get(..MARK.len())
        .is_some_and(|mark| mark.eq_ignore_ascii_case(MARK))
}

/// The numbers of a line of two or three with commas, or of one; none if it has anything else.
fn numbers(text: &str) -> Vec<i64> {
    let numbers: Option<Vec<i64>> = text
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    numbers
        .filter(|numbers| numbers.len() <= 3)
        .unwrap_or_default()
}

fn play(builder: &mut Builder, x: i64, y: i64, time: Option<i64>) -> Result<(), StopReason> {
    let number = |number: i64| u8::try_from(number.checked_sub(1)?).ok();
    let point = number(x).zip(number(y)).map(|(x, y)| Point::new(x, y));
    let point = point.ok_or(MoveError::Illegal(Illegal::OffBoard))?;
    let placed = crate::Placed {
        seat: builder.turn(),
        mv: Move::Gomoku(point),
    };
    builder.play_as(placed, time.and_then(|time| time.try_into().ok()))
}

/// The name of a program: without its folder, the `pbrain-` that names of files begin with, and their ending.
fn name(text: &str) -> String {
    let file = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let name = match file.get(..7) {
        Some(mark) if mark.eq_ignore_ascii_case("pbrain-") => &file[7..],
        _ => file,
    };
    let ending = name.rsplit_once('.');
    let is_program = |ending: &str| {
        ["exe", "zip"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    };
    let stem = ending
        .filter(|(_, ending)| is_program(ending))
        .map(|(stem, _)| stem);
    stem.unwrap_or(name).to_owned()
}

/// Writes a game. Comments, dates and results have no place in this form.
pub(crate) fn write(text: &mut String, record: &GameRecord) -> Result<(), WriteError> {
    let tochki_rules::Setup::Gomoku(setup) = record.setup else {
        return Err(WriteError::OtherGame);
    };
    let mut lines = String::new();
    let moves = record.main_line();
    let each = |_: &Position, number: usize| {
        if let Move::Gomoku(point) = moves[number].mv {
            let time = moves[number].time.unwrap_or_default();
            // Writing into a string cannot fail.
            let _ = writeln!(lines, "{},{},{time}", point.x + 1, point.y + 1);
        }
    };
    in_turn(record, each)?;
    let size = setup.size();
    let _ = writeln!(text, "Piskvorky {size}x{size}, 0:0, 0");
    text.push_str(&lines);
    let names = Seat::BOTH.map(|seat| line_of(&record.players[seat.index()].name));
    if names.iter().any(|name| !name.is_empty()) {
        let _ = writeln!(text, "{}\n{}", names[0], names[1]);
    }
    text.push_str("-1\n");
    Ok(())
}

/// A name as a line of its own, which is no number and no head, and no path either.
fn line_of(name: &str) -> String {
    let plain = |c: char| match c {
        '/' | '\\' => '-',
        c if c.is_control() => ' ',
        c => c,
    };
    let line: String = name.chars().map(plain).collect();
    let line = line.trim();
    if line.is_empty() || !numbers(line).is_empty() || begins_as_head(line) {
        return "?".to_owned();
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Writer, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::Psq, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    fn written(record: &GameRecord) -> String {
        let mut writer = Writer::new(Form::Psq, Vec::new());
        writer.write(record).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn a_game_has_moves_times_and_names() {
        let text = "Piskvorky 20x20, 11:11, 1\r\n10,11,0\r\n11,11,532\r\n1,20,7\r\nC:\\ai\\pbrain-PELA17.exe\r\nYIXIN18.zip\r\n-1\r\n1,Freestyle\r\n";
        let games = all(text);
        assert_eq!(games.len(), 1);
        let game = games.into_iter().next().unwrap().unwrap();
        let moves: Vec<_> = game
            .main_line()
            .iter()
            .map(|mv| (mv.mv.to_string(), mv.time))
            .collect();
        assert_eq!(
            moves,
            [
                ("9,10".into(), Some(0)),
                ("10,10".into(), Some(532)),
                ("0,19".into(), Some(7))
            ]
        );
        // The second player began.
        assert_eq!(
            game.players.clone().map(|player| player.name),
            ["YIXIN18", "PELA17"]
        );
        assert_eq!((game.result, game.stop), (None, None));
        assert_eq!(
            written(&game),
            "Piskvorky 20x20, 0:0, 0\n10,11,0\n11,11,532\n1,20,7\nYIXIN18\nPELA17\n-1\n"
        );
    }

    #[test]
    fn files_may_follow_one_another() {
        let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,5\n1,1,1\n-1\nPiskvorky 15x16, 0:0, 0\n1,1,1\n-1\nPiskvorky 5x5, 0:0, 0\n1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\n";
        let games = all(text);
        assert_eq!(games.len(), 3);
        let first = games[0].as_ref().unwrap();
        let stop = first.stop.unwrap();
        assert_eq!(
            (first.moves.len(), stop.number, stop.place),
            (1, 2, Place::text(3, 1))
        );
        let error = games[1].as_ref().unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 6, column 1: no board has this size"
        );
        let third = games[2].as_ref().unwrap();
        assert_eq!(third.result.unwrap().to_string(), "B+");
    }

    #[test]
    fn what_is_no_psq_says_so() {
        for (text, fault) in [
            ("", "line 1, column 1: nothing here has the form psq"),
            ("8,8,0\n", "line 1, column 1: nothing here has the form psq"),
            (
                "Piskvorky 20\n",
                "line 1, column 1: expected Piskvorky WIDTHxHEIGHT, N:N, N",
            ),
            (
                "Piskvorky 4x4, 0:0, 0\n",
                "line 1, column 1: no board has this size",
            ),
            (
                "Piskvorky 15x15\n8,8,1\na\nb\nc\n",
                "line 5, column 1: expected a code of the end",
            ),
        ] {
            let error = all(text).remove(0).unwrap_err();
            assert_eq!(error.to_string(), fault);
        }
    }

    #[test]
    fn a_name_is_neither_a_head_nor_a_number() {
        for (name, written_as) in [
            ("ann", "ann"),
            ("PISKVORKY club", "?"),
            ("\u{feff}Piskvorky 15x15, 0:0, 0", "?"),
            ("-1", "?"),
            ("8,8", "?"),
            ("a\nb/c", "a b-c"),
            ("", "?"),
        ] {
            let mut game = all("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n")
                .remove(0)
                .unwrap();
            name.clone_into(&mut game.players[0].name);
            "bob".clone_into(&mut game.players[1].name);
            let mut again = all(&written(&game));
            assert_eq!(again.len(), 1, "{name}");
            let again = again.remove(0).unwrap();
            assert_eq!(again.players[0].name, written_as, "{name}");
            assert_eq!(again.players[1].name, "bob", "{name}");
        }
    }

    #[test]
    fn only_games_in_turn_are_written() {
        let sgf = "(;GM[4]SZ[15];B[hh];B[ii])";
        let game = read(Form::Sgf, sgf.as_bytes(), Options::default())
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        let mut writer = Writer::new(Form::Psq, Vec::new());
        assert!(matches!(writer.write(&game), Err(WriteError::OutOfTurn)));
        assert!(writer.finish().unwrap().is_empty());
    }
}
