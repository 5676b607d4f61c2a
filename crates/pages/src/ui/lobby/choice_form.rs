//! The form of the choice, with a summary in one line. The server renders it; `controller` handles it in a browser.

use crate::api;
use crate::ui::forms::fields::{InvalidFields, RadioButton};
use crate::ui::games::GameFields;
use crate::ui::lobby::choice::{BOUNDS, Choice};
use crate::ui::lobby::clock::ClockFields;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::params::ParamsMap;
use tochki_protocol::RatingBounds;
use tochki_rules::GameKind;

/// The form. The fields of the filter belong to it, too, so that any submit button sends both.
///
/// Without scripts the page reloads itself again and again, which would disturb the choice; `open` is for the static page with
/// the form open.
#[component]
pub(crate) fn ChoiceForm(
    game: GameKind,
    /// The values of the fields.
    values: ParamsMap,
    /// The choice read from the values.
    choice: Result<Choice, InvalidFields>,
    open: bool,
    /// The URL of the static page.
    still: String,
) -> impl IntoView {
    let language = language();
    let invalid = choice.as_ref().err().cloned().unwrap_or_default();
    let rated = values.get_str("rated") != Some("no");
    let to_correct = !invalid.is_empty();
    let chosen = choice.map(|choice| choice.describe(language));
    let bounds = BOUNDS.map(|field| {
        let value = values.get(field).unwrap_or_default();
        (field, value, invalid.contains(&field))
    });
    view! {
        <form id="lobby-form" class="choice card" method="get" action="/play" novalidate autocomplete="off">
            <input type="hidden" name="game" value=game.id() />
            <details open=open || to_correct>
                <summary>
                    <h2>{t!(language, choice.title)}</h2>
                    <span id="chosen" class="chosen" aria-live="polite">
                        {chosen.unwrap_or_else(|_| t!(language, choice.mistaken).to_owned())}
                    </span>
                    // Seen where bots alone wait, whose games are unrated.
                    <span class="with-people">{t!(language, choice.with_people)}</span>
                </summary>
                <div class="fields">
                    <GameFields game values=values.clone() invalid=invalid.clone() />
                    <ClockFields values invalid />
                    <fieldset>
                        <legend>{t!(language, choice.rating)}</legend>
                        <RadioButton name="rated" value="yes" label=t!(language, choice.rated) checked=rated />
                        <RadioButton name="rated" value="no" label=t!(language, choice.unrated) checked=!rated />
                    </fieldset>
                    <RatingBoundsFields bounds />
                </div>
                // With scripts every change takes effect at once. The button remains, so that Enter in a field works.
                <button type="submit" class="set without-scripts">
                    {t!(language, choice.set)}
                </button>
            </details>
            <p class="choose without-scripts">
                <a href=still>{t!(language, choice.in_peace)}</a>
            </p>
        </form>
    }
}

/// The bounds of the rating of an opponent who is looked for: by a quick game, or by an open game of days.
#[component]
fn RatingBoundsFields(
    /// The fields, with their texts, and whether they are invalid.
    bounds: [(&'static str, String, bool); 2],
) -> impl IntoView {
    let language = language();
    let labels = [t!(language, filter.from), t!(language, filter.to)];
    let fields = labels
        .into_iter()
        .zip(bounds)
        .map(|(label, (name, value, invalid))| {
            view! {
                <label>
                    {label} " "
                    <input
                        id=name
                        type="number"
                        name=name
                        inputmode="numeric"
                        min=*RatingBounds::RANGE.start()
                        max=*RatingBounds::RANGE.end()
                        value=value
                        placeholder=t!(language, filter.any)
                        aria-invalid=invalid.then_some("true")
                    />
                </label>
            }
        });
    view! {
        <fieldset class="rating-bounds">
            <legend>{t!(language, paces.bounds)}</legend>
            {fields.collect_view()}
        </fieldset>
    }
}

/// The form that each challenge button submits without scripts; empty if the choice is invalid.
#[component]
pub(crate) fn ChallengeForm(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    view! {
        <form id="challenge-form" action=api::IssueChallenge::url() method="post" hidden>
            <ChoiceHiddenFields choice />
        </form>
    }
}

/// The bounds of the choice as hidden fields, beside [`ChoiceHiddenFields`].
#[component]
pub(crate) fn BoundsHiddenFields(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    choice.ok().map(|choice| {
        let RatingBounds { min, max } = choice.ratings();
        let fields = BOUNDS.into_iter().zip([min, max]).map(|(name, bound)| {
            let bound = bound.map_or_else(String::new, |bound| bound.to_string());
            view! { <input type="hidden" name=name value=bound /> }
        });
        fields.collect_view()
    })
}

/// The terms of the choice as hidden fields.
#[component]
pub(crate) fn ChoiceHiddenFields(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    choice.ok().map(|choice| {
        let terms = choice.terms();
        view! {
            <input type="hidden" name="game" value=terms.setup.kind().id() />
            <input type="hidden" name="setup" value=choice.setup_text() />
            <input type="hidden" name="clock" value=terms.clock.to_string() />
            <input type="hidden" name="rated" value=if terms.rated { "true" } else { "false" } />
        }
    })
}
