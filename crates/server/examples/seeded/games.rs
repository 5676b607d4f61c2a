//! Templates of games: legal random moves, with the events that the server would have stored.

use crate::rng::Rng;
use tochki_play::{ClockRule, Command, Decision, Match, Terms, Timestamp};
use tochki_rules::{GameKind, Setup};

/// The number of templates of each game, and their length.
const DIFFERENT: usize = 100;
const LONGEST: usize = 60;

/// The moves of a game.
pub(crate) struct Game {
    pub(crate) moves: Vec<Moved>,
}

/// A move as it is stored, and the score after it.
pub(crate) struct Moved {
    pub(crate) seat: u8,
    pub(crate) body: String,
    pub(crate) score: [u32; 2],
}

/// Games of each kind, in their order.
pub(crate) fn templates(rng: &mut Rng) -> Vec<Vec<Game>> {
    let of_kind = |&kind: &GameKind| (0..DIFFERENT).map(|_| game(kind, rng)).collect();
    GameKind::ALL.iter().map(of_kind).collect()
}

/// The setups: the defaults, except for Boxes, which would end too soon.
pub(crate) fn setup(kind: GameKind) -> Setup {
    let larger = serde_json::json!({ "cols": 8, "rows": 8 });
    match kind {
        GameKind::Boxes => Setup::parse(kind, Some(&larger)).expect("a board of Boxes"),
        _ => kind.default_setup(),
    }
}

fn game(kind: GameKind, rng: &mut Rng) -> Game {
    let terms = Terms {
        setup: setup(kind),
        clock: ClockRule::None,
        rated: true,
    };
    let (_, moves) = play(terms, Timestamp(0), LONGEST, rng);
    Game { moves }
}

/// Plays random legal moves, all of them at the same time. The game stops before the move that would end it by the rules.
pub(crate) fn play(terms: Terms, at: Timestamp, most: usize, rng: &mut Rng) -> (Match, Vec<Moved>) {
    let mut game = Match::new(terms, at);
    let mut moves = Vec::new();
    while moves.len() < most {
        let Some(seat) = game.position().to_move() else {
            break;
        };
        let command = Command::Move {
            seat,
            mv: random_point(terms.setup.kind(), rng),
            version: None,
            client_id: None,
        };
        // Most random moves are illegal, but there is always a legal one.
        let Ok(Decision::Happens(events)) = game.decide(&command, at) else {
            continue;
        };
        if events.len() > 1 {
            break;
        }
        for event in &events {
            game.apply(event).expect("what was decided can happen");
            moves.push(Moved {
                seat: seat.number(),
                body: event.encode().expect("an event is JSON").body,
                score: game.score(),
            });
        }
    }
    (game, moves)
}

fn random_point(kind: GameKind, rng: &mut Rng) -> String {
    match kind {
        // Near the middle, so that there are captures.
        GameKind::Dots => format!("{},{}", 14 + rng.below(10), 11 + rng.below(10)),
        GameKind::Gomoku => format!("{},{}", rng.below(19), rng.below(19)),
        GameKind::Reversi => format!("{},{}", rng.below(8), rng.below(8)),
        GameKind::Boxes => {
            let side = if rng.unit() < 0.5 { 'h' } else { 'v' };
            format!("{side}:{},{}", rng.below(9), rng.below(9))
        }
    }
}
