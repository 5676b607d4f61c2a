//! The actions of a player at a table, and its state in words.

use crate::api;
use crate::ui::text::names::display_name;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Pace, PlayerId, Table};

/// The buttons for a signed-in visitor; others see only the state.
#[component]
pub(crate) fn TableActions(table: Table, me: Option<PlayerId>, live: String) -> impl IntoView {
    let language = language();
    let id = table.id.0;
    let page = format!("/t/{}", table.link);
    let link = table.link.to_string();
    let agreement = table.agreement.clone();
    let state = state(language, &table, me);
    let said = state.clone();
    let sitter = me.and_then(|me| table.seated_player(me));
    let creator = me == Some(table.creator.id);
    // A game by correspondence starts when somebody sits down.
    let is_live = table.clock.pace() == Pace::Live;
    let ready = sitter.filter(|_| is_live).map(|sitter| {
        let words = if sitter.ready {
            t!(language, open_table.unready)
        } else {
            t!(language, open_table.get_ready)
        };
        view! {
            <form class="quick" action=api::SetReady::url() method="post">
                <input type="hidden" name="table" value=id />
                <input type="hidden" name="agreement" value=agreement />
                <input type="hidden" name="ready" value=if sitter.ready { "false" } else { "true" } />
                <button id="ready" type="submit" class:quiet=sitter.ready>
                    {words}
                </button>
            </form>
        }
    });
    let sit = (me.is_some() && sitter.is_none() && table.has_free_seat()).then(|| {
        view! {
            <form class="quick" action=api::Sit::url() method="post">
                <input type="hidden" name="table" value=id />
                <input type="hidden" name="link" value=link />
                <input type="hidden" name="ready" value="true" />
                <button id="sit" type="submit">
                    {t!(language, open_table.sit)}
                </button>
            </form>
        }
    });
    let up = (creator || sitter.is_some()).then(|| {
        let (words, next) = if creator {
            (t!(language, open_table.close), "/play".to_owned())
        } else {
            (t!(language, open_table.get_up), page)
        };
        view! {
            <form class="quick" action=api::StandUp::url() method="post">
                <input type="hidden" name="table" value=id />
                <input type="hidden" name="next" value=next />
                <button id="up" type="submit" class="quiet">
                    {words}
                </button>
            </form>
        }
    });
    view! {
        // The element stays, so that changes of its text are announced.
        <p id="state" role="status" data-live=said>
            {state}
        </p>
        <div id="doing" class="button-row" data-live=live>
            {ready}
            {sit}
            {up}
        </div>
    }
}

/// Describes what the table waits for, for this visitor.
fn state(language: Language, table: &Table, me: Option<PlayerId>) -> String {
    let mine = me.and_then(|me| table.seated_player(me));
    let other = table.seated_players().find(|sitter| Some(sitter.id) != me);
    match (mine, other) {
        (Some(_), None) => t!(language, open_table.wait_somebody).to_owned(),
        (Some(mine), Some(other)) if mine.ready => {
            t!(
                language,
                open_table.wait_for,
                name = display_name(language, &other.name)
            )
        }
        (Some(_), Some(_)) => t!(language, open_table.wait_ready).to_owned(),
        (None, _) if table.has_free_seat() => t!(language, open_table.room).to_owned(),
        (None, _) => t!(language, open_table.full).to_owned(),
    }
}
