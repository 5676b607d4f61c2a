//! Standings of tournaments that are written as JSON: the pure part of `tochki standings`.
//!
//! Input and output have one JSON object a line, so that anybody can check the arena's standings without a server.

use crate::arena::{self, Outcome, Performance, Played, Rules, Sheet};
use crate::{Bye, Game, Points, Standing, TieBreak, round_robin, swiss};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use tochki_rules::{GameKind, Seat, Setup};

/// The moves of a side where a record does not tell them.
const DEFAULT_MOVES: u32 = 40;
/// The rating of a player whose rating a record does not tell: that of every new player.
const DEFAULT_RATING: f64 = 1600.0;
/// A record has so many players at most, so that a line cannot take the machine's memory.
const MOST_PLAYERS: usize = 100_000;
const MOST_ROUNDS: u32 = 10_000;

/// Reads a tournament from each line of `input` and writes its standings as a line; blank lines are skipped.
///
/// A tournament is `{"format": "arena"|"swiss"|"round_robin", "game": "dots", "setup": {…}, "streaks": true, "berserk": true,
/// "rounds": 7, "players": [{"name", "rating", "joined"}], "games": [{"first": 0, "second": 1, "winner": 0|1|2, "moves": [25,
/// 25], "ratings": [1600, 1700], "round": 1, "forfeit": false, "berserk": [false, true], "score": [3, 1]}], "byes": [{"player":
/// 2, "round": 1, "points": 1}]}`, with the games in the order of their ends and players by their places in the list. `joined` orders players
/// who are equal otherwise; without it the list does. `ratings` of a game are those at that time, in the place of the players'. `withdrawn` of a player of a round robin is true where that one left.
///
/// The answer is `{"standings": [{"player", "score", "fire", "performance", "tie_breaks": […]}]}` from the first rank on, or
/// `{"error": {"line": n, "reason": "…"}}`; the next line is read in any case. `fire` tells that
/// the next win would count double in an arena; `performance` is rounded, and null before the first game that was played.
///
/// # Errors
///
/// Only those of reading `input` and of writing to `output`.
pub fn standings(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    let mut number = 0;
    while input.read_until(b'\n', &mut line)? > 0 {
        number += 1;
        let text = line.trim_ascii();
        if !text.is_empty() {
            match read(text) {
                Ok(rows) => serde_json::to_writer(&mut output, &Answer { standings: rows })?,
                Err(reason) => {
                    let error = Fault {
                        line: number,
                        reason,
                    };
                    serde_json::to_writer(&mut output, &Failure { error })?;
                }
            }
            output.write_all(b"\n")?;
        }
        line.clear();
    }
    output.flush()
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    Arena,
    Swiss,
    RoundRobin,
}

