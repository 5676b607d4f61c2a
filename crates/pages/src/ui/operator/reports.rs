//! The reported messages that wait for an operator.

use crate::ui::operator::moderation_form::ModerationForm;
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::{Account, ChatAudience, ChatPlace, Report};

/// A page of the reported messages, the one first reported first.
#[component]
pub(crate) fn Reports(reports: Vec<Report>, waiting: u32, page: u32, more: bool) -> impl IntoView {
    let language = language();
    let empty = reports
        .is_empty()
        .then(|| view! { <p class="empty">{t!(language, operator.no_reports)}</p> });
    let reports = reports
        .into_iter()
        .map(|report| view! { <OneReport report /> })
        .collect_view();
    let way = |page: u32, text: &'static str| view! { <a href=format!("/operator?reports={page}")>{text}</a> };
    let earlier = (page > 0).then(|| way(page - 1, t!(language, operator.older)));
    let later = more.then(|| way(page + 1, t!(language, operator.newer)));
    view! {
        <section class="card" aria-labelledby="reports">
            <h2 id="reports">{t!(language, operator.reports, waiting = waiting)}</h2>
            {empty}
            <ul class="reports">{reports}</ul>
            <p class="button-row">{earlier} {later}</p>
        </section>
    }
}

#[component]
fn OneReport(report: Report) -> impl IntoView {
    let language = language();
    let Report {
        id,
        count,
        message,
        from,
        about,
        place,
        chat,
        text,
        said_at,
        reason,
        more_reasons,
        at,
    } = report;
    let place = match place {
        ChatPlace::Lobby => view! { {t!(language, waiting.title)} }.into_any(),
        // A table is gone soon; the report has what was said there.
        ChatPlace::Table(_) => {
            view! { {t!(language, open_table.title)} " " {t!(language, operator.to_players)} }
                .into_any()
        }
        ChatPlace::Match(id) => {
            let to = match chat {
                ChatAudience::Spectators => t!(language, operator.to_spectators),
                _ => t!(language, operator.to_players),
            };
            view! {
                <a href=format!("/match/{id}")>{t!(language, operator.at_match, id = id)}</a>
                " "
                {to}
            }
            .into_any()
        }
    };
    let reasons = [reason].into_iter().chain(more_reasons);
    let reasons: Vec<_> = reasons.filter(|reason| !reason.is_empty()).collect();
    let reason = (!reasons.is_empty()).then(|| {
        let reasons = reasons.into_iter();
        view! {
            <dt>{t!(language, operator.reason)}</dt>
            {reasons.map(|reason| view! { <dd dir="auto">{reason}</dd> }).collect_view()}
        }
    });
    let others = (count > 1).then(|| t!(language, operator.and_others, count = count - 1));
    let removed = message
        .is_none()
        .then(|| view! { <p class="note">{t!(language, operator.said_removed)}</p> });
    view! {
        <li class="report">
            <blockquote dir="auto">{text}</blockquote>
            {removed}
            <dl>
                <dt>{t!(language, operator.said_by)}</dt>
                <dd>
                    <Who player=about.clone().map(|about| about.player) />
                    ", "
                    {place}
                    ", "
                    <DateTime at=said_at />
                </dd>
                <dt>{t!(language, operator.reported_by)}</dt>
                <dd>
                    <Who player=from />
                    ", "
                    <DateTime at />
                    " "
                    {others}
                </dd>
                {reason}
            </dl>
            <ModerationForm about report=Some(id) message />
        </li>
    }
}

/// A player, whose account may be deleted.
#[component]
fn Who(player: Option<Account>) -> impl IntoView {
    match player {
        Some(player) => {
            view! { <PlayerName name=player.name guest=player.guest bot=player.bot /> }.into_any()
        }
        None => view! { {t!(language(), name.deleted)} }.into_any(),
    }
}
