//! The reader of files.

use super::file::{File, PlayerLine};
use crate::Points;
use crate::swiss::{Entrant, Field, Round};
use std::collections::HashMap;
use std::fmt;
use tochki_rules::Seat;

/// The numbers of players and rounds that a file may have.
const MOST_PLAYERS: u32 = 9999;
const MOST_ROUNDS: u32 = 99;

/// The first column of the first round, and the columns of each.
const FIRST_ROUND: usize = 91;
const ROUND_WIDTH: usize = 10;
/// The columns of a round that have text; two blanks are between rounds.
const ROUND_TEXT: usize = 8;

/// The error of a file that is none, with its line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidFile {
    /// The line; `None` where something is missing in the whole file.
    pub line: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for InvalidFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for InvalidFile {}

type Fault = String;

/// Reads a file.
///
/// A round counts as over when a player was paired in it. What stands behind it are byes for the next one.
///
/// # Errors
///
/// If a line is none of its kind, if lines contradict each other, or if the number of rounds is missing.
pub fn read(text: &str) -> Result<File, InvalidFile> {
    let mut reader = Reader::default();
    for (index, line) in lines(text).enumerate() {
        let columns: Vec<_> = line.chars().collect();
        reader.line = index + 1;
        reader.read(&columns).map_err(|reason| InvalidFile {
            line: Some(index + 1),
            reason,
        })?;
    }
    reader.finish()
}

/// Splits at each end of a line: that of Unix, that of Windows, and a carriage return alone, as older programs write it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// A round as a line tells it: the opponent is a number.
#[derive(Clone, Copy)]
enum Cell {
    /// No text: a round before the player came, or after the last one.
    Blank,
    Bye(Points),
    PairingBye,
    Game {
        opponent: u32,
        side: Seat,
        result: Points,
    },
    Forfeit {
        opponent: u32,
        side: Seat,
        won: bool,
    },
}

struct Row {
    line: usize,
    player: PlayerLine,
    points: Points,
    cells: Vec<Cell>,
}

#[derive(Default)]
struct Reader {
    line: usize,
    name: String,
    rows: Vec<Row>,
    rounds: Option<u32>,
    initial_side: Option<Seat>,
    /// Whether players are numbered in the order of the lines.
    by_line: bool,
    /// The line, the round and the player of each bye for a round to come; that of `XXZ` is the next one.
    byes: Vec<(usize, Option<u32>, u32)>,
    /// The line, the rounds and the players of each list of those who must not meet.
    forbidden: Vec<(usize, Option<[u32; 2]>, Vec<u32>)>,
}

