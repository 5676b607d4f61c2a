//! Suspected rings: the players who have most points from few, young, or same-address accounts.

use crate::api;
use crate::ui::games;
use crate::ui::islands::form_action::form_error;
use crate::ui::operator::annulment_form::AnnulAllForm;
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_protocol::limits::{RING_FEW_OPPONENTS, RING_MATCHES_LEN, RING_YOUNG_AGE};
use tochki_protocol::{Code, Ring, RingOpponent, SharedAddress};

/// `/operator/rings`. Anybody but operators gets the page for unknown paths.
#[component]
pub(crate) fn RingsPage() -> impl IntoView {
    let language = language();
    let rings = load(api::rings);
    let shared = load(api::shared_addresses);
    let refused = form_error::<api::OperatorAnnulAll>().map(|error| error_text(language, &error));
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                match rings.await {
                    Ok(rings) => {
                        // The rings are shown without them.
                        let shared = shared.await.unwrap_or_default();
                        view! { <RingsView rings shared refused /> }.into_any()
                    }
                    Err(error) if matches!(error.code, Code::SignedOut | Code::NotOperator) => {
                        view! { <NotFound /> }.into_any()
                    }
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn RingsView(
    rings: Vec<Ring>,
    shared: Vec<SharedAddress>,
    refused: Option<&'static str>,
) -> impl IntoView {
    let language = language();
    let nobody = rings
        .is_empty()
        .then(|| view! { <p class="card empty">{t!(language, operator.no_rings)}</p> });
    let rings = rings.into_iter().map(|ring| view! { <RingCard ring /> });
    view! {
        <Title text=t!(language, operator.rings) />
        <InfoStylesheet />
        <h1>{t!(language, operator.rings)}</h1>
        <p>
            <a href="/operator">{t!(language, operator.to_operator)}</a>
        </p>
        <p class="note">
            {t!(
                language,
                operator.rings_about,
                games = RING_MATCHES_LEN,
                few = RING_FEW_OPPONENTS,
                days = RING_YOUNG_AGE.as_secs() / 86_400
            )}
        </p>
        <p role="alert" class="refusal">
            {refused}
        </p>
        <div class="moderation">{nobody} <ul class="rings">{rings.collect_view()}</ul></div>
        <SharedAddresses shared />
    }
}

/// The accounts that entered a tournament at one address.
#[component]
fn SharedAddresses(shared: Vec<SharedAddress>) -> impl IntoView {
    let language = language();
    (!shared.is_empty()).then(|| {
        let shared = shared
            .into_iter()
            .map(|shared| view! { <SharedAddressCard shared /> });
        view! {
            <section class="moderation">
                <h2>{t!(language, operator.shared)}</h2>
                <p class="note">{t!(language, operator.shared_about)}</p>
                <ul class="rings">{shared.collect_view()}</ul>
            </section>
        }
    })
}

#[component]
fn SharedAddressCard(shared: SharedAddress) -> impl IntoView {
    let language = language();
    let SharedAddress {
        tournament,
        players,
        count,
        games,
        uncounted,
        at,
    } = shared;
    let more = (count as usize).saturating_sub(players.len());
    let more = (more > 0).then(|| view! { <li>{format!("+ {more}")}</li> });
    let players = players.into_iter().map(|player| {
        view! {
            <li>
                <PlayerName name=player.name guest=player.guest bot=player.bot />
            </li>
        }
    });
    view! {
        <li class="card">
            <h3>
                <a href=format!("/tournament/{}", tournament.id)>
                    <bdi>{tournament.name}</bdi>
                </a>
            </h3>
            <ul>{players.collect_view()} {more}</ul>
            <p class="note">
                {t!(language, operator.shared_games, games, uncounted)} " · " <DateTime at />
            </p>
        </li>
    }
}

#[component]
fn RingCard(ring: Ring) -> impl IntoView {
    let language = language();
    let Ring {
        player,
        game,
        rating,
        provisional,
        matches,
        won,
        from_few,
        from_young,
        from_same_address,
        opponents,
    } = ring;
    let points = |points: f64| points.round() as i64;
    let figures = [
        (t!(language, operator.ring_games), i64::from(matches)),
        (t!(language, operator.ring_won), points(won)),
        (t!(language, operator.ring_top), points(from_few)),
        (t!(language, operator.ring_young), points(from_young)),
        (t!(language, operator.ring_same), points(from_same_address)),
    ];
    let figures = figures.map(|(name, figure)| {
        view! {
            <div>
                <dt>{name}</dt>
                <dd>{figure}</dd>
            </div>
        }
    });
    let opponents = opponents
        .into_iter()
        .map(|opponent| view! { <Opponent opponent /> });
    view! {
        <li class="card ring">
            <h2>
                <PlayerName name=player.name guest=player.guest bot=player.bot />
                " · "
                <span class="rating"><Rating rating provisional /></span>
                " · "
                {games::title(language, game)}
            </h2>
            <dl class="figures">{figures.collect_view()}</dl>
            <h3>{t!(language, operator.ring_from)}</h3>
            <ul>{opponents.collect_view()}</ul>
            <AnnulAllForm player=player.id />
        </li>
    }
}

#[component]
fn Opponent(opponent: RingOpponent) -> impl IntoView {
    let language = language();
    let RingOpponent {
        player,
        points,
        matches,
        young,
        same_address,
    } = opponent;
    let figures = t!(
        language,
        operator.ring_gave,
        count = matches,
        points = points.round() as i64
    );
    let young = young.then(|| view! { " · " {t!(language, operator.is_young)} });
    let same = same_address.then(|| view! { " · " {t!(language, operator.is_same_address)} });
    view! {
        <li>
            <PlayerName name=player.name guest=player.guest bot=player.bot />
            " "
            <span class="note">{figures} {young} {same}</span>
        </li>
    }
}
