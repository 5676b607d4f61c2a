//! Conditional moves: the lines by which a player answers moves of the opponent that have not been made yet.

use super::{Match, Ply};
use serde::{Deserialize, Serialize};
use tochki_rules::{MoveError, Position, Seat};

/// Lines of moves of both sides in the true order of turns, each from the same position, in which the opponent is to move. Passes
/// are no moves of a line. Two lines that begin alike have the same answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ConditionalMoves(Vec<Vec<String>>);

/// The error that a line cannot be played, and the place where; both numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InvalidLine {
    /// The line.
    pub line: usize,
    /// The ply of the line. It is the length of a line that ends too early.
    pub ply: usize,
}

/// The next step of a player who has made conditional moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionalStep {
    /// The opponent is to move.
    Wait,
    /// The player answers with this move.
    Play(String),
    /// No line goes on from here.
    Over,
}

impl ConditionalMoves {
    /// The most lines.
    pub const MAX_LINES: usize = 30;

    /// The most moves of a line.
    pub const MAX_PLIES: usize = 30;

    /// Reads the lines that a player makes while the opponent is to move. Moves are kept in their canonical text form, and a line
    /// that is the beginning of another one is left out.
    ///
    /// # Errors
    ///
    /// The first place of a line at which it is too long, is no legal move, gives another answer than an earlier line, or ends though
    /// the player is to move or has not answered.
    pub fn read(lines: &[Vec<String>], game: &Match, player: Seat) -> Result<Self, InvalidLine> {
        if lines.len() > Self::MAX_LINES {
            let line = Self::MAX_LINES;
            return Err(InvalidLine { line, ply: 0 });
        }
        if game.to_move() != Some(player.other()) {
            return Err(InvalidLine { line: 0, ply: 0 });
        }
        let mut read: Vec<Vec<String>> = Vec::with_capacity(lines.len());
        for (line, moves) in lines.iter().enumerate() {
            let played = play_line(moves, game.position(), player);
            let (moves, own) = played.map_err(|ply| InvalidLine { line, ply })?;
            for other in &read {
                let common = common_len(other, &moves);
                // Where both go on and the player is to move, the player would have two answers.
                if common < other.len() && common < moves.len() && own[common] {
                    return Err(InvalidLine { line, ply: common });
                }
            }
            if read.iter().any(|other| other.starts_with(&moves)) {
                continue;
            }
            read.retain(|other| !moves.starts_with(other));
            read.push(moves);
        }
        Ok(Self(read))
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[Vec<String>] {
        &self.0
    }

    /// Returns whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines that go on after these moves, from there on.
    #[must_use]
    pub fn after(&self, plies: &[Ply]) -> Self {
        let made: Vec<String> = plies.iter().map(|ply| ply.mv.to_string()).collect();
        let rest = self.0.iter().filter_map(|line| line.strip_prefix(&*made));
        Self(
            rest.filter(|line| !line.is_empty())
                .map(<[_]>::to_vec)
                .collect(),
        )
    }

    /// Returns the next step of the player in a match in which so many moves had been made when the lines were.
    pub fn next_step(&self, game: &Match, root: usize, player: Seat) -> ConditionalStep {
        let Some(made) = game.plies().get(root..) else {
            // Moves from before the lines have been taken back.
            return ConditionalStep::Over;
        };
        let rest = self.after(made);
        match (game.to_move(), rest.0.first()) {
            (Some(seat), Some(_)) if seat != player => ConditionalStep::Wait,
            (Some(_), Some(line)) => ConditionalStep::Play(line[0].clone()),
            _ => ConditionalStep::Over,
        }
    }
}

/// Plays a line. Returns its moves in their canonical text form, and whether each is of the player; or the ply at which it cannot be
/// played.
fn play_line(
    moves: &[String],
    from: &Position,
    player: Seat,
) -> Result<(Vec<String>, Vec<bool>), usize> {
    if moves.len() > ConditionalMoves::MAX_PLIES {
        return Err(ConditionalMoves::MAX_PLIES);
    }
    let mut position = from.clone();
    let mut played = Vec::with_capacity(moves.len());
    let mut own = Vec::with_capacity(moves.len());
    for (ply, mv) in moves.iter().enumerate() {
        let to_move = position.to_move().ok_or(ply)?;
        let mut make = || -> Result<String, MoveError> {
            let mv = position.parse_move(mv)?;
            position.play(mv)?;
            Ok(mv.to_string())
        };
        played.push(make().map_err(|_| ply)?);
        own.push(to_move == player);
    }
    // A line ends with an answer, and an own run is whole.
    let is_answered = own.last() == Some(&true);
    if is_answered && position.to_move() != Some(player) {
        Ok((played, own))
    } else {
        Err(moves.len())
    }
}

/// Returns the number of moves with which both lines begin.
fn common_len(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClientId, Command, Decision, Millis, OfferKind, Refusal, Terms, Timestamp};
    use tochki_rules::Setup;

