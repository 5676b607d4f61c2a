//! Open tables to sit down at, and the form that creates one.

use crate::api;
use crate::ui::forms::fields::InvalidFields;
use crate::ui::lobby::LobbyState;
use crate::ui::lobby::choice::{Choice, with_bounds};
use crate::ui::lobby::choice_form::{BoundsHiddenFields, ChoiceHiddenFields};
use crate::ui::lobby::form_dom::CREATE_TABLE_FORM;
use crate::ui::terms::describe_terms;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::list::{Entry, List};
use crate::ui::widgets::player_name::GuestMark;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::Pace;
use tochki_protocol::limits;
use tochki_protocol::{PlayerId, RatingBounds, Table};

/// The list, oldest first, and below it the name field for a new table.
#[component]
pub(crate) fn Tables(lobby: LobbyState) -> impl IntoView {
    let language = language();
    let me = lobby.me;
    let by_pace = move |pace: Pace| {
        let tables = lobby.tables.get().into_iter();
        tables.filter(move |table| table.clock.pace() == pace)
    };
    let none = move || by_pace(Pace::Live).next().is_none();
    let no_seeks = move || by_pace(Pace::Correspondence).next().is_none();
    let entries = move |pace: Pace| {
        let entry = |table: Table| {
            // Only what the row shows is part of the key, so that other changes do not render it again.
            let key = (table.id, table.rated, table.seated_players().count());
            Entry::new(key, move || view! { <Row me table /> })
        };
        by_pace(pace).map(entry).collect()
    };
    view! {
        <section class="card tables" aria-labelledby="tables-title">
            <h2 id="tables-title">{t!(language, tables.title)}</h2>
            // Sitting down leads to another page, so these forms are submitted with scripts, too.
            <ul on:submit=|submit| submit.stop_propagation()>
                <List entries=Box::new(move || entries(Pace::Live)) />
            </ul>
            <p class="empty">{move || none().then(|| t!(language, tables.none))}</p>
            <div class="create-table">
                <label for="table-name">{t!(language, tables.name)}</label>
                <input
                    id="table-name"
                    form=CREATE_TABLE_FORM
                    name="name"
                    maxlength=limits::TABLE_NAME_MAX_CHARS
                    autocomplete="off"
                    aria-describedby="create-table-note"
                />
                <button type="submit" form=CREATE_TABLE_FORM>
                    {t!(language, tables.open)}
                </button>
                <p id="create-table-note" class="note">
                    {t!(language, tables.note)}
                </p>
            </div>
        </section>
        <section class="card tables" class:unused=no_seeks aria-labelledby="seeks-title">
            <h2 id="seeks-title">{t!(language, paces.days_title)}</h2>
            <ul on:submit=|submit| submit.stop_propagation()>
                <List entries=Box::new(move || entries(Pace::Correspondence)) />
            </ul>
        </section>
    }
}

#[component]
fn Row(me: PlayerId, table: Table) -> impl IntoView {
    let language = language();
    let page = format!("/t/{}", table.link);
    let terms = describe_terms(language, table.setup, table.clock, table.rated);
    let bounds = RatingBounds {
        min: table.min_rating,
        max: table.max_rating,
    };
    let terms = with_bounds(language, terms, bounds);
    let sits = table.seated_player(me).is_some();
    let act = if sits {
        view! {
            <a class="button quiet" href=page.clone()>
                {t!(language, tables.to_yours)}
            </a>
        }
        .into_any()
    } else if !table.has_free_seat() {
        view! { <span class="note">{t!(language, tables.full)}</span> }.into_any()
    } else {
        let label = t!(language, tables.sit_where, name = &table.name);
        view! {
            <form action=api::Sit::url() method="post">
                <input type="hidden" name="table" value=table.id.0 />
                <button type="submit" aria-label=label>
                    {t!(language, tables.sit)}
                </button>
            </form>
        }
        .into_any()
    };
    view! {
        <li>
            <a class="table-name" href=page>
                <bdi>{table.name}</bdi>
            </a>
            <span class="by">
                {t!(language, tables.by, name = &table.creator.name)}
                <GuestMark guest=table.creator.guest bot=table.creator.bot />
            </span>
            <span class="terms">{terms}</span>
            {act}
        </li>
    }
}

/// The hidden fields of the form that creates a table. With scripts they are filled in on submit.
#[component]
pub(crate) fn CreateTableForm(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    view! {
        <form id=CREATE_TABLE_FORM action=api::CreateTable::url() method="post" hidden>
            <ChoiceHiddenFields choice=choice.clone() />
            <BoundsHiddenFields choice />
        </form>
    }
}
