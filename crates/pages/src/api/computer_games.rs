//! Games against the computer that players keep in their history.

// Each part of a game is a field of the form.
#![allow(clippy::too_many_arguments)]

use crate::codec::{Form, Query};
use crate::error::ErrorResponse;
use leptos::prelude::*;
use tochki_play::{Reason, Timestamp};
use tochki_protocol::{ComputerGameId, ComputerGamePage, KeptComputerGame, SetupText};
use tochki_rules::Seat;

/// Keeps a finished game against the computer. `moves` are separated by blanks; `reason` is why it ended, where the rules have
/// not ended it: `resigned`, `agreed_finish` or `agreed_draw`. Sent again with the same `key` it is the same game.
#[server(name = KeepComputerGame, prefix = "/api", endpoint = "keep_computer_game", protocol = Form)]
pub async fn keep_computer_game(
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

    crate::context::as_player(|arena, player| async move {
        let game = PlayedGame {
            key,
            setup: setup.read(crate::context::game(&game)?)?,
            level,
            seat,
            moves,
            reason,
            played: [started_at, finished_at],
        };
        arena.computer_games.keep(&player, &game).await
    })
    .await
}

/// The games against the computer that the caller keeps, the latest first.
#[server(name = ReadComputerGames, prefix = "/api", endpoint = "computer_games", protocol = Query)]
pub async fn computer_games(page: Option<String>) -> Result<ComputerGamePage, ErrorResponse> {
    use tochki_protocol::Page;

    crate::context::answer_page(async move {
        let player = crate::context::player().await?;
        let page = Page::read(page.as_deref())?;
        crate::context::arena()?
            .computer_games
            .page(&player, page)
            .await
    })
    .await
}

/// One of them with its moves. 404 `not_found`.
#[server(name = ReadComputerGame, prefix = "/api", endpoint = "computer_game", protocol = Query)]
pub async fn computer_game(id: ComputerGameId) -> Result<KeptComputerGame, ErrorResponse> {
    crate::context::answer_page(async move {
        let player = crate::context::player().await?;
        crate::context::arena()?
            .computer_games
            .read(&player, id)
            .await
    })
    .await
}

/// Deletes one of them. 404 `not_found`.
#[server(name = DeleteComputerGame, prefix = "/api", endpoint = "delete_computer_game", protocol = Form)]
pub async fn delete_computer_game(
    id: ComputerGameId,
    next: Option<String>,
) -> Result<(), ErrorResponse> {
    crate::context::as_player(|arena, player| async move {
        arena.computer_games.delete(&player, id).await?;
        crate::context::redirect_form(next, "/history/computer");
        Ok(())
    })
    .await
}
