//! Lines of JSON, one for each game, as `tochki export` writes and `tochki replay` reads them, with the other facts of a record:
//!
//! ```text
//! {"game":"boxes","setup":{"cols":3,"rows":3},"moves":["h:0,0","v:0,0"],"seats":[1,2],"players":["ann","bob"],"result":"B+R"}
//! ```
//!
//! Of the moves, the first `start` were on the board before the game. A record with variations has its main line here.

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::point_text::next_line;
use crate::text_source::{Line, TextSource};
use crate::{GameRecord, Placed, RecordError, StopReason, date};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::io::Read;
use tochki_rules::record::{GameResult, WinReason};
use tochki_rules::{GameKind, Seat, Setup};

/// Reads a game from each line.
pub(crate) struct Reader<R>(TextSource<R>);

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        TextSource::open(input).map(Self)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_line(&mut self.0).transpose().map(|line| game(&line?))
    }
}

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    game: Cow<'a, str>,
    setup: Option<Value>,
    #[serde(borrow)]
    moves: Vec<Written<'a>>,
    seats: Option<Vec<Seat>>,
    start: Option<usize>,
    times: Option<Vec<Option<u64>>>,
    players: Option<[Option<String>; 2]>,
    ranks: Option<[Option<String>; 2]>,
    event: Option<String>,
    round: Option<String>,
    site: Option<String>,
    date: Option<String>,
    rules: Option<String>,
    result: Option<String>,
    comment: Option<String>,
    // What an exported game has in the place of date and result.
    started_at: Option<i64>,
    winner: Option<u8>,
    reason: Option<String>,
}

/// A written move. The wrapper lets it borrow from its line.
#[derive(Deserialize)]
struct Written<'a>(#[serde(borrow)] Cow<'a, str>);

fn game(line: &Line) -> Result<GameRecord, RecordError> {
    let text = line.text.trim_start_matches('\u{feff}');
    let expected = |error: serde_json::Error| {
        let at = text.get(..error.column().saturating_sub(1)).unwrap_or(text);
        let place = line.place_of(text).after(at);
        ErrorKind::Expected("a game as a line of JSON").at(place)
    };
    let input: Input = serde_json::from_str(text).map_err(expected)?;
    let kind: GameKind = (input.game.parse()).map_err(|_| {
        ErrorKind::OtherGame(input.game.chars().take(40).collect()).at(line.place())
    })?;
    let setup = Setup::parse(kind, input.setup.as_ref())
        .map_err(|error| ErrorKind::Unsupported(error.to_string()).at(line.place()))?;
    let seats = input.seats.as_deref();
    if seats.is_some_and(|seats| seats.len() != input.moves.len()) {
        return Err(ErrorKind::Expected("as many seats as moves").at(line.place()));
    }
    let mut builder = Builder::line(setup);
    let start = input.start.unwrap_or_default();
    if start > 0 && kind == GameKind::Reversi {
        return Err(ErrorKind::Unsupported("a start of its own".to_owned()).at(line.place()));
    }
    for (number, Written(written)) in input.moves.iter().enumerate() {
        let seat = seats.map_or(builder.turn(), |seats| seats[number]);
        let time = input.times.as_ref().and_then(|times| *times.get(number)?);
        let mv = builder.position().parse_move(written);
        let turn = builder.position().to_move();
        let played = mv.map_err(Into::into).and_then(|mv| {
            // A side that has no move is passed over; nobody else moves twice.
            if kind == GameKind::Reversi && turn == Some(seat.other()) {
                return Err(StopReason::OutOfTurn);
            }
            let placed = Placed { seat, mv };
            if number < start {
                builder.place(placed)
            } else {
                builder.play_as(placed, time)
            }
        });
        if let Err(why) = played {
            let place = line.place_of(written);
            if number < start {
                builder.stop_before_moves(why, place);
            } else {
                builder.stop(why, place);
            }
            break;
        }
    }
    let record = &mut builder.record;
    let texts = |texts: Option<[Option<String>; 2]>| {
        texts.unwrap_or_default().map(Option::unwrap_or_default)
    };
    let (names, ranks) = (texts(input.players), texts(input.ranks));
    for (player, (name, rank)) in record.players.iter_mut().zip(names.into_iter().zip(ranks)) {
        (player.name, player.rank) = (name, rank);
    }
    record.event = input.event.unwrap_or_default();
    record.round = input.round.unwrap_or_default();
    record.site = input.site.unwrap_or_default();
    record.rules = input.rules.unwrap_or_default();
    record.comment = input.comment.unwrap_or_default();
    let started = input
        .started_at
        .and_then(|millis| u64::try_from(millis).ok());
    record.date = match (input.date, started) {
        (Some(date), _) => date,
        (None, Some(millis)) => date::of_seconds(millis / 1000),
        (None, None) => String::new(),
    };
    record.result = match (input.result, input.reason) {
        (Some(result), _) => GameResult::parse(&result),
        (None, Some(reason)) => exported_result(input.winner, &reason),
        (None, None) => None,
    };
    Ok(builder.finish())
}

