//! Puzzles: lists, tries, and hints. No account is needed; the first try of a player with one counts.

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_protocol::{PuzzleAnswer, PuzzleHelp, PuzzleId, PuzzleOverview, PuzzleView};

/// The puzzles to solve: the puzzle of the day, and one of each game and step that the caller has not tried.
#[endpoint(
    name = ReadPuzzles,
    get = "/api/puzzles",
    scope = Read,
    answers = "`{daily: Puzzle or null, rows: [{game, step, count, next}, …], mine: null or {rating, tries, solved}}`",
    page,
)]
pub async fn puzzles(
    app: AppState,
    viewer: Option<Player>,
) -> Result<PuzzleOverview, ErrorResponse> {
    app.puzzles.overview(viewer.as_deref()).await
}

/// The puzzle of the day, as a visitor sees it.
#[endpoint(
    name = ReadDailyPuzzle,
    get = "/api/daily_puzzle",
    scope = Read,
    answers = "Puzzle, at most 2 s old, or `null`",
    page,
)]
pub async fn daily_puzzle(app: AppState) -> Result<Option<PuzzleView>, ErrorResponse> {
    app.puzzles.daily().await
}

/// A puzzle, after these moves of the solver if they are right.
#[endpoint(
    name = ReadPuzzle,
    get = "/api/puzzle",
    scope = Read,
    answers = "Puzzle",
    errors(NoSuchPuzzle),
    page,
)]
pub async fn puzzle(
    app: AppState,
    viewer: Option<Player>,
    id: PuzzleId,
    moves: Option<String>,
) -> Result<PuzzleView, ErrorResponse> {
    let moves = moves.unwrap_or_default();
    let puzzles = &app.puzzles;
    puzzles.view(id, &moves, viewer.as_deref()).await
}

/// Judges the solver's moves from the first on, with blanks between them; `mv` is one more. The first try of a player with an
/// account counts. A form is sent back to the page of the puzzle.
#[endpoint(
    name = TryPuzzle,
    post = "/api/try_puzzle",
    scope = Play,
    answers = "`{state, line, rating: null or {before, after}}`",
    errors(NoSuchPuzzle, MalformedMove, Illegal),
)]
pub async fn try_puzzle(
    app: AppState,
    viewer: Option<Player>,
    id: PuzzleId,
    moves: Option<String>,
    mv: Option<String>,
) -> Result<PuzzleAnswer, ErrorResponse> {
    use tochki_protocol::PuzzleState;

    let before = moves.unwrap_or_default();
    let mv = mv.unwrap_or_default();
    let all = format!("{before} {mv}");
    let client = crate::context::client_address()?;
    let puzzles = &app.puzzles;
    let answer = puzzles
        .try_moves(id, &all, viewer.as_deref(), &client)
        .await?;
    let wrong = answer.state == PuzzleState::Wrong;
    let moves = if wrong { &before } else { &all };
    let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
    // Moves were read by the rules, so they stand in an address as they are.
    let said = if wrong { "&wrong=yes" } else { "" };
    let next = format!("/puzzle/{id}?moves={}{said}", moves.join("+"));
    crate::context::redirect_form(Some(next), "/puzzles");
    Ok(answer)
}

/// The next move after these moves of the solver, or with `whole` the moves of both sides to the end. It counts as a first try
/// that failed.
#[endpoint(
    name = HelpPuzzle,
    post = "/api/help_puzzle",
    scope = Play,
    answers = "`{line}`",
    errors(NoSuchPuzzle, MalformedMove),
)]
pub async fn help_puzzle(
    app: AppState,
    viewer: Option<Player>,
    id: PuzzleId,
    moves: Option<String>,
    whole: Option<bool>,
) -> Result<PuzzleHelp, ErrorResponse> {
    let moves = moves.unwrap_or_default();
    let puzzles = &app.puzzles;
    let (whole, client) = (whole.unwrap_or(false), crate::context::client_address()?);
    let help = puzzles
        .help(id, &moves, whole, viewer.as_deref(), &client)
        .await?;
    let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
    let shown = help.line.join("+");
    let next = format!("/puzzle/{id}?moves={}&shown={shown}", moves.join("+"));
    crate::context::redirect_form(Some(next), "/puzzles");
    Ok(help)
}
