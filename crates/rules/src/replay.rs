//! Replays of game records by the rules: the pure part of `tochki replay`.
//!
//! Input and output have one JSON object a line, so that a record can be checked without a server. The module knows nothing of
//! matches, of clocks or of players.

use crate::{Ending, GameKind, MoveError, Position, Seat, Setup, dots::Dots};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
};

/// Replays every record of `input` and writes one line for each; blank lines are skipped.
///
/// A record is `{"game": "dots", "setup": {…}, "moves": ["5,5", …], "seats": [1, 2, …]}`. An omitted field of the setup, or an
/// omitted setup, takes the default; a board may be smaller than a match allows. `seats` may be omitted, too; if given, it names
/// the seat of each move, out of turn if need be, and has an entry for each move. Other fields are ignored.
///
/// The answer is `{"score": [[a, b], …], "captured": [[x, y, owner], …], "to_move": 1|2|null, "outcome": null | {"winner":
/// 0|1|2, "reason": "board_full"}}` with the score after each move. `captured` is there for Dots only: the dead dots, row
/// by row from the top and from left to right, with the seat that holds them. When `quiet`, it is only the last score,
/// `a:b`, which is the score at the start if there is no move.
///
/// A record that cannot be replayed gets `{"error": {"ply": n, "reason": "…"}}`, also when `quiet`, and the next one is
/// read. `ply` is the move at fault, from 0. Reasons are `malformed_record` (not JSON, not UTF-8, a field that is missing
/// or of the wrong type, another number of seats than of moves), `unknown_game`, `invalid_setup`, `finished` for any move
/// after the rules have ended the game, `malformed_move`, and those of [`crate::Illegal`].
///
/// # Errors
///
/// Only those of reading `input` and of writing to `output`.
pub fn replay(mut input: impl BufRead, mut output: impl Write, quiet: bool) -> io::Result<()> {
    let mut line = Vec::new();
    let mut replayed = Replayed::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii();
        if !text.is_empty() {
            match replayed.replay(text) {
                Ok(()) if quiet => {
                    let [first, second] = replayed.position.score();
                    write!(output, "{first}:{second}")?;
                }
                Ok(()) => serde_json::to_writer(&mut output, &replayed.answer())?,
                Err(error) => serde_json::to_writer(&mut output, &Failure { error })?,
            }
            output.write_all(b"\n")?;
        }
        line.clear();
    }
    output.flush()
}

/// A record of the input.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    game: Cow<'a, str>,
    setup: Option<Value>,
    #[serde(borrow)]
    moves: Vec<Written<'a>>,
    seats: Option<Vec<Seat>>,
}

/// A written move. The wrapper lets it borrow from its input line.
#[derive(Deserialize)]
struct Written<'a>(#[serde(borrow)] Cow<'a, str>);

/// The record replayed last. The next record mostly has the same setup, and then needs no new memory.
struct Replayed {
    position: Position,
    /// The score after each move.
    score: Vec<[u32; 2]>,
}

impl Replayed {
    fn new() -> Self {
        Self {
            position: Position::new(&GameKind::Dots.default_setup()),
            score: Vec::new(),
        }
    }

    fn replay(&mut self, text: &[u8]) -> Result<(), Fault> {
        let record: Record = serde_json::from_slice(text).map_err(|_| Fault::MALFORMED)?;
        let kind: GameKind = record
            .game
            .parse()
            .map_err(|_| Fault::at(0, "unknown_game"))?;
        let setup =
            Setup::parse(kind, record.setup.as_ref()).map_err(|_| Fault::at(0, "invalid_setup"))?;
        let seats = record.seats.as_deref();
        if seats.is_some_and(|seats| seats.len() != record.moves.len()) {
            return Err(Fault::MALFORMED);
        }
        self.start(setup);
        for (ply, mv) in record.moves.iter().enumerate() {
            let seat = seats.map(|seats| seats[ply]);
            self.play(seat, &mv.0)
                .map_err(|reason| Fault::at(ply, reason))?;
        }
        Ok(())
    }

    fn start(&mut self, setup: Setup) {
        self.score.clear();
        if self.position.setup() == setup {
            self.position.restart();
        } else {
            self.position = Position::new(&setup);
        }
    }

