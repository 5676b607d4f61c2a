//! The operator's page.

use crate::api;
use crate::ui::islands::form_action::form_error;
use crate::ui::operator::{AuditLog, LeagueForm, MarkedNames, PlayerSearch, Reports};
use crate::ui::page::PageError;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::text::errors::error_text;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_protocol::Code;

/// `/operator`: reports (`?reports=`, from 0), players by name (`?find=`), the audit log (`?page=`, from 0). Anybody but operators gets
/// the page for unknown paths.
#[component]
pub(crate) fn OperatorPage() -> impl IntoView {
    let language = language();
    let (find, reports_page, page) = use_query_map().with_untracked(|query| {
        let number = |name| query.get_str(name).and_then(|page| page.parse().ok());
        (
            query.get("find").unwrap_or_default(),
            number("reports").unwrap_or(0),
            number("page").unwrap_or(0),
        )
    });
    let asked = find.clone();
    let overview =
        load(move || api::moderation_overview(Some(asked.clone()), Some(reports_page), Some(page)));
    let marked = load(api::marked_names);
    let refused = form_error::<api::OperatorMute>()
        .or_else(form_error::<api::OperatorClose>)
        .or_else(form_error::<api::OperatorDismiss>)
        .or_else(form_error::<api::OperatorRemoveMessage>)
        .or_else(form_error::<api::OperatorAnnulAll>)
        .or_else(form_error::<api::OpenLeague>)
        .map(|error| error_text(language, &error));
    view! {
        <Suspense>
            {move || {
                let find = find.clone();
                Suspend::new(async move {
                    match overview.await {
                        Ok(overview) => {
                            let names = marked.await.unwrap_or_default();
                            view! {
                                <Title text=t!(language, operator.title) />
                                <InfoStylesheet />
                                <h1>{t!(language, operator.title)}</h1>
                                <p>
                                    <a href="/operator/house">{t!(language, operator.to_house)}</a> " · "
                                    <a href="/operator/rings">{t!(language, operator.to_rings)}</a>
                                </p>
                                <p role="alert" class="refusal">
                                    {refused}
                                </p>
                                <div class="moderation">
                                    <Reports
                                        reports=overview.reports
                                        waiting=overview.waiting
                                        page=reports_page
                                        more=overview.more_reports
                                    />
                                    <PlayerSearch find players=overview.found />
                                    <MarkedNames names />
                                    <LeagueForm />
                                    <AuditLog acts=overview.audit page more=overview.more />
                                </div>
                            }
                                .into_any()
                        }
                        Err(error) if matches!(error.code, Code::SignedOut | Code::NotOperator) => {
                            view! { <NotFound /> }.into_any()
                        }
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}
