//! Puzzles: lists, tries, and hints. No account is needed; the first try of a player with one counts.

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_protocol::{PuzzleAnswer, PuzzleHelp, PuzzleId, PuzzleOverview, PuzzleView};

/// What there is to solve: the puzzle of the day, and one of each game and step that the caller has not tried.
#[server(name = ReadPuzzles, prefix = "/api", endpoint = "puzzles", protocol = Query)]
pub async fn puzzles() -> Result<PuzzleOverview, ErrorResponse> {
    crate::context::answer_page(async move {
        let viewer = crate::context::caller().await?;
        crate::context::arena()?
            .puzzles
            .overview(viewer.as_ref())
            .await
    })
    .await
}

/// A puzzle, after these moves of the solver if they are right. 404 `no_such_puzzle`.
#[server(name = ReadPuzzle, prefix = "/api", endpoint = "puzzle", protocol = Query)]
pub async fn puzzle(id: PuzzleId, moves: Option<String>) -> Result<PuzzleView, ErrorResponse> {
    crate::context::answer_page(async move {
        let viewer = crate::context::caller().await?;
        let moves = moves.unwrap_or_default();
        let arena = crate::context::arena()?;
        let puzzles = &arena.puzzles;
        puzzles.view(id, &moves, viewer.as_ref()).await
    })
    .await
}

/// Judges the solver's moves from the first on, with blanks between them; `mv` is one more. The first try of a player with an
/// account counts. A form is sent back to the page of the puzzle.
#[server(name = TryPuzzle, prefix = "/api", endpoint = "try_puzzle", protocol = Form)]
pub async fn try_puzzle(
    id: PuzzleId,
    moves: Option<String>,
    mv: Option<String>,
) -> Result<PuzzleAnswer, ErrorResponse> {
    use tochki_protocol::PuzzleState;

    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let viewer = crate::context::caller().await?;
        let before = moves.unwrap_or_default();
        let mv = mv.unwrap_or_default();
        let all = format!("{before} {mv}");
        let client = crate::context::client_address()?;
        let puzzles = &arena.puzzles;
        let answer = puzzles
            .try_moves(id, &all, viewer.as_ref(), &client)
            .await?;
        let wrong = answer.state == PuzzleState::Wrong;
        let moves = if wrong { &before } else { &all };
        let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
        // Moves were read by the rules, so they stand in an address as they are.
        let said = if wrong { "&wrong=yes" } else { "" };
        let next = format!("/puzzle/{id}?moves={}{said}", moves.join("+"));
        crate::context::redirect_form(Some(next), "/puzzles");
        Ok(answer)
    })
    .await
}

/// The next move after these moves of the solver, or with `whole` the moves of both sides to the end. It counts as a first try
/// that failed.
#[server(name = HelpPuzzle, prefix = "/api", endpoint = "help_puzzle", protocol = Form)]
pub async fn help_puzzle(
    id: PuzzleId,
    moves: Option<String>,
    whole: Option<bool>,
) -> Result<PuzzleHelp, ErrorResponse> {
    crate::context::answer(async move {
        let arena = crate::context::arena()?;
        let viewer = crate::context::caller().await?;
        let moves = moves.unwrap_or_default();
        let puzzles = &arena.puzzles;
        let (whole, client) = (whole.unwrap_or(false), crate::context::client_address()?);
        let help = puzzles
            .help(id, &moves, whole, viewer.as_ref(), &client)
            .await?;
        let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
        let shown = help.line.join("+");
        let next = format!("/puzzle/{id}?moves={}&shown={shown}", moves.join("+"));
        crate::context::redirect_form(Some(next), "/puzzles");
        Ok(help)
    })
    .await
}