    fn start(setup: &str, moves: &[&str]) -> Match {
        let setup: Setup = serde_json::from_str(setup).unwrap();
        let terms = Terms {
            setup,
            clock: crate::ClockRule::None,
            rated: false,
        };
        let mut game = Match::new(terms, Timestamp(0));
        play(&mut game, moves);
        game
    }

    fn play(game: &mut Match, moves: &[&str]) {
        for mv in moves {
            let command = Command::Move {
                seat: game.to_move().unwrap(),
                mv: (*mv).to_owned(),
                version: None,
                client_id: None::<ClientId>,
            };
            let Ok(Decision::Happens(events)) = game.decide(&command, Timestamp(1)) else {
                panic!("{mv} is refused");
            };
            for event in events {
                game.apply(&event).unwrap();
            }
        }
    }

    fn lines(lines: &[&[&str]]) -> Vec<Vec<String>> {
        let texts = |line: &&[&str]| line.iter().map(|mv| (*mv).to_owned()).collect();
        lines.iter().map(texts).collect()
    }

    const GOMOKU: &str = r#"{"game": "gomoku", "setup": {"size": 15, "rule": "freestyle"}}"#;

    const BOXES: &str = r#"{"game": "boxes", "setup": {"cols": 2, "rows": 2}}"#;

