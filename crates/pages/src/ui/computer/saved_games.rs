//! The list of the games against the computer that this browser keeps.

use crate::ui::computer::{ComputerTexts, SavedGame, downloads};
use crate::ui::games;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::effect::effect;
use crate::ui::text::words;
use crate::ui::text::{Language, language};
use crate::ui::view::view;
use leptos::prelude::*;

/// Data of the island.
pub(crate) static SAVED_GAMES: IslandData<ComputerTexts> = IslandData::new("saved");

/// The list of games, which appears in a browser, because the server does not know these games.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn SavedGamesIsland() -> impl IntoView {
    let language = language();
    let texts = StoredValue::new(SAVED_GAMES.read());
    let saved = RwSignal::new(None::<Vec<SavedGame>>);
    effect(move || saved.set(Some(SavedGame::all())));
    let delete = move |id: String| {
        SavedGame::delete(&id);
        saved.set(Some(SavedGame::all()));
    };
    let rows = move || {
        let games = saved.get()?;
        if games.is_empty() {
            let none = texts.with_value(|texts| texts.none_saved.clone());
            return Some(view! { <p class="empty">{none}</p> }.into_any());
        }
        let rows = games.into_iter().map(|game| {
            let id = game.id.clone();
            texts.with_value(|texts| {
                let open = if game.result.is_some() {
                    texts.look.clone()
                } else {
                    texts.go_on.clone()
                };
                let described = describe(language, &game);
                let label = format!("{}: {described}", texts.delete);
                let files = downloads::links(texts, &game, &game.to_match(), Some(&described));
                view! {
                    <li>
                        <span class="terms">{games::describe_setup(language, game.setup)}</span>
                        <span>{texts.opponent(game.level)}</span>
                        <span>{texts.move_count(game.len())}</span>
                        <span>{headline(language, texts, &game)}</span>
                        <span class="button-row">
                            <a class="button quiet" href=game.address()>
                                {open}
                            </a>
                            {files}
                            <button
                                type="button"
                                class="quiet"
                                aria-label=label
                                on:click=move |_| delete(id.clone())
                            >
                                {texts.delete.clone()}
                            </button>
                        </span>
                    </li>
                }
            })
        });
        Some(view! { <ul class="saved-list">{rows.collect_view()}</ul> }.into_any())
    };
    view! { <div class="saved-room">{rows}</div> }
}

/// Describes the game in words that tell it from others.
fn describe(language: Language, game: &SavedGame) -> String {
    let setup = games::describe_setup(language, game.setup);
    format!("{setup}, {}", game.len())
}

/// Names the winner; `None` while the game runs.
fn headline(language: Language, texts: &ComputerTexts, game: &SavedGame) -> Option<String> {
    let result = game.result.as_ref()?;
    let name = |seat| texts.name(game, seat);
    Some(words::headline(language, result, Some(game.seat), name))
}
