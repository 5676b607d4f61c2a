//! Games against the computer that players keep in their history.

// Each part of a game is a field of the form.
#![allow(clippy::too_many_arguments)]

use crate::error::ErrorResponse;
use tochki_endpoint::endpoint;
use tochki_play::{Reason, Timestamp};
use tochki_protocol::{ComputerGameId, ComputerGamePage, KeptComputerGame, SetupText};
use tochki_rules::Seat;

/// Keeps a finished game against the computer. `moves` are separated by blanks; `reason` is why it ended, where the rules have
/// not ended it: `resigned`, `agreed_finish` or `agreed_draw`. Sent again with the same `key` it is the same game.
#[endpoint(
    name = KeepComputerGame,
    post = "/api/keep_computer_game",
    scope = Play,
    answers = "the id",
    errors(UnknownGame, InvalidSetup, MalformedMove, Illegal, Finished, NotFinished, TooManyGames),
)]
pub async fn keep_computer_game(
    app: AppState,
    player: Player,
    key: String,
    game: String,
    #[server(default)] setup: SetupText,
    level: u8,
    seat: Seat,
    moves: String,
    reason: Option<Reason>,
    started_at: Timestamp,
    finished_at: Timestamp,
) -> Result<ComputerGameId, ErrorResponse> {
    use tochki_server::computer_games::PlayedGame;

    let game = PlayedGame {
        key,
        setup: setup.read(crate::context::game(&game)?)?,
        level,
        seat,
        moves,
        reason,
        played: [started_at, finished_at],
    };
    app.computer_games.keep(&player, &game).await
}

/// The games against the computer that the caller keeps, the latest first.
#[endpoint(
    name = ReadComputerGames,
    get = "/api/computer_games",
    scope = Read,
    answers = "`{games: [{id, game, setup, level, seat, result, score, started_at, finished_at}, …], page, pages, total}`",
    errors(InvalidPage),
    page,
)]
pub async fn computer_games(
    app: AppState,
    player: Player,
    page: Option<String>,
) -> Result<ComputerGamePage, ErrorResponse> {
    use tochki_protocol::Page;

    let page = Page::read(page.as_deref())?;
    app.computer_games.page(&player, page).await
}

/// A game against the computer that the caller keeps, with its moves.
#[endpoint(
    name = ReadComputerGame,
    get = "/api/computer_game",
    scope = Read,
    answers = "`{game, moves, seats}`",
    errors(NotFound),
    page,
)]
pub async fn computer_game(
    app: AppState,
    player: Player,
    id: ComputerGameId,
) -> Result<KeptComputerGame, ErrorResponse> {
    app.computer_games.read(&player, id).await
}

/// Deletes a game against the computer that the caller keeps.
#[endpoint(
    name = DeleteComputerGame,
    post = "/api/delete_computer_game",
    scope = Play,
    answers = "`null`",
    errors(NotFound),
)]
pub async fn delete_computer_game(
    app: AppState,
    player: Player,
    id: ComputerGameId,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    app.computer_games.delete(&player, id).await?;
    crate::context::redirect_form(next, "/history/computer");
    Ok(())
}
