//! Properties of every game of the arena, checked on random games.

use super::{Game, Illegal, Seat};
use proptest::prelude::*;
use proptest::sample::Index;
use std::fmt::Debug;

/// A game that can list its moves, so that they can be drawn by lot.
pub(super) trait ListMoves:
    Game<Setup: Debug, Move: PartialEq + Debug, Change: PartialEq + Debug> + PartialEq + Debug
{
    /// The moves that a side may play, whoever's turn it is, as long as the game goes on.
    fn moves(&self, seat: Seat) -> Vec<Self::Move>;

    /// All moves on the board, and some beyond its edge.
    fn places(&self) -> Vec<Self::Move>;
}

/// Choices of moves: whether the side to move makes it, and the place of the move in the list.
pub(super) fn choices(most: usize) -> impl Strategy<Value = Vec<(bool, Index)>> {
    prop::collection::vec((prop::bool::weighted(0.95), any::<Index>()), 0..most)
}

/// A game of moves that were drawn by lot. A side whose turn it is not may have none; the other one moves then.
pub(super) fn random_moves<G: ListMoves>(
    setup: &G::Setup,
    choices: &[(bool, Index)],
) -> Vec<(Seat, G::Move)> {
    let mut game = G::new(setup);
    let mut played = Vec::new();
    for (in_turn, choice) in choices {
        let Some(turn) = game.to_move() else { break };
        let mut seat = if *in_turn { turn } else { turn.other() };
        if game.moves(seat).is_empty() {
            seat = turn;
        }
        let moves = game.moves(seat);
        let mv = moves[choice.index(moves.len())];
        game.play_as(seat, mv).expect("a listed move is legal");
        played.push((seat, mv));
    }
    played
}

/// Plays the moves, of which some may be refused, and checks the promises of every game.
#[track_caller]
pub(super) fn check_properties<G: ListMoves>(setup: &G::Setup, moves: &[(Seat, G::Move)]) {
    let mut game = G::new(setup);
    let mut past = Vec::new();
    for &(seat, mv) in moves {
        let before = game.clone();
        let written = G::parse_move(&mv.to_string());
        assert_eq!(written, Ok(mv), "the written form reads back");

        let seen = game.preview(seat, mv, |after, _| after.clone());
        assert_eq!(game, before, "a preview of {mv} leaves nothing");
        if game.play_as(seat, mv).is_ok() {
            assert_eq!(seen.as_ref(), Ok(&game), "a preview of {mv} shows the move");
            assert!(game.progress() >= before.progress() && game.progress() <= 100);
            past.push((before, mv));
        } else {
            assert_eq!(game, before, "{mv} is refused and changes nothing");
        }
        is_sound(&game);
        gives_the_turn(&game);
    }
    lists_its_moves(&mut game);

    let mut restarted = game.clone();
    restarted.restart();
    assert_eq!(restarted, G::new(setup));
    while let Some((before, mv)) = past.pop() {
        assert_eq!(game.undo(), Some(mv));
        assert_eq!(game, before, "{mv} is undone");
    }
    assert_eq!(game.undo(), None);
    assert_eq!(game, G::new(setup));
}

/// Checks that the side to move has a move, and that no side is to move once there is a result.
#[track_caller]
fn is_sound<G: ListMoves>(game: &G) {
    match game.to_move() {
        Some(seat) => {
            assert_eq!(game.outcome(), None);
            assert!(!game.moves(seat).is_empty());
        }
        None => {
            assert!(game.outcome().is_some());
            assert!(!game.passed(), "nobody is passed over at the end");
        }
    }
}

/// Checks that the turn can be given to any side that has a move, and that nothing but the turn changes.
#[track_caller]
fn gives_the_turn<G: ListMoves>(game: &G) {
    for seat in Seat::BOTH {
        let mut given = game.clone();
        if game.outcome().is_some() || game.moves(seat).is_empty() {
            assert!(!given.give_turn(seat));
            assert_eq!(given, *game);
            continue;
        }
        assert!(given.give_turn(seat));
        assert_eq!(given.to_move(), Some(seat));
        is_sound(&given);
        for seat in Seat::BOTH {
            assert_eq!(given.moves(seat), game.moves(seat));
        }
        assert_eq!(given.score(), game.score());
        let mv = given.moves(seat)[0];
        let before = given.clone();
        given.play(mv).expect("a listed move is legal");
        assert_eq!(given.undo(), Some(mv));
        assert_eq!(given, before, "a move is undone to the turn that was given");
    }
}

/// Checks that the listed moves can be played and no others.
#[track_caller]
fn lists_its_moves<G: ListMoves>(game: &mut G) {
    let over = game.outcome().is_some();
    for seat in Seat::BOTH {
        let listed = if over { Vec::new() } else { game.moves(seat) };
        let playable: Vec<_> = game
            .places()
            .into_iter()
            .filter(|&mv| game.preview(seat, mv, |_, _| ()).is_ok())
            .collect();
        assert_eq!(playable, listed);
    }
    assert!(
        game.places()
            .into_iter()
            .any(|mv| game.preview(Seat::First, mv, |_, _| ()) == Err(Illegal::OffBoard)),
        "places go beyond the edge"
    );
}