impl Reader {
    fn read(&mut self, columns: &[char]) -> Result<(), Fault> {
        let code: String = columns.iter().take(3).collect();
        match code.as_str() {
            "001" => {
                let row = self.read_player(columns)?;
                if self
                    .rows
                    .iter()
                    .any(|other| other.player.id == row.player.id)
                {
                    return Err(format!("player {} a second time", row.player.id));
                }
                self.rows.push(row);
            }
            "012" => self.name = text(columns, 4, columns.len()),
            "013" | "310" => return Err("teams are not read".to_owned()),
            "142" | "XXR" => {
                self.rounds = Some(number(&text(columns, 3, columns.len()), 1..=MOST_ROUNDS)?);
            }
            "152" => {
                self.initial_side = Some(match text(columns, 4, columns.len()).as_str() {
                    "W" => Seat::First,
                    "B" => Seat::Second,
                    _ => return Err("the first side is W or B".to_owned()),
                });
            }
            "XXC" => {
                for word in text(columns, 3, columns.len()).split_whitespace() {
                    match word {
                        "rank" => self.by_line = true,
                        "white1" => self.initial_side = Some(Seat::First),
                        "black1" => self.initial_side = Some(Seat::Second),
                        _ => {}
                    }
                }
            }
            "XXZ" => {
                for word in text(columns, 3, columns.len()).split_whitespace() {
                    self.byes
                        .push((self.line, None, number(word, 1..=MOST_PLAYERS)?));
                }
            }
            "240" => {
                let round = number(&text(columns, 6, 9), 1..=MOST_ROUNDS)?;
                for player in ids(columns, 10)? {
                    self.byes.push((self.line, Some(round), player));
                }
            }
            "260" => {
                let [from, to] = [[4, 7], [8, 11]]
                    .map(|[from, to]| number(&text(columns, from, to), 1..=MOST_ROUNDS));
                self.forbidden
                    .push((self.line, Some([from?, to?]), ids(columns, 12)?));
            }
            "XXP" => {
                let words = text(columns, 3, columns.len());
                let players = words
                    .split_whitespace()
                    .map(|word| number(word, 1..=MOST_PLAYERS));
                self.forbidden
                    .push((self.line, None, players.collect::<Result<_, _>>()?));
            }
            "162" | "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" | "299" => {
                return Err("points other than 1, ½ and 0 are not read".to_owned());
            }
            "250" | "XXA" => return Err("accelerations are not read".to_owned()),
            "192" => {
                let system = text(columns, 4, columns.len());
                if !["FIDE_DUTCH", "FIDE_DUTCH_2025"].contains(&system.as_str()) {
                    return Err(format!("no system FIDE_DUTCH but {system}"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn read_player(&self, columns: &[char]) -> Result<Row, Fault> {
        if columns.len() < 84 {
            return Err("a player has at least 84 columns".to_owned());
        }
        let rating = text(columns, 48, 52);
        let player = PlayerLine {
            id: number(&text(columns, 4, 8), 1..=MOST_PLAYERS)?,
            name: text(columns, 14, 47),
            rating: if rating.is_empty() {
                None
            } else {
                Some(number(&rating, 0..=9999)?)
            },
        };
        let mut cells = Vec::new();
        let mut start = FIRST_ROUND;
        while start + ROUND_TEXT <= columns.len() {
            cells.push(
                read_cell(&columns[start..start + ROUND_TEXT])
                    .map_err(|reason| format!("round {}: {reason}", cells.len() + 1))?,
            );
            start += ROUND_WIDTH;
        }
        if !text(columns, start, columns.len()).is_empty() {
            return Err("text behind the last round".to_owned());
        }
        let own = |cell: &Cell| matches!(cell, Cell::Game { opponent, .. } | Cell::Forfeit { opponent, .. } if *opponent == player.id);
        if let Some(index) = cells.iter().position(own) {
            return Err(format!(
                "round {}: a player against the same player",
                index + 1
            ));
        }
        let trailing = cells
            .iter()
            .rev()
            .take_while(|cell| matches!(cell, Cell::Blank))
            .count();
        cells.truncate(cells.len() - trailing);
        Ok(Row {
            line: self.line,
            points: points(&text(columns, 80, 84))?,
            player,
            cells,
        })
    }

    fn finish(mut self) -> Result<File, InvalidFile> {
        let whole = |reason: &str| InvalidFile {
            line: None,
            reason: reason.to_owned(),
        };
        if !self.by_line {
            self.rows.sort_by_key(|row| row.player.id);
            if self
                .rows
                .iter()
                .zip(1..)
                .any(|(row, id)| row.player.id != id)
            {
                return Err(whole("the numbers of players are 1, 2, 3 and so on"));
            }
        }
        let rounds = self
            .rounds
            .ok_or_else(|| whole("the number of rounds is missing: 142 or XXR"))?;
        let places: HashMap<_, _> = (self.rows.iter().enumerate())
            .map(|(place, row)| (row.player.id, place))
            .collect();
        let played = played_rounds(&self.rows);
        if played >= rounds as usize {
            return Err(whole(&format!("all {rounds} rounds are over")));
        }
        let mut players = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let fault = |reason| InvalidFile {
                line: Some(row.line),
                reason,
            };
            let entrant = row.entrant(played, &places).map_err(fault)?;
            row.check_points(&entrant, played).map_err(fault)?;
            players.push(entrant);
        }
        check_games(&self.rows, &players)?;
        let find = |line, id| {
            let reason = || InvalidFile {
                line: Some(line),
                reason: format!("no player {id}"),
            };
            places.get(&id).copied().ok_or_else(reason)
        };
        for &(line, round, id) in &self.byes {
            let player = find(line, id)?;
            if round.is_none_or(|round| round as usize == played + 1) {
                players[player].absent = true;
            }
        }
        let mut forbidden = Vec::new();
        for (line, rounds, ids) in &self.forbidden {
            let places = ids
                .iter()
                .map(|&id| find(*line, id))
                .collect::<Result<Vec<_>, _>>()?;
            if rounds.is_none_or(|[from, to]| (from as usize..=to as usize).contains(&(played + 1)))
            {
                for (index, &one) in places.iter().enumerate() {
                    forbidden.extend(places[..index].iter().map(|&other| [other, one]));
                }
            }
        }
        let field = Field {
            rounds,
            initial_side: self.initial_side.unwrap_or_else(|| first_side(&players)),
            players,
            forbidden,
        };
        Ok(File {
            name: self.name,
            field,
            players: self.rows.into_iter().map(|row| row.player).collect(),
        })
    }
}

impl Row {
    /// Returns the player as the field knows it. Rounds without text are absence.
    fn entrant(&self, played: usize, places: &HashMap<u32, usize>) -> Result<Entrant, Fault> {
        let find = |id| {
            places
                .get(&id)
                .copied()
                .ok_or_else(|| format!("no player {id}"))
        };
        let round = |cell: Cell| {
            Ok(match cell {
                Cell::Blank => Round::Bye(Points::ZERO),
                Cell::Bye(points) => Round::Bye(points),
                Cell::PairingBye => Round::PairingBye,
                Cell::Game {
                    opponent,
                    side,
                    result,
                } => Round::Game {
                    opponent: find(opponent)?,
                    side,
                    result,
                },
                Cell::Forfeit {
                    opponent,
                    side,
                    won,
                } => Round::Forfeit {
                    opponent: find(opponent)?,
                    side,
                    won,
                },
            })
        };
        let mut history: Vec<_> = self
            .cells
            .iter()
            .take(played)
            .map(|&cell| round(cell))
            .collect::<Result<_, Fault>>()?;
        history.resize(played, Round::Bye(Points::ZERO));
        Ok(Entrant {
            history,
            absent: self.cells.len() > played,
        })
    }

    /// Checks the points of the line. Those of a bye for the next round may be among them.
    fn check_points(&self, entrant: &Entrant, played: usize) -> Result<(), Fault> {
        let points = entrant.history.iter().map(|round| round.points()).sum();
        let next = match self.cells.get(played) {
            Some(Cell::Bye(points)) => *points,
            _ => Points::ZERO,
        };
        if self.points == points || self.points == points + next {
            Ok(())
        } else {
            Err(format!(
                "{} points, but the rounds give {points}",
                self.points
            ))
        }
    }
}

fn read_cell(columns: &[char]) -> Result<Cell, Fault> {
    let opponent = text(columns, 0, 4);
    let opponent = match opponent.as_str() {
        "" | "0000" => None,
        id => Some(number(id, 1..=MOST_PLAYERS)?),
    };
    let side = match columns[5] {
        'w' => Some(Seat::First),
        'b' => Some(Seat::Second),
        '-' | ' ' => None,
        other => return Err(format!("{other:?} is no side")),
    };
    let sign = columns[7].to_ascii_uppercase();
    let result = match sign {
        'W' | '1' => Some(Points::ONE),
        'D' | '=' => Some(Points::HALF),
        'L' | '0' => Some(Points::ZERO),
        _ => None,
    };
    match (opponent, side, sign, result) {
        (None, None, ' ', _) if columns[5] == ' ' => Ok(Cell::Blank),
        (None, None, 'F', _) => Ok(Cell::Bye(Points::ONE)),
        (None, None, 'H' | '=', _) => Ok(Cell::Bye(Points::HALF)),
        (None, None, 'Z' | '-' | ' ', _) => Ok(Cell::Bye(Points::ZERO)),
        (None, None, 'U' | '+', _) => Ok(Cell::PairingBye),
        (Some(opponent), Some(side), _, Some(result)) => Ok(Cell::Game {
            opponent,
            side,
            result,
        }),
        (Some(opponent), side, '+' | '-', _) => Ok(Cell::Forfeit {
            opponent,
            side: side.unwrap_or(Seat::First),
            won: sign == '+',
        }),
        _ => Err(format!(
            "{:?} is no result",
            columns.iter().collect::<String>().trim()
        )),
    }
}

/// Returns the number of rounds that are over: those in which somebody was paired, and those before the last text of anybody.
fn played_rounds(rows: &[Row]) -> usize {
    let of_row = |row: &Row| match row.cells.last() {
        Some(Cell::Bye(_)) => row.cells.len() - 1,
        _ => row.cells.len(),
    };
    let played = rows.iter().map(of_row).max().unwrap_or(0);
    // A round in which all had byes is over as well.
    let all_behind = !rows.is_empty() && rows.iter().all(|row| row.cells.len() > played);
    played + usize::from(all_behind)
}

/// Checks that each game is in the lines of both players, with other sides and results that fit.
fn check_games(rows: &[Row], players: &[Entrant]) -> Result<(), InvalidFile> {
    for (place, player) in players.iter().enumerate() {
        for (index, round) in player.history.iter().enumerate() {
            let Round::Game {
                opponent,
                side,
                result,
            } = *round
            else {
                continue;
            };
            let back = players[opponent].history[index];
            let fits = matches!(back, Round::Game { opponent: one, side: of_one, result: other }
                if one == place && of_one != side && (other + result == Points::ONE));
            if !fits {
                return Err(InvalidFile {
                    line: Some(rows[place].line),
                    reason: format!(
                        "round {} contradicts that of player {}",
                        index + 1,
                        rows[opponent].player.id
                    ),
                });
            }
        }
    }
    Ok(())
}

/// Finds the side of the first player in the first round with sides. Where that one had none, the next one had the other side.
fn first_side(players: &[Entrant]) -> Seat {
    let side_in = |player: &Entrant, round: usize| match player.history[round] {
        Round::Game { side, .. } | Round::Forfeit { side, .. } => Some(side),
        _ => None,
    };
    let rounds = players.first().map_or(0, |player| player.history.len());
    let with_sides = |&round: &usize| {
        players
            .iter()
            .any(|player| side_in(player, round).is_some())
    };
    let Some(round) = (0..rounds).find(with_sides) else {
        return Seat::First;
    };
    let paired = players.iter().filter(|player| {
        player.history[..=round]
            .iter()
            .any(|round| round.is_of_pairing())
    });
    for (number, player) in paired.enumerate() {
        if let Some(side) = side_in(player, round) {
            return if number.is_multiple_of(2) {
                side
            } else {
                side.other()
            };
        }
    }
    Seat::First
}

/// Returns the text of some columns without the blanks around it.
fn text(columns: &[char], from: usize, to: usize) -> String {
    let columns = columns.get(from..to.min(columns.len())).unwrap_or_default();
    columns.iter().collect::<String>().trim().to_owned()
}

fn number(text: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32, Fault> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        format!(
            "{text:?} is no number from {} to {}",
            range.start(),
            range.end()
        )
    })
}

/// Reads points with one digit behind the point.
fn points(text: &str) -> Result<Points, Fault> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let fault = || format!("{text:?} are no points");
    let halves = match part {
        "0" => 0,
        "5" => 1,
        _ => return Err(fault()),
    };
    let whole = number(whole, 0..=MOST_ROUNDS).map_err(|_| fault())?;
    Ok(Points::from_halves(2 * whole + halves))
}

/// Reads numbers of players, each in four columns and a blank before the next one.
fn ids(columns: &[char], from: usize) -> Result<Vec<u32>, Fault> {
    let columns = columns.get(from..).unwrap_or_default();
    let words = columns
        .chunks(5)
        .map(|word| text(word, 0, 4))
        .filter(|word| !word.is_empty());
    words.map(|word| number(&word, 1..=MOST_PLAYERS)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;
    use crate::testing::Random;

    const FILE: &str = "\
012 Autumn\n\
XXR 3\n\
001    1      Ann                               1800                             1.0    1     3 w 1\n\
001    2      Bob                                                                1.0    3     4 b +\n\
001    3      Cem                               1600                             0.0    4     1 b 0  0000 - Z\n\
001    4      Dea                               1500                             0.0    5     2 w -\n\
001    5      Eva                               1400                             1.0    2  0000 - U\n\
";

    fn fault(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_read() {
        let file = read(FILE).unwrap();
        assert_eq!(file.name, "Autumn");
        assert_eq!((file.field.rounds, file.field.played_rounds()), (3, 1));
        assert_eq!(file.field.initial_side, Seat::First);
        let told = PlayerLine {
            id: 1,
            name: "Ann".into(),
            rating: Some(1800),
        };
        assert_eq!((&file.players[0], file.players[1].rating), (&told, None));
        let history = |player: usize| file.field.players[player].history[0];
        let game = Round::Game {
            opponent: 2,
            side: Seat::First,
            result: Points::ONE,
        };
        assert_eq!(history(0), game);
        assert_eq!(
            history(1),
            Round::Forfeit {
                opponent: 3,
                side: Seat::Second,
                won: true
            }
        );
        assert_eq!(history(4), Round::PairingBye);
        let absent: Vec<_> = file
            .field
            .players
            .iter()
            .map(|player| player.absent)
            .collect();
        assert_eq!(absent, [false, false, true, false, false]);
    }

    #[test]
    fn each_end_of_a_line_is_one() {
        for end in ["\r\n", "\r"] {
            assert_eq!(read(&FILE.replace('\n', end)), read(FILE), "{end:?}");
        }
    }

    #[test]
    fn a_written_file_is_read_as_it_was() {
        let mut file = read(FILE).unwrap();
        file.field.initial_side = Seat::Second;
        file.field.forbidden.push([1, 4]);
        file.players[2].name = "Zoë".into();
        assert_eq!(read(&write(&file)), Ok(file));
    }

    #[test]
    fn codes_of_the_next_round() {
        let file = |more: &str| read(&format!("{FILE}{more}\n")).unwrap().field;
        let absent = |field: &Field| field.players.iter().filter(|player| player.absent).count();
        assert_eq!(absent(&file("XXZ 1 4")), 3);
        assert_eq!(absent(&file("240 H 002 0001 0004")), 3);
        assert_eq!(absent(&file("240 H 003 0001 0004")), 1);
        assert_eq!(file("XXC black1").initial_side, Seat::Second);
        assert_eq!(file("152 B").initial_side, Seat::Second);
        assert_eq!(file("XXP 1 2 5").forbidden, [[0, 1], [0, 4], [1, 4]]);
        assert_eq!(file("260 002 003 0001 0002").forbidden, [[0, 1]]);
        assert_eq!(file("260 003 003 0001 0002").forbidden, [[0; 2]; 0]);
    }

    #[test]
    fn faults_name_their_lines() {
        let with = |from: &str, to: &str| {
            assert!(FILE.contains(from), "{from}");
            fault(&FILE.replacen(from, to, 1))
        };
        assert_eq!(
            with("XXR 3\n", ""),
            "the number of rounds is missing: 142 or XXR"
        );
        assert_eq!(with("XXR 3", "XXR 1"), "all 1 rounds are over");
        assert_eq!(
            with("XXR 3", "XXR x"),
            r#"line 2: "x" is no number from 1 to 99"#
        );
        assert_eq!(
            with("001    2", "001    1"),
            "line 4: player 1 a second time"
        );
        assert_eq!(
            with("001    5", "001    6"),
            "the numbers of players are 1, 2, 3 and so on"
        );
        assert_eq!(with("3 w 1", "3 x 1"), "line 3: round 1: 'x' is no side");
        assert_eq!(
            with("3 w 1", "3 w ?"),
            r#"line 3: round 1: "3 w ?" is no result"#
        );
        assert_eq!(with("3 w 1", "7 w 1"), "line 3: no player 7");
        assert_eq!(
            with("3 w 1", "5 w 1"),
            "line 3: round 1 contradicts that of player 5"
        );
        assert_eq!(
            with("3 w 1", "3 w ="),
            "line 3: 1.0 points, but the rounds give 0.5"
        );
        assert_eq!(
            with("4 b +", "2 b +"),
            "line 4: round 1: a player against the same player"
        );
        assert_eq!(
            with("1.0    1", "1.x    1"),
            r#"line 3: "1.x" are no points"#
        );
        assert_eq!(
            with("3 w 1", "3 w 1  x"),
            "line 3: text behind the last round"
        );
        for (line, reason) in [
            ("001    6", "a player has at least 84 columns"),
            ("BBW  3.0", "points other than 1, ½ and 0 are not read"),
            ("XXA    1  1.0", "accelerations are not read"),
            ("013 Team", "teams are not read"),
            ("XXZ 9", "no player 9"),
            (
                "192 FIDE_BURSTEIN",
                "no system FIDE_DUTCH but FIDE_BURSTEIN",
            ),
            ("152 X", "the first side is W or B"),
        ] {
            assert_eq!(
                fault(&format!("{FILE}{line}\n")),
                format!("line 8: {reason}")
            );
        }
        assert_eq!(fault(""), "the number of rounds is missing: 142 or XXR");
    }

    /// Changes, removes and adds characters at random: each text is read or refused, and what is read can be paired or not.
    #[test]
    fn no_text_is_too_strange() {
        let mut random = Random(7);
        let mut read_ones = 0;
        for _ in 0..3000 {
            let mut text: Vec<_> = FILE.chars().collect();
            for _ in 0..random.below(4) {
                let at = random.below(text.len());
                let new = [
                    '0', '1', '5', '9', ' ', '\n', 'w', 'b', '+', '-', 'Z', '.', 'é',
                ][random.below(13)];
                match random.below(4) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, new),
                    _ => text[at] = new,
                }
            }
            if let Ok(file) = read(&text.into_iter().collect::<String>()) {
                read_ones += 1;
                let _ = file.pairings();
                assert_eq!(
                    read(&write(&file)).map(|again| again.field.players),
                    Ok(file.field.players)
                );
            }
        }
        assert!(read_ones > 500, "{read_ones}");
    }

    #[test]
    fn the_first_side_is_found_in_the_first_round() {
        let none = FILE.replace("3 w 1", "3 b 1").replace("1 b 0", "1 w 0");
        assert_eq!(read(&none).unwrap().field.initial_side, Seat::Second);
    }
}