    fn play(&mut self, seat: Option<Seat>, mv: &str) -> Result<(), &'static str> {
        let turn = self.position.to_move().ok_or("finished")?;
        let mv = self.position.parse_move(mv).map_err(MoveError::code)?;
        self.position
            .play_as(seat.unwrap_or(turn), mv)
            .map_err(MoveError::code)?;
        self.score.push(self.position.score());
        Ok(())
    }

    fn answer(&self) -> Answer<'_> {
        Answer {
            score: &self.score,
            captured: match &self.position {
                Position::Dots(dots) => Some(Captured(dots)),
                Position::Boxes(_) | Position::Gomoku(_) | Position::Reversi(_) => None,
            },
            to_move: self.position.to_move(),
            outcome: self.position.outcome().map(|outcome| Ended {
                winner: outcome.winner.map_or(0, Seat::number),
                reason: outcome.ending,
            }),
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    score: &'a [[u32; 2]],
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<Captured<'a>>,
    to_move: Option<Seat>,
    outcome: Option<Ended>,
}

/// The dead dots, each as `[x, y, owner]`.
struct Captured<'a>(&'a Dots);

impl Serialize for Captured<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(
            self.0
                .dead_dots()
                .map(|(point, holder)| [point.x, point.y, holder.number()]),
        )
    }
}

#[derive(Serialize)]
struct Ended {
    /// 0 is a draw.
    winner: u8,
    reason: Ending,
}

#[derive(Serialize)]
struct Failure {
    error: Fault,
}

/// The reason why a record cannot be replayed, and the move at fault.
#[derive(Serialize)]
struct Fault {
    ply: usize,
    reason: &'static str,
}

impl Fault {
    const MALFORMED: Self = Self::at(0, "malformed_record");

