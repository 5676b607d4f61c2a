//! The reports that wait for the operator.

use crate::ui::operator::moderation_form::ModerationForm;
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, say};
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::{Account, ChatAudience, ChatPlace, Report};

/// The unresolved reports, oldest first.
#[component]
pub(crate) fn Reports(reports: Vec<Report>, waiting: u32) -> impl IntoView {
    let language = language();
    let empty = reports
        .is_empty()
        .then(|| view! { <p class="empty">{say!(language, operator.no_reports)}</p> });
    let reports = reports
        .into_iter()
        .map(|report| view! { <OneReport report /> })
        .collect_view();
    view! {
        <section class="card" aria-labelledby="reports">
            <h2 id="reports">{say!(language, operator.reports, waiting = waiting)}</h2>
            {empty}
            <ul class="reports">{reports}</ul>
        </section>
    }
}

#[component]
fn OneReport(report: Report) -> impl IntoView {
    let language = language();
    let Report {
        id,
        from,
        about,
        place,
        chat,
        text,
        said_at,
        reason,
        at,
    } = report;
    let place = match place {
        ChatPlace::Lobby => view! { {say!(language, waiting.title)} }.into_any(),
        ChatPlace::Match(id) => {
            let to = match chat {
                ChatAudience::Spectators => say!(language, operator.to_spectators),
                _ => say!(language, operator.to_players),
            };
            view! {
                <a href=format!("/match/{id}")>{say!(language, operator.at_match, id = id)}</a>
                " "
                {to}
            }
            .into_any()
        }
    };
    let reason = (!reason.is_empty()).then(|| {
        view! {
            <dt>{say!(language, operator.reason)}</dt>
            <dd dir="auto">{reason}</dd>
        }
    });
    view! {
        <li class="report">
            <blockquote dir="auto">{text}</blockquote>
            <dl>
                <dt>{say!(language, operator.said_by)}</dt>
                <dd>
                    <Who player=about.clone().map(|about| about.player) />
                    ", "
                    {place}
                    ", "
                    <DateTime at=said_at />
                </dd>
                <dt>{say!(language, operator.reported_by)}</dt>
                <dd>
                    <Who player=from />
                    ", "
                    <DateTime at />
                </dd>
                {reason}
            </dl>
            <ModerationForm about report=Some(id) />
        </li>
    }
}

/// A player, whose account may be deleted.
#[component]
fn Who(player: Option<Account>) -> impl IntoView {
    match player {
        Some(player) => view! { <PlayerName name=player.name guest=player.guest /> }.into_any(),
        None => view! { {say!(language(), name.deleted)} }.into_any(),
    }
}