/// The result of an exported game.
fn exported_result(winner: Option<u8>, reason: &str) -> Option<GameResult> {
    let how = match reason {
        "aborted" | "annulled" => return None,
        "resigned" => WinReason::Resignation,
        "time" => WinReason::Time,
        "absence" => WinReason::Forfeit,
        _ => WinReason::Unknown,
    };
    match winner {
        None | Some(0) => Some(GameResult::Draw),
        Some(number) => {
            let by = Seat::try_from(number).ok()?;
            Some(GameResult::Won { by, how })
        }
    }
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    setup: Setup,
    moves: Vec<String>,
    seats: Vec<Seat>,
    #[serde(skip_serializing_if = "is_zero")]
    start: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Vec<Option<u64>>>,
    players: [&'a str; 2],
    #[serde(skip_serializing_if = "are_empty")]
    ranks: [&'a str; 2],
    #[serde(skip_serializing_if = "str::is_empty")]
    event: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    round: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    site: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    date: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    rules: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

// serde gives references.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn are_empty(texts: &[&str; 2]) -> bool {
    texts.iter().all(|text| text.is_empty())
}

/// Writes a game as a line.
pub(crate) fn write(text: &mut String, record: &GameRecord) {
    let start = record.start.iter().copied();
    let main_line = record.main_line();
    let moves = main_line.iter().map(|mv| Placed {
        seat: mv.seat,
        mv: mv.mv,
    });
    let all: Vec<Placed> = start.chain(moves).collect();
    let has_times = main_line.iter().any(|mv| mv.time.is_some());
    let times = || {
        let before = record.start.iter().map(|_| None);
        before.chain(main_line.iter().map(|mv| mv.time)).collect()
    };
    let [first, second] = &record.players;
    let output = Output {
        setup: record.setup,
        moves: all.iter().map(|placed| placed.mv.to_string()).collect(),
        seats: all.iter().map(|placed| placed.seat).collect(),
        start: record.start.len(),
        times: has_times.then(times),
        players: [&first.name, &second.name],
        ranks: [&first.rank, &second.rank],
        event: &record.event,
        round: &record.round,
        site: &record.site,
        date: &record.date,
        rules: &record.rules,
        result: record.result.map(|result| result.to_string()),
        comment: &record.comment,
    };
    // Texts, numbers and lists can be written.
    text.push_str(&serde_json::to_string(&output).unwrap_or_default());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Options, Writer, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::Json, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    fn written(record: &GameRecord) -> String {
        let mut writer = Writer::new(Form::Json, Vec::new());
        writer.write(record).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn a_line_is_a_game_and_reads_back() {
        for line in [
            r#"{"game":"boxes","setup":{"cols":3,"rows":3},"moves":["h:0,0","v:0,0"],"seats":[1,2],"players":["ann","bob"],"ranks":["1600",""],"event":"e","round":"1","site":"s","date":"2026-11-27","rules":"r","result":"B+R","comment":"a\nb"}"#,
            r#"{"game":"dots","setup":{"width":9,"height":8,"start":"empty"},"moves":["0,0","1,1","2,2"],"seats":[2,2,1],"start":1,"times":[null,1500,null],"players":["",""]}"#,
        ] {
            let game = all(line).remove(0).unwrap();
            assert_eq!(written(&game), format!("{line}\n"));
        }
    }

    #[test]
    fn an_exported_game_is_read() {
        let line = r#"{"match":"x","game":"reversi","setup":{},"moves":["5,4"],"seats":[1],"players":["ann",null],"started_at":951782400000,"winner":2,"reason":"resigned"}"#;
        let game = all(line).remove(0).unwrap();
        assert_eq!(
            (&*game.date, game.result.unwrap().to_string()),
            ("2000-02-29", "W+R".into())
        );
        assert_eq!(game.players[0].name, "ann");
        assert_eq!(exported_result(None, "agreed_draw"), Some(GameResult::Draw));
        assert_eq!(exported_result(None, "aborted"), None);
    }

    #[test]
    fn faults_have_their_place() {
        for (line, fault) in [
            ("{", "line 2, column 2: expected a game as a line of JSON"),
            (
                r#"{"game":"chess","moves":[]}"#,
                "line 2, column 1: a record of another game (chess)",
            ),
            (
                r#"{"game":"dots","setup":{"width":51},"moves":[]}"#,
                "line 2, column 1: not read: width and height are 1 to 50",
            ),
            (
                r#"{"game":"dots","moves":[],"seats":[1]}"#,
                "line 2, column 1: expected as many seats as moves",
            ),
            (
                r#"{"game":"reversi","moves":["4,5"],"start":1}"#,
                "line 2, column 1: not read: a start of its own",
            ),
        ] {
            let text = format!("\n{line}\n{{\"game\":\"dots\",\"moves\":[]}}");
            let mut games = all(&text);
            assert_eq!(games.len(), 2);
            let error = games.remove(0).unwrap_err().to_string();
            // serde_json counts the end of a text in its own way.
            assert_eq!(
                error.replace("column 1: expected a game", "column 2: expected a game"),
                fault
            );
        }
        let game = all(r#"{"game":"gomoku","moves":["1,1","x"]}"#)
            .remove(0)
            .unwrap();
        assert_eq!(
            game.stop.unwrap().to_string(),
            "line 1, column 34: move 2 cannot be played (malformed_move)"
        );
        let game = all(r#"{"game":"reversi","moves":["5,4","5,5"],"seats":[1,1]}"#)
            .remove(0)
            .unwrap();
        assert_eq!(
            game.stop.unwrap().to_string(),
            "line 1, column 35: move 2 cannot be played (out_of_turn)"
        );
    }

    #[test]
    fn nesting_needs_no_stack() {
        let nested = "[".repeat(100_000) + &"]".repeat(100_000);
        let text = format!(
            "{{\"game\":\"dots\",\"moves\":[],\"setup\":{nested}}}\n{{\"game\":\"dots\",\"moves\":[],\"more\":{nested}}}"
        );
        let games = all(&text);
        assert!(games[0].is_err());
        assert_eq!(games.len(), 2);
    }
}
