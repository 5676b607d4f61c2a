//! The controls of a tournament's creator, and of operators.

use crate::api;
use crate::ui::text::names::display_name;
use crate::ui::text::{Isolated, language, t};
use crate::ui::tournaments::series::SeriesForms;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Tournament, TournamentStanding, TournamentState};

/// The forms to close the entries, to remove one of the players of this page of the standings, and to cancel. Closed at first, so
/// that nobody presses one by accident.
#[component]
pub(super) fn Manage(
    tournament: Tournament,
    rows: Vec<TournamentStanding>,
    /// Whether a form was refused.
    open: bool,
    /// Whether the reader is an operator, who may let the tournament repeat.
    may_repeat: bool,
) -> impl IntoView {
    let language = language();
    let id = tournament.id.0;
    let closed = tournament.entries_closed;
    let close = if closed {
        t!(language, tournaments.open_entries)
    } else {
        t!(language, tournaments.close_entries)
    };
    let players = rows
        .into_iter()
        .map(|row| {
            let name = display_name(language, &row.player.name);
            view! { <option value=row.player.id.0>{Isolated(&name).to_string()}</option> }
        })
        .collect_view();
    // Afterwards operators remove who has cheated, and nothing else can be done.
    let is_over = tournament.state == TournamentState::Finished;
    let close = (!is_over).then(|| {
        view! {
            <form action=api::CloseTournamentEntries::url() method="post">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="closed" value=(!closed).to_string() />
                <button type="submit" class="quiet">{close}</button>
            </form>
        }
    });
    let cancel = (!is_over).then(|| {
        view! {
            <form action=api::CancelTournament::url() method="post">
                <input type="hidden" name="id" value=id />
                <label class="option">
                    <input type="checkbox" required />
                    {t!(language, tournaments.cancel_sure)}
                </label>
                " "
                <button type="submit" class="quiet">{t!(language, tournaments.cancel)}</button>
            </form>
        }
    });
    view! {
        <details class="card" open=open>
            <summary>{t!(language, tournaments.manage)}</summary>
            <div class="button-row">
                {close}
                <form action=api::RemoveFromTournament::url() method="post">
                    <input type="hidden" name="id" value=id />
                    <label>
                        {t!(language, tournaments.player)} " "
                        <select name="player" required>
                            <option value=""></option>
                            {players}
                        </select>
                    </label>
                    " "
                    <button type="submit" class="quiet">{t!(language, open_table.remove)}</button>
                </form>
                {cancel}
                {may_repeat.then(|| view! { <SeriesForms tournament /> })}
            </div>
        </details>
    }
}
