//! The players in the lobby, each with a button to challenge them.

use crate::ui::lobby::{LobbyState, NotificationPermissionButton, other_person_waiting};
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::{live, view};
use crate::ui::widgets::list::{Entry, List};
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use tochki_protocol::{Filter, WaitingPlayer};

/// The list, ascending by rating, filtered. Its title is in `FilterPanel`.
#[component]
pub(crate) fn Players(
    lobby: LobbyState,
    /// The filter of the shown players.
    filter: RwSignal<Filter>,
    /// Whether the visitor has applied a filter on this page.
    applied: RwSignal<bool>,
    /// Whether no challenge can be sent now.
    blocked: Signal<bool>,
) -> impl IntoView {
    let language = language();
    let shown = Memo::new(move |_| {
        lobby.players.with(|players| {
            filter.with(|filter| {
                let fits = |player: &&WaitingPlayer| filter.matches(player);
                players.iter().filter(fits).cloned().collect::<Vec<_>>()
            })
        })
    });
    let count = move || {
        let (shown, all) = (shown.with(Vec::len), lobby.players.with(Vec::len));
        (shown < all).then(|| t!(language, waiting.shown, shown = shown, all = all))
    };
    let empty = move || {
        let (shown, all) = (shown.with(Vec::len), lobby.players.with(Vec::len));
        if shown == 0 && all > 0 {
            Some(t!(language, waiting.none_fit))
        } else if lobby
            .players
            .with(|players| other_person_waiting(players, lobby.me).is_none())
        {
            Some(t!(language, waiting.alone))
        } else {
            None
        }
    };
    let entries = move || {
        let entry = |player: WaitingPlayer| {
            let key = (
                player.id,
                player.name.clone(),
                (player.guest, player.bot),
                words::marked_rating(player.rating, player.provisional),
                (
                    player.results.won,
                    player.results.drawn,
                    player.results.lost,
                ),
            );
            Entry::new(key, move || view! { <PlayerRow lobby player blocked /> })
        };
        shown.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="card players" aria-labelledby="players-title">
            <p class="shown" {..live()}>{count}</p>
            <table>
                <thead>
                    <tr>
                        <th scope="col">{t!(language, waiting.name)}</th>
                        <th scope="col" class="number">
                            {t!(language, waiting.rating)}
                        </th>
                        <th scope="col" class="number results">
                            {t!(language, waiting.results)}
                        </th>
                        <td></td>
                    </tr>
                </thead>
                <tbody>
                    <List entries=Box::new(entries) />
                </tbody>
            </table>
            <p class="empty">{empty}</p>
            <div class="button-row meanwhile">
                <a href=format!("/computer/{}", lobby.game)>{t!(language, waiting.computer)}</a>
                <NotificationPermissionButton />
            </div>
            // Announced when the filter is applied, and not whenever somebody joins or leaves.
            <p class="hidden" role="status">
                {move || applied.get().then(|| untrack(count))}
            </p>
        </section>
    }
}

#[component]
fn PlayerRow(lobby: LobbyState, player: WaitingPlayer, blocked: Signal<bool>) -> impl IntoView {
    let language = language();
    let me = player.id == lobby.me;
    let results = words::results(player.results);
    // A guest has no rating.
    let rating = (!player.guest).then(|| {
        view! { <Rating rating=player.rating provisional=player.provisional /> }
    });
    let ask = (!me).then(|| {
        let label = t!(language, waiting.challenge_whom, name = &player.name);
        view! {
            <button
                type="submit"
                form="challenge-form"
                name="opponent"
                value=player.id.0
                aria-label=label
                disabled=blocked
            >
                {t!(language, waiting.challenge)}
            </button>
        }
    });
    view! {
        <tr class:me=me>
            <th scope="row">
                <PlayerName name=player.name guest=player.guest bot=player.bot />
                {me.then(|| view! { " " <span class="you">{t!(language, waiting.you)}</span> })}
            </th>
            <td class="number">{rating}</td>
            <td class="number results">{results}</td>
            <td class="act">{ask}</td>
        </tr>
    }
}