#[derive(Deserialize)]
struct Record {
    format: Format,
    game: String,
    setup: Option<Value>,
    #[serde(default = "yes")]
    streaks: bool,
    #[serde(default = "yes")]
    berserk: bool,
    rounds: Option<u32>,
    players: Vec<Player>,
    #[serde(default)]
    games: Vec<WrittenGame>,
    #[serde(default)]
    byes: Vec<WrittenBye>,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct Player {
    rating: Option<f64>,
    joined: Option<Value>,
    #[serde(default)]
    withdrawn: bool,
}

#[derive(Deserialize)]
struct WrittenGame {
    first: usize,
    second: usize,
    winner: u8,
    #[serde(default = "default_moves")]
    moves: [u32; 2],
    #[serde(default)]
    round: u32,
    #[serde(default)]
    forfeit: bool,
    #[serde(default)]
    berserk: [bool; 2],
    #[serde(default)]
    score: [u32; 2],
    ratings: Option<[f64; 2]>,
}

const fn default_moves() -> [u32; 2] {
    [DEFAULT_MOVES; 2]
}

#[derive(Deserialize)]
struct WrittenBye {
    player: usize,
    #[serde(default)]
    round: u32,
    points: f64,
}

#[derive(Serialize)]
struct Answer {
    standings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    player: usize,
    score: TieBreak,
    fire: bool,
    performance: Option<i64>,
    tie_breaks: Vec<TieBreak>,
}

#[derive(Serialize)]
struct Failure {
    error: Fault,
}

#[derive(Serialize)]
struct Fault {
    line: usize,
    reason: String,
}

/// Reads one tournament and returns its standings.
fn read(text: &[u8]) -> Result<Vec<Row>, String> {
    let record: Record = serde_json::from_slice(text).map_err(|error| told(&error))?;
    let game: GameKind = record
        .game
        .parse()
        .map_err(|_| format!("no such game: {}", record.game))?;
    Setup::parse(game, record.setup.as_ref()).map_err(|error| format!("setup: {error}"))?;
    if record.players.len() > MOST_PLAYERS {
        return Err(format!("more than {MOST_PLAYERS} players"));
    }
    let order = joining_order(&record.players)?;
    // From here on a player is a place in the order of joining; the answer names places in the list again.
    let mut place = vec![0; order.len()];
    for (at, &player) in order.iter().enumerate() {
        place[player] = at;
    }
    let games = read_games(&record, &place)?;
    let byes = read_byes(&record, &place)?;
    if record.format != Format::Arena {
        one_game_a_round(&games, &byes, order.len())?;
    }
    let rules = Rules {
        game,
        streaks: record.streaks,
        berserk: record.berserk,
    };
    let sheets = fold(&record, rules, &order, &games)?;
    let mut rows = match record.format {
        Format::Arena => arena_rows(rules, &sheets),
        Format::Swiss => rows_of(swiss::standings(game, order.len(), &games, &byes)),
        Format::RoundRobin => {
            let withdrawn: Vec<_> = order
                .iter()
                .map(|&player| record.players[player].withdrawn)
                .collect();
            let double = is_double(&record, order.len(), &games);
            rows_of(round_robin::standings(
                order.len(),
                double,
                &games,
                &withdrawn,
            ))
        }
    };
    for row in &mut rows {
        row.performance = sheets[row.player].performance().map(Performance::rounded);
        row.player = order[row.player];
    }
    Ok(rows)
}

/// Returns the reason of an error of JSON. Its line would always be the first one.
fn told(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

/// Returns the players in the order of joining. `joined` is a number, or a text such as a date: all of them the same.
fn joining_order(players: &[Player]) -> Result<Vec<usize>, String> {
    let mut order: Vec<_> = (0..players.len()).collect();
    if let Some(numbers) = keys(players, Value::as_f64) {
        order.sort_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    } else if let Some(texts) = keys(players, |joined| joined.as_str().map(str::to_owned)) {
        order.sort_by(|&one, &other| texts[one].cmp(&texts[other]));
    } else if players.iter().any(|player| player.joined.is_some()) {
        return Err("joined: all numbers, or all texts, or none".to_owned());
    }
    Ok(order)
}

fn keys<T>(players: &[Player], read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    players
        .iter()
        .map(|player| player.joined.as_ref().and_then(&read))
        .collect()
}

fn read_games(record: &Record, place: &[usize]) -> Result<Vec<Game>, String> {
    let read = |(index, game): (usize, &WrittenGame)| {
        let fault = |reason: &str| format!("game {index}: {reason}");
        let find = |player: usize| {
            place
                .get(player)
                .copied()
                .ok_or_else(|| fault("no such player"))
        };
        if game.first == game.second {
            return Err(fault("a player against the same player"));
        }
        let winner = match game.winner {
            0 if game.forfeit => return Err(fault("a forfeit has a winner")),
            0 => None,
            number => Some(Seat::try_from(number).map_err(|_| fault("the winner is 0, 1 or 2"))?),
        };
        if game.round > MOST_ROUNDS
            || game
                .score
                .iter()
                .chain(&game.moves)
                .any(|&number| number > 1 << 20)
        {
            return Err(fault("a number is too large"));
        }
        Ok(Game {
            players: [find(game.first)?, find(game.second)?],
            winner,
            round: game.round,
            forfeit: game.forfeit,
            score: game.score,
        })
    };
    record.games.iter().enumerate().map(read).collect()
}

fn read_byes(record: &Record, place: &[usize]) -> Result<Vec<Bye>, String> {
    if record.format == Format::Arena && !record.byes.is_empty() {
        return Err("an arena has no byes".to_owned());
    }
    let read = |(index, bye): (usize, &WrittenBye)| {
        let fault = |reason: &str| format!("bye {index}: {reason}");
        let halves = [0.0_f64, 1.0, 2.0]
            .iter()
            .position(|halves| halves.total_cmp(&(2.0 * bye.points)).is_eq());
        let points = halves
            .map(|halves| Points::from_halves(halves as u32))
            .ok_or_else(|| fault("points are 0, 0.5 or 1"))?;
        let player = place
            .get(bye.player)
            .copied()
            .ok_or_else(|| fault("no such player"))?;
        Ok(Bye {
            player,
            round: bye.round,
            points,
        })
    };
    record.byes.iter().enumerate().map(read).collect()
}

/// Fails where a player has two games or byes in a round. A record without rounds has round 0 everywhere, and is not looked at.
fn one_game_a_round(games: &[Game], byes: &[Bye], players: usize) -> Result<(), String> {
    let mut seen = HashSet::with_capacity(players);
    let all = (games
        .iter()
        .flat_map(|game| game.players.map(|player| (player, game.round))))
    .chain(byes.iter().map(|bye| (bye.player, bye.round)));
    for (player, round) in all {
        if round > 0 && !seen.insert((player, round)) {
            return Err(format!("round {round}: a player plays twice"));
        }
    }
    Ok(())
}

/// Returns whether a round robin is a double one: by its rounds, or because a pair has met twice.
fn is_double(record: &Record, players: usize, games: &[Game]) -> bool {
    let single = players.next_multiple_of(2).saturating_sub(1) as u32;
    let mut met = HashSet::new();
    record.rounds.is_some_and(|rounds| rounds > single)
        || games.iter().any(|game| game.round > single)
        || games.iter().any(|game| {
            let [one, other] = game.players;
            !met.insert([one.min(other), one.max(other)])
        })
}

/// Folds the games, whose scores only an arena asks for; performances are of all formats.
fn fold(
    record: &Record,
    rules: Rules,
    order: &[usize],
    games: &[Game],
) -> Result<Vec<Sheet>, String> {
    let round = |rating: f64| {
        if (-1e6..=1e6).contains(&rating) {
            Ok(rating.round() as i32)
        } else {
            Err("a rating is too large".to_owned())
        }
    };
    let mut ratings = Vec::with_capacity(order.len());
    for &player in order {
        let rating = record.players[player].rating.unwrap_or(DEFAULT_RATING);
        ratings.push(round(rating)?);
    }
    let mut sheets = vec![Sheet::default(); order.len()];
    for (game, written) in games.iter().zip(&record.games) {
        for seat in Seat::BOTH {
            let [player, opponent] = [seat, seat.other()].map(|seat| game.players[seat.index()]);
            let opponent_rating = match written.ratings {
                Some(of_game) => round(of_game[seat.other().index()])?,
                None => ratings[opponent],
            };
            let outcome = match game.winner {
                None => Outcome::Draw,
                Some(winner) if winner == seat => Outcome::Win,
                Some(_) => Outcome::Loss,
            };
            sheets[player].add(
                rules,
                Played {
                    outcome,
                    moves: written.moves[0].min(written.moves[1]),
                    forfeit: game.forfeit,
                    berserk: written.berserk[seat.index()],
                    opponent_rating,
                },
            );
        }
    }
    Ok(sheets)
}

fn arena_rows(rules: Rules, sheets: &[Sheet]) -> Vec<Row> {
    let row = |player: usize| Row {
        player,
        score: TieBreak::of_count(sheets[player].score()),
        fire: sheets[player].is_on_fire(rules),
        performance: None,
        tie_breaks: Vec::new(),
    };
    arena::rank(sheets).into_iter().map(row).collect()
}

fn rows_of(standings: Vec<Standing>) -> Vec<Row> {
    let row = |standing: Standing| Row {
        player: standing.player,
        score: TieBreak::of_points(standing.points),
        fire: false,
        performance: None,
        tie_breaks: standing.tie_breaks,
    };
    standings.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(input: &str) -> String {
        let mut output = Vec::new();
        standings(input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let one_line = |text: &str| text.lines().map(str::trim).collect::<String>();
        assert_eq!(run(&one_line(input)).trim_end(), one_line(expected));
    }

    #[test]
    fn an_arena() {
        check(
            r#"{"format":"arena","game":"dots","players":[{"name":"ann","rating":1600},{"name":"bob","rating":1700}],"games":[
            {"first":0,"second":1,"winner":1},{"first":1,"second":0,"winner":2},
            {"first":0,"second":1,"winner":1,"berserk":[true,false]},{"first":0,"second":1,"winner":0,"moves":[19,19]},
            {"first":0,"second":1,"winner":2,"forfeit":true,"moves":[0,0]}]}"#,
            r#"{"standings":[{"player":0,"score":9,"fire":false,"performance":2075,"tie_breaks":[]},
            {"player":1,"score":2,"fire":false,"performance":1225,"tie_breaks":[]}]}"#,
        );
        // The ratings at the time of a game.
        check(
            r#"{"format":"arena","game":"dots","players":[{"rating":1600},{"rating":1700}],"games":[
            {"first":0,"second":1,"winner":1,"ratings":[1500,1800]}]}"#,
            r#"{"standings":[{"player":0,"score":2,"fire":false,"performance":2300,"tie_breaks":[]},
            {"player":1,"score":0,"fire":false,"performance":1000,"tie_breaks":[]}]}"#,
        );
        check(
            r#"{"format":"arena","game":"reversi","players":[{},{"joined":null}],"games":[]}"#,
            r#"{"standings":[{"player":0,"score":0,"fire":false,"performance":null,"tie_breaks":[]},
            {"player":1,"score":0,"fire":false,"performance":null,"tie_breaks":[]}]}"#,
        );
    }

    #[test]
    fn a_swiss() {
        check(
            r#"{"format":"swiss","game":"reversi","rounds":2,"players":[{"joined":3},{"joined":1},{"joined":2}],"games":[
            {"first":0,"second":1,"winner":0,"round":1,"score":[32,32]},{"first":2,"second":0,"winner":1,"round":2,"score":[40,24]}],
            "byes":[{"player":2,"round":1,"points":0.5},{"player":1,"round":2,"points":1}]}"#,
            r#"{"standings":[{"player":2,"score":1.5,"fire":false,"performance":2100,"tie_breaks":[40,2]},{"player":1,"score":1.5,"fire":false,"performance":1600,"tie_breaks":[32,2]},
            {"player":0,"score":0.5,"fire":false,"performance":1350,"tie_breaks":[56,3]}]}"#,
        );
    }

    #[test]
    fn a_round_robin() {
        check(
            r#"{"format":"round_robin","game":"gomoku","players":[{},{},{"withdrawn":true}],"games":[
            {"first":0,"second":1,"winner":2,"round":2},{"first":2,"second":0,"winner":1,"forfeit":true,"round":3}]}"#,
            r#"{"standings":[{"player":1,"score":1,"fire":false,"performance":2100,"tie_breaks":[0,0,1]},{"player":0,"score":0,"fire":false,"performance":1100,"tie_breaks":[0,0,0]},
            {"player":2,"score":0,"fire":false,"performance":null,"tie_breaks":[0,0,0]}]}"#,
        );
    }

    #[test]
    fn a_fault_names_its_line_and_the_next_one_is_read() {
        let game = |game: &str| {
            format!(r#"{{"format":"swiss","game":"dots","players":[{{}},{{}}],"games":[{game}]}}"#)
        };
        for (record, reason) in [
            ("{".to_owned(), "EOF while parsing an object at column 1"),
            (
                r#"{"format":"arena","game":"chess","players":[]}"#.to_owned(),
                "no such game: chess",
            ),
            (
                r#"{"format":"arena","game":"dots","players":[{"joined":1},{}]}"#.to_owned(),
                "joined: all numbers, or all texts, or none",
            ),
            (
                r#"{"format":"arena","game":"dots","players":[{"rating":1e9}]}"#.to_owned(),
                "a rating is too large",
            ),
            (
                game(r#"{"first":0,"second":0,"winner":1}"#),
                "game 0: a player against the same player",
            ),
            (
                game(r#"{"first":0,"second":2,"winner":1}"#),
                "game 0: no such player",
            ),
            (
                game(r#"{"first":0,"second":1,"winner":3}"#),
                "game 0: the winner is 0, 1 or 2",
            ),
            (
                game(r#"{"first":0,"second":1,"winner":0,"forfeit":true}"#),
                "game 0: a forfeit has a winner",
            ),
            (
                game(
                    r#"{"first":0,"second":1,"winner":1,"round":1},{"first":1,"second":0,"winner":1,"round":1}"#,
                ),
                "round 1: a player plays twice",
            ),
        ] {
            let answers = run(&format!("\n{record}\n{}\n", game("")));
            let (first, second) = answers.split_once('\n').unwrap();
            assert_eq!(
                first,
                format!(r#"{{"error":{{"line":2,"reason":"{reason}"}}}}"#)
            );
            assert!(second.starts_with(r#"{"standings":"#), "{second}");
        }
        let setup = r#"{"format":"arena","game":"dots","setup":{"width":900},"players":[]}"#;
        assert!(
            run(setup).contains(r#""reason":"setup: "#),
            "{}",
            run(setup)
        );
    }
}