    const fn at(ply: usize, reason: &'static str) -> Self {
        Self { ply, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: impl AsRef<[u8]>, expected: &str) {
        let mut output = Vec::new();
        replay(input.as_ref(), &mut output, false).unwrap();
        assert_eq!(String::from_utf8(output).unwrap().trim_end(), expected);
    }

    #[track_caller]
    fn check_fault(input: impl AsRef<[u8]>, ply: usize, reason: &str) {
        check(
            input,
            &format!(r#"{{"error":{{"ply":{ply},"reason":"{reason}"}}}}"#),
        );
    }

    /// Red takes the blue dot in the middle of 3 × 3 points.
    const CAPTURE: &str = r#"{"game": "dots", "setup": {"width": 3, "height": 3},
        "moves": ["1,0", "1,1", "0,1", "0,0", "2,1", "2,0", "1,2"]}"#;

    fn capture() -> String {
        CAPTURE.replace('\n', "")
    }

    #[test]
    fn a_record_tells_its_scores_its_dead_and_who_moves() {
        check(
            capture(),
            r#"{"score":[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[1,0]],"captured":[[1,1,1]],"to_move":2,"outcome":null}"#,
        );
    }

    #[test]
    fn a_full_board_has_an_outcome() {
        let one = r#"{"game":"dots","setup":{"width":1,"height":1},"moves":["0,0"]}"#;
        let full = r#"{"winner":0,"reason":"board_full"}"#;
        check(
            one,
            &format!(r#"{{"score":[[0,0]],"captured":[],"to_move":null,"outcome":{full}}}"#),
        );

        let rest = r#""1,2", "0,2", "2,2"]"#;
        let mut output = Vec::new();
        replay(
            capture().replace(r#""1,2"]"#, rest).as_bytes(),
            &mut output,
            false,
        )
        .unwrap();
        let answer: Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(
            answer["outcome"],
            serde_json::json!({"winner": 1, "reason": "board_full"})
        );
        assert_eq!(answer["to_move"], Value::Null);
    }

    #[test]
    fn seats_may_move_out_of_turn() {
        check(
            r#"{"game":"dots","setup":{"width":3,"height":3},"moves":["1,0","0,1","2,1","1,2","1,1"],"seats":[2,2,2,2,1]}"#,
            r#"{"score":[[0,0],[0,0],[0,0],[0,0],[0,1]],"captured":[[1,1,2]],"to_move":2,"outcome":null}"#,
        );
    }

    #[test]
    fn what_is_left_out_takes_the_default() {
        let nothing_yet = r#"{"score":[],"captured":[],"to_move":1,"outcome":null}"#;
        for record in [
            r#"{"game":"dots","moves":[]}"#,
            r#"{"game":"dots","setup":null,"moves":[],"seats":null}"#,
            r#"{"game":"dots","setup":{},"moves":[],"seats":[]}"#,
            r#"{"game":"dots","setup":{"start":"cross"},"moves":[],"event":"a club evening"}"#,
        ] {
            check(record, nothing_yet);
        }
        check(
            r#"{"game":"dots","moves":["38,31"]}"#,
            r#"{"score":[[0,0]],"captured":[],"to_move":2,"outcome":null}"#,
        );
        check_fault(r#"{"game":"dots","moves":["39,31"]}"#, 0, "off_board");
        check_fault(
            r#"{"game":"dots","setup":{"start":"cross"},"moves":["19,15"]}"#,
            0,
            "occupied",
        );
    }

    #[test]
    fn a_fault_names_its_ply_and_its_reason() {
        let on = |moves: &str| {
            format!(r#"{{"game":"dots","setup":{{"width":3,"height":3}},"moves":[{moves}]}}"#)
        };
        check_fault(on(r#""0,0","0,0""#), 1, "occupied");
        check_fault(on(r#""0,0","-1,3""#), 1, "off_board");
        check_fault(on(r#""99999999999999999999,0""#), 0, "off_board");
        check_fault(on(r#""0,0","1,1","1;2""#), 2, "malformed_move");
        check_fault(capture().replace("1,2\"]", "1,2\",\"1,1\"]"), 7, "occupied");
        let house = r#"{"game":"dots","setup":{"width":4,"height":3},"seats":[1,1,1,1,1,1,2,1],"#;
        let entered = r#""moves":["1,0","2,0","0,1","3,1","1,2","2,2","1,1","2,1"]}"#;
        check_fault(format!("{house}{entered}"), 7, "captured_area");
        check_fault(
            r#"{"game":"dots","setup":{"width":1,"height":1},"moves":["0,0","0,0"]}"#,
            1,
            "finished",
        );
    }

    #[test]
    fn a_setup_is_an_object_of_known_fields_in_range() {
        for setup in [
            r#"{"width":0}"#,
            r#"{"width":51}"#,
            r#"{"height":-1}"#,
            r#"{"height":99999999999999999999}"#,
            r#"{"width":"39"}"#,
            r#"{"width":39.5}"#,
            r#"{"start":"crosses"}"#,
            r#"{"width":9,"start":"four_crosses"}"#,
            r#"{"colour":"red"}"#,
            r"[39,32]",
            r#""39x32""#,
        ] {
            check_fault(
                format!(r#"{{"game":"dots","setup":{setup},"moves":[]}}"#),
                0,
                "invalid_setup",
            );
        }
        check_fault(r#"{"game":"chess","moves":[]}"#, 0, "unknown_game");
    }

    #[test]
    fn a_broken_line_is_told_and_the_next_is_read() {
        for broken in [
            &b"chess"[..],
            b"{",
            b"[]",
            b"{}",
            b"{\"game\":\"dots\"}",
            b"{\"game\":\"dots\",\"moves\":[5]}",
            b"{\"game\":\"dots\",\"moves\":[\"\xff\"]}",
            b"\xff\xfe",
            b"{\"game\":\"dots\",\"moves\":[\"1,1\"],\"seats\":[]}",
            b"{\"game\":\"dots\",\"moves\":[\"1,1\"],\"seats\":[3]}",
        ] {
            check_fault(broken, 0, "malformed_record");
        }
        let input = format!("{}\n\n  \r\nnonsense\r\n{}", capture(), capture());
        let mut output = Vec::new();
        replay(input.as_bytes(), &mut output, true).unwrap();
        let fault = r#"{"error":{"ply":0,"reason":"malformed_record"}}"#;
        assert_eq!(
            String::from_utf8(output).unwrap(),
            format!("1:0\n{fault}\n1:0\n")
        );
    }

    #[test]
    fn a_quiet_game_without_moves_has_the_score_of_its_start() {
        let mut output = Vec::new();
        replay(&br#"{"game":"dots","moves":[]}"#[..], &mut output, true).unwrap();
        assert_eq!(output, b"0:0\n");
    }

    #[test]
    fn boxes_go_to_whoever_closes_them() {
        let one = r#"{"game":"boxes","setup":{"cols":1,"rows":1},"moves":["h:0,0","v:0,0","h:0,1","v:1,0"]}"#;
        check(
            one,
            r#"{"score":[[0,0],[0,0],[0,0],[0,1]],"to_move":null,"outcome":{"winner":2,"reason":"all_boxes"}}"#,
        );
        check(
            r#"{"game":"boxes","moves":["h:0,0","v:0,0","h:0,1","v:1,0"]}"#,
            r#"{"score":[[0,0],[0,0],[0,0],[0,1]],"to_move":2,"outcome":null}"#,
        );
        let on = |moves: &str| format!(r#"{{"game":"boxes","moves":[{moves}]}}"#);
        check_fault(on(r#""v:3,0","v:3,0""#), 1, "already_drawn");
        check_fault(on(r#""h:3,0""#), 0, "off_board");
        check_fault(on(r#""v:0,3""#), 0, "off_board");
        check_fault(on(r#""h:-1,0""#), 0, "off_board");
        check_fault(on(r#""0,0""#), 0, "malformed_move");
        check_fault(
            one.replace(r#""v:1,0"]"#, r#""v:1,0","h:0,0"]"#),
            4,
            "finished",
        );
        check_fault(
            r#"{"game":"boxes","setup":{"cols":11},"moves":[]}"#,
            0,
            "invalid_setup",
        );
    }

    #[test]
    fn five_in_a_row_is_one_point() {
        let five = r#"{"game":"gomoku","setup":{"size":5},"seats":[2,2,2,2,2],"moves":["0,0","1,1","2,2","3,3","4,4"]}"#;
        check(
            five,
            r#"{"score":[[0,0],[0,0],[0,0],[0,0],[0,1]],"to_move":null,"outcome":{"winner":2,"reason":"five_in_row"}}"#,
        );
        let on = |moves: &str| format!(r#"{{"game":"gomoku","moves":[{moves}]}}"#);
        check_fault(on(r#""18,18","18,18""#), 1, "occupied");
        check_fault(on(r#""19,0""#), 0, "off_board");
        check_fault(on(r#""d""#), 0, "malformed_move");
        let after = five
            .replace(r#""4,4"]"#, r#""4,4","0,1"]"#)
            .replace("2]", "2,1]");
        check_fault(after, 5, "finished");
        check_fault(
            r#"{"game":"gomoku","setup":{"rule":"renju"},"moves":[]}"#,
            0,
            "invalid_setup",
        );
    }

    #[test]
    fn discs_are_the_score_and_a_side_without_a_move_is_passed_over() {
        check(
            r#"{"game":"reversi","moves":["d3","2,2","E6","d2","d1","e1","b2","c1"]}"#,
            r#"{"score":[[4,1],[3,3],[5,2],[4,4],[8,1],[7,3],[9,2],[8,4]],"to_move":2,"outcome":null}"#,
        );
        let on = |moves: &str| format!(r#"{{"game":"reversi","setup":{{}},"moves":[{moves}]}}"#);
        check_fault(on(r#""d4""#), 0, "occupied");
        check_fault(on(r#""d3","e3","a1""#), 2, "flips_nothing");
        check_fault(on(r#""i9""#), 0, "off_board");
        check_fault(on(r#""h:0,0""#), 0, "malformed_move");
        check_fault(
            r#"{"game":"reversi","setup":{"size":8},"moves":[]}"#,
            0,
            "invalid_setup",
        );

        let mut output = Vec::new();
        replay(on("").as_bytes(), &mut output, true).unwrap();
        assert_eq!(output, b"2:2\n");
    }

    #[test]
    fn records_nested_a_million_deep_are_malformed() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let nested = open.repeat(1_000_000) + "1" + &close.repeat(1_000_000);
            let malformed = r#"{"error":{"ply":0,"reason":"malformed_record"}}"#;
            check(&nested, malformed);
            check(
                format!(r#"{{"game":"dots","moves":[],"setup":{nested}}}"#),
                malformed,
            );
            // What is ignored is skipped without recursion.
            let ignored = format!(r#"{{"game":"gomoku","moves":[],"more":{nested}}}"#);
            check(ignored, r#"{"score":[],"to_move":1,"outcome":null}"#);
        }
    }
}