    #[test]
    fn the_opponents_move_is_answered_by_the_line_that_has_it() {
        let mut game = start(GOMOKU, &["7,7"]);
        let read = ConditionalMoves::read(
            &lines(&[
                &["8,8", "7,8", "7,9", "6,8"],
                &["8,8", "7,8"],
                &["6,6", "7,6"],
            ]),
            &game,
            Seat::First,
        )
        .unwrap();
        // The second line is a part of the first one.
        assert_eq!(read.lines().len(), 2);
        let step = |game: &Match| read.next_step(game, 1, Seat::First);
        assert_eq!(step(&game), ConditionalStep::Wait);
        play(&mut game, &["8,8"]);
        assert_eq!(step(&game), ConditionalStep::Play("7,8".to_owned()));
        play(&mut game, &["7,8"]);
        assert_eq!(step(&game), ConditionalStep::Wait);
        play(&mut game, &["7,9", "6,8"]);
        assert_eq!(step(&game), ConditionalStep::Over);
        let mut other = start(GOMOKU, &["7,7", "1,1"]);
        assert_eq!(step(&other), ConditionalStep::Over);
        play(&mut other, &["2,2"]);
        assert_eq!(step(&other), ConditionalStep::Over);
        assert_eq!(step(&start(GOMOKU, &[])), ConditionalStep::Over);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_place() {
        let game = start(GOMOKU, &["7,7"]);
        let long: Vec<String> = (0..31)
            .map(|at| format!("{},{}", at % 15, at / 15))
            .collect();
        let refused: &[(Vec<Vec<String>>, usize, usize)] = &[
            (lines(&[&["8,8", "7,7"]]), 0, 1),
            (lines(&[&["8,8", "8,9"], &["nonsense", "1,1"]]), 1, 0),
            (lines(&[&["8,8", "8,9"], &["8,8", "9,9"]]), 1, 1),
            (lines(&[&["8,8"]]), 0, 1),
            (lines(&[&[]]), 0, 0),
            (vec![long], 0, 30),
        ];
        for (tree, line, ply) in refused {
            let expected = InvalidLine {
                line: *line,
                ply: *ply,
            };
            let read = ConditionalMoves::read(tree, &game, Seat::First);
            assert_eq!(read, Err(expected), "{tree:?}");
        }
        let many = vec![lines(&[&["8,8", "8,9"]])[0].clone(); 31];
        assert!(ConditionalMoves::read(&many, &game, Seat::First).is_err());
        // It is the player's own turn.
        let own = lines(&[&["8,8", "8,9"]]);
        assert!(ConditionalMoves::read(&own, &game, Seat::Second).is_err());
    }

    #[test]
    fn an_answer_is_charged_to_no_clock_and_earns_nothing() {
        for clock in ["60+2", "25/300", "60~30x5", "3d", "3d+1d..7d"] {
            let mut game = start(GOMOKU, &[]);
            let terms = Terms {
                clock: clock.parse().unwrap(),
                ..*game.terms()
            };
            game = Match::new(terms, Timestamp(0));
            let answer = Command::Answer {
                seat: Seat::First,
                mv: "7,7".to_owned(),
                version: 0,
                due_at: Timestamp(20_000),
                client_id: Some("if-0".parse().unwrap()),
            };
            let before = game.clock().unwrap();
            let Ok(Decision::Happens(events)) = game.decide(&answer, Timestamp(20_000)) else {
                panic!("{clock}");
            };
            for event in &events {
                game.apply(event).unwrap();
            }
            let after = game.clock().unwrap();
            assert_eq!(after.left, before.left, "{clock}");
            assert_eq!(after.running, Some(Seat::Second), "{clock}");
            let again = game.decide(&answer, Timestamp(30_000));
            assert_eq!(again, Ok(Decision::AlreadyDone(1)), "{clock}");
        }
    }

    /// A match with this clock in which both have moved at its start, and the first side answers.
    fn begun(clock: &str) -> Match {
        let mut game = start(GOMOKU, &[]);
        let terms = Terms {
            clock: clock.parse().unwrap(),
            ..*game.terms()
        };
        game = Match::new(terms, Timestamp(0));
        play(&mut game, &["7,7", "1,1"]);
        game
    }

    fn answer(version: u32, due_at: Timestamp) -> Command {
        Command::Answer {
            seat: Seat::First,
            mv: "8,8".to_owned(),
            version,
            due_at,
            client_id: None,
        }
    }

    #[test]
    fn a_take_back_of_an_answer_costs_no_increment() {
        let mut game = begun("3d+1d..7d");
        let seconds = |seconds: u32| Timestamp(0) + Millis::from_secs(seconds);
        let before = game.clock().unwrap().left;
        happen(&mut game, &answer(2, seconds(10)), seconds(10)).unwrap();
        let offer = Command::Offer {
            seat: Seat::Second,
            kind: OfferKind::Takeback,
        };
        happen(&mut game, &offer, seconds(20)).unwrap();
        let accepted = Command::AnswerOffer {
            seat: Seat::First,
            accept: true,
            offer: None,
        };
        happen(&mut game, &accepted, seconds(30)).unwrap();
        assert_eq!(game.plies().len(), 1);
        let left = game.clock().unwrap().left;
        assert_eq!(left[0], before[0], "the answer had gained nothing");
        let lost = Millis::from_hours(24) + Millis::from_secs(20);
        assert_eq!(left[1], before[1] - lost, "the other move an increment");
    }

    fn happen(game: &mut Match, command: &Command, now: Timestamp) -> Result<(), Refusal> {
        let Decision::Happens(events) = game.decide(command, now)? else {
            panic!("it was done before");
        };
        for event in &events {
            game.apply(event).unwrap();
        }
        Ok(())
    }

    #[test]
    fn an_offer_suspends_an_answer_and_who_thinks_meanwhile_is_charged() {
        let hours = |hours: u32| Timestamp(0) + Millis::from_hours(hours);
        for (offers, ends) in [
            (Seat::First, Command::CancelOffer { seat: Seat::First }),
            (
                Seat::Second,
                Command::AnswerOffer {
                    seat: Seat::First,
                    accept: false,
                    offer: None,
                },
            ),
        ] {
            let mut game = begun("3d+1d..7d");
            let before = game.clock().unwrap().left[0];
            let offer = Command::Offer {
                seat: offers,
                kind: OfferKind::Draw,
            };
            happen(&mut game, &offer, Timestamp(2_000)).unwrap();
            let board = game.board_version();
            let late = answer(board, Timestamp(15_000));
            assert_eq!(
                happen(&mut game, &late, Timestamp(15_000)),
                Err(Refusal::OfferOpen)
            );
            happen(&mut game, &ends, hours(70)).unwrap();
            let due_at = hours(70) + Millis::from_secs(20);
            // The server is late, which is nobody's.
            happen(&mut game, &answer(board, due_at), hours(71)).unwrap();
            let charged = due_at - Timestamp(1);
            let left = game.clock().unwrap().left[0];
            assert_eq!(left, before - charged + Millis::from_hours(24));
            assert_eq!(game.clock().unwrap().at, hours(71), "of the other side");
        }
        // One that ends at once costs nothing.
        let mut game = begun("3d+1d..7d");
        let before = game.clock().unwrap().left[0];
        let offer = Command::Offer {
            seat: Seat::First,
            kind: OfferKind::Draw,
        };
        happen(&mut game, &offer, Timestamp(2_000)).unwrap();
        let cancel = Command::CancelOffer { seat: Seat::First };
        happen(&mut game, &cancel, Timestamp(4_000)).unwrap();
        let board = game.board_version();
        happen(&mut game, &answer(board, Timestamp(24_000)), hours(1)).unwrap();
        assert_eq!(game.clock().unwrap().left[0], before);
    }

    #[test]
    fn an_answer_is_to_the_board_that_it_names() {
        let mut game = begun("3d");
        let board = game.board_version();
        for version in [board - 1, board + 1] {
            let other = answer(version, Timestamp(2_000));
            let refused = happen(&mut game, &other, Timestamp(2_000));
            assert_eq!(refused, Err(Refusal::Stale));
        }
        happen(
            &mut game,
            &answer(board, Timestamp(2_000)),
            Timestamp(2_000),
        )
        .unwrap();
    }

    #[test]
    fn an_own_run_is_whole() {
        // The left upper box lacks one line; whoever draws it moves again.
        let game = start(BOXES, &["h:0,0", "v:0,0", "v:1,0"]);
        assert_eq!(game.to_move(), Some(Seat::Second));
        let first = Seat::First;
        let open = lines(&[&["h:1,2", "h:0,1"]]);
        let expected = Err(InvalidLine { line: 0, ply: 2 });
        assert_eq!(ConditionalMoves::read(&open, &game, first), expected);
        let whole = lines(&[&["h:1,2", "h:0,1", "h:0,2"]]);
        let read = ConditionalMoves::read(&whole, &game, first).unwrap();
        let mut game = game;
        play(&mut game, &["h:1,2", "h:0,1"]);
        let step = read.next_step(&game, 3, first);
        assert_eq!(step, ConditionalStep::Play("h:0,2".to_owned()));
    }
}
