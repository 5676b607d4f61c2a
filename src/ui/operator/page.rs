//! The operator's desk.

use crate::api;
use crate::ui::islands::form_action::refused;
use crate::ui::operator::{Audit, Found, Reports};
use crate::ui::shell::not_found::Missing;
use crate::ui::shell::page::Trouble;
use crate::ui::stats::ClubSheet;
use crate::ui::text::errors::refusal;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use tochki_protocol::Code;

/// `/operator`: what was reported, players by name (`?find=`), what was done (`?page=`, from 0). For everybody but the
/// operator there is no such page.
#[component]
pub(crate) fn Operator() -> impl IntoView {
    let language = language();
    let (find, page) = use_query_map().with_untracked(|query| {
        let page = query.get_str("page").and_then(|page| page.parse().ok());
        (query.get("find").unwrap_or_default(), page.unwrap_or(0))
    });
    let asked = find.clone();
    let desk = Resource::new_blocking(
        || (),
        move |()| api::operator_desk(Some(asked.clone()), Some(page)),
    );
    let refused = refused::<api::OperatorMute>()
        .or_else(refused::<api::OperatorClose>)
        .or_else(refused::<api::OperatorDismiss>)
        .map(|error| refusal(language, &error));
    view! {
        <Suspense>
            {move || {
                let find = find.clone();
                Suspend::new(async move {
                    match desk.await {
                        Ok(desk) => {
                            view! {
                                <Title text=say!(language, operator.title) />
                                <ClubSheet />
                                <h1>{say!(language, operator.title)}</h1>
                                <p role="alert" class="refusal">
                                    {refused}
                                </p>
                                <div class="desk">
                                    <Reports reports=desk.reports waiting=desk.waiting />
                                    <Found find players=desk.found />
                                    <Audit acts=desk.audit page more=desk.more />
                                </div>
                            }
                                .into_any()
                        }
                        Err(error) if matches!(error.code, Code::SignedOut | Code::NotOperator) => {
                            view! { <Missing /> }.into_any()
                        }
                        Err(error) => view! { <Trouble error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}
