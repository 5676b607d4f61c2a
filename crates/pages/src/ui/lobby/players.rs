//! The players in the lobby, each with a button to challenge them.

use crate::api;
use crate::ui::games;
use crate::ui::lobby::bots::level_of;
use crate::ui::lobby::choice::with_bounds;
use crate::ui::lobby::{BotRow, LobbyState, NotificationPermissionButton, other_person_waiting};
use crate::ui::terms::describe_terms;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::{live, view};
use crate::ui::widgets::list::{Entry, List};
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Filter, QuickGame, WaitingPlayer};

/// The list, ascending by rating, filtered; below it the house bots in one row. Its title is in `FilterPanel`.
#[component]
pub(crate) fn Players(
    lobby: LobbyState,
    /// Whether the visitor is a guest.
    guest: bool,
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
                let fits =
                    |player: &&WaitingPlayer| level_of(player).is_none() && filter.matches(player);
                players.iter().filter(fits).cloned().collect::<Vec<_>>()
            })
        })
    });
    let all = Memo::new(move |_| {
        let listed = |player: &&WaitingPlayer| level_of(player).is_none();
        lobby
            .players
            .with(|players| players.iter().filter(listed).count())
    });
    let count = move || {
        let (shown, all) = (shown.with(Vec::len), all.get());
        (shown < all).then(|| t!(language, waiting.shown, shown = shown, all = all))
    };
    let empty = move || {
        let (shown, all) = (shown.with(Vec::len), all.get());
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
    // The list that others see has five guests of one address at most.
    let unlisted = move || {
        let listed = lobby.players.with(|players| {
            players
                .iter()
                .any(|player| player.id == lobby.me && !player.unlisted)
        });
        (guest && !listed && !lobby.connection_lost.get()).then(|| t!(language, quick.unlisted))
    };
    let entries = move || {
        let entry = |player: WaitingPlayer| {
            let key = (
                player.id,
                player.name.clone(),
                (player.guest, player.bot, player.just_finished),
                words::marked_rating(player.rating, player.provisional),
                (
                    player.results.won,
                    player.results.drawn,
                    player.results.lost,
                ),
                player.quick_game.map(|quick| quick.since.0),
            );
            Entry::new(
                key,
                move || view! { <PlayerRow lobby player blocked guest /> },
            )
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
            <p class="unlisted note" role="status">
                {unlisted}
            </p>
            <BotRow lobby blocked />
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
fn PlayerRow(
    lobby: LobbyState,
    player: WaitingPlayer,
    blocked: Signal<bool>,
    /// Whether the visitor is a guest.
    guest: bool,
) -> impl IntoView {
    let language = language();
    let me = player.id == lobby.me;
    let results = words::results(player.results);
    // A guest has no rating.
    let rating = (!player.guest).then(|| {
        view! { <Rating rating=player.rating provisional=player.provisional /> }
    });
    // Somebody who wants the same as the visitor, and was not paired, can only be challenged.
    let quick = player.quick_game;
    // Guests play no rated games, and quick games are not between people and bots.
    let may_join = !me && !player.bot;
    let own_rating = lobby.my_rating();
    let joins = quick
        .filter(|quick| may_join && !(guest && quick.rated) && quick.ratings.contain(own_rating))
        .map(|quick| {
            let label = t!(language, quick.join_whom, name = &player.name);
            view! { <JoinForm quick label lobby blocked /> }
        });
    let wants = quick.map(|quick| {
        let terms = describe_terms(language, quick.setup, quick.clock, quick.rated);
        let terms = with_bounds(language, terms, quick.ratings);
        view! { <span class="wants">{t!(language, quick.wants, terms = terms)}</span> }
    });
    let sits = player
        .just_finished
        .then(|| view! { <span class="wants">{t!(language, waiting.just_finished)}</span> });
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
                {me.then(|| view! { " " <span class="you">{t!(language, waiting.you)}</span> })} {wants} {sits}
            </th>
            <td class="number">{rating}</td>
            <td class="number results">{results}</td>
            <td class="act">{joins} {ask}</td>
        </tr>
    }
}

/// The button that plays a quick game with a player who waits for it, hidden while the visitor waits for the same.
#[component]
fn JoinForm(
    quick: QuickGame,
    label: String,
    lobby: LobbyState,
    blocked: Signal<bool>,
) -> impl IntoView {
    let language = language();
    let is_same = move || {
        let mine = lobby.my_quick_game();
        mine.is_some_and(|mine| {
            (mine.setup, mine.clock, mine.rated) == (quick.setup, quick.clock, quick.rated)
        })
    };
    view! {
        <form class="join" class:unused=is_same action=api::StartQuickGame::url() method="post">
            <input type="hidden" name="game" value=quick.setup.kind().id() />
            <input type="hidden" name="setup" value=games::setup_fields(&quick.setup).json() />
            <input type="hidden" name="clock" value=quick.clock.to_string() />
            <input type="hidden" name="rated" value=if quick.rated { "true" } else { "false" } />
            <button type="submit" name="quick" value="join" aria-label=label disabled=blocked>
                {t!(language, quick.join)}
            </button>
        </form>
    }
}
