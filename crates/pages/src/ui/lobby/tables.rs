//! Open tables to sit down at, and the form that creates one.

use crate::api;
use crate::ui::forms::fields::InvalidFields;
use crate::ui::lobby::LobbyState;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::choice_form::ChoiceHiddenFields;
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
use tochki_protocol::{PlayerId, Table};

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
                <RatingBounds />
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

/// The bounds of the opponent's rating, shown while a clock of days is chosen: such a game begins when somebody sits down.
#[component]
fn RatingBounds() -> impl IntoView {
    let language = language();
    let bound = |name: &'static str, label: &'static str| {
        view! {
            <label>
                {label}
                <input
                    type="number"
                    form=CREATE_TABLE_FORM
                    name=name
                    min="0"
                    max="9999"
                    placeholder=t!(language, filter.any)
                    autocomplete="off"
                />
            </label>
        }
    };
    view! {
        <fieldset class="rating-bounds">
            <legend>{t!(language, paces.bounds)}</legend>
            {bound("min_rating", t!(language, filter.from))} " "
            {bound("max_rating", t!(language, filter.to))}
        </fieldset>
    }
}

/// Returns the ratings with which a player may sit down, such as `1200–1800`; `None` if with any.
fn bounds(table: &Table) -> Option<String> {
    match (table.min_rating, table.max_rating) {
        (None, None) => None,
        (Some(min), Some(max)) => Some(format!("{min}–{max}")),
        (Some(min), None) => Some(format!("≥ {min}")),
        (None, Some(max)) => Some(format!("≤ {max}")),
    }
}

#[component]
fn Row(me: PlayerId, table: Table) -> impl IntoView {
    let language = language();
    let page = format!("/t/{}", table.link);
    let mut terms = describe_terms(language, table.setup, table.clock, table.rated);
    if let Some(bounds) = bounds(&table) {
        terms = format!("{terms}, {}: {bounds}", t!(language, paces.bounds));
    }
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
            <ChoiceHiddenFields choice />
        </form>
    }
}
