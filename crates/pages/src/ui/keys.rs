//! The list of keys, as a page of its own; `public/board_keys.js` shows it in a dialog over a board.

use crate::ui::page::title::PageTitle;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// `/keys`, for everyone.
#[component]
pub(crate) fn KeysPage() -> impl IntoView {
    let language = language();
    let (board, steps) = groups(language);
    view! {
        <PageTitle text=t!(language, keys.title) />
        <article>
            <div class="keys narrow">
                <h1 id="keys-title">{t!(language, keys.title)}</h1>
                <KeyTable name=t!(language, keys.board) keys=board.to_vec() />
                <KeyTable name=t!(language, keys.steps) keys=steps.to_vec() />
            </div>
        </article>
    }
}

/// Keys as they are printed on them, and what they do.
type Key = (&'static [&'static str], &'static str);

/// Returns the keys of a board (`board_view/input.rs`, `public/board.js`), and those that step through a game (`steps/step.rs`).
fn groups(language: Language) -> ([Key; 10], [Key; 4]) {
    (
        [
            (&["←", "↑", "→", "↓"], t!(language, keys.point)),
            (&["Enter"], t!(language, keys.play)),
            (&["Esc"], t!(language, keys.leave)),
            (&["L"], t!(language, keys.last_move)),
            (&["S"], t!(language, keys.score)),
            (&["C"], t!(language, keys.clocks)),
            (&["+", "−"], t!(language, keys.zoom)),
            (&["0"], t!(language, board.whole)),
            (&["N"], t!(language, own_games.next)),
            (&["?"], t!(language, keys.list)),
        ],
        [
            (&["←"], t!(language, steps.back)),
            (&["→"], t!(language, steps.on)),
            (&["Home"], t!(language, steps.first)),
            (&["End"], t!(language, steps.last)),
        ],
    )
}

#[component]
fn KeyTable(name: &'static str, keys: Vec<Key>) -> impl IntoView {
    let rows = keys.into_iter().map(|(keys, action)| {
        let keys = keys
            .iter()
            .map(|key| view! { <kbd>{*key}</kbd> " " })
            .collect_view();
        view! {
            <tr>
                <th scope="row">{action}</th>
                <td>{keys}</td>
            </tr>
        }
    });
    view! {
        <h2>{name}</h2>
        <table>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}
