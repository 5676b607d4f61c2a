//! The quick game: a button, and while the visitor waits, what else there is to do.

use crate::api;
use crate::ui::forms::fields::InvalidFields;
use crate::ui::forms::navigate_to;
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::islands::form_action::FormAction;
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::live::server_clock::seconds_between;
use crate::ui::lobby::LobbyState;
use crate::ui::lobby::bots::{bot_of_strength, level_of};
use crate::ui::lobby::choice::{Choice, with_bounds};
use crate::ui::lobby::choice_form::{BoundsHiddenFields, ChoiceHiddenFields};
use crate::ui::terms::{describe_terms, time_control};
use crate::ui::text::{language, t};
use crate::ui::view::{live, view};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use std::time::Duration;
use tochki_play::ClockRule;
use tochki_protocol::{ClockText, QuickGame, limits};

/// The `id` of the form that asks for a quick game without scripts.
const FORM: &str = "quick-game-form";

/// The `id` of the form that ends the waiting.
const CANCEL_FORM: &str = "cancel-quick-game-form";

/// The clock that is proposed to who waits in vain.
const PROPOSED_CLOCK: ClockRule = ClockRule::DaysPerMove { days: 3 };

/// The forms without scripts: the choice as a quick game, and the end of waiting.
#[component]
pub(crate) fn QuickGameForms(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    view! {
        <form id=FORM action=api::StartQuickGame::url() method="post" hidden>
            <ChoiceHiddenFields choice=choice.clone() />
            <BoundsHiddenFields choice />
        </form>
        <form id=CANCEL_FORM action=api::CancelQuickGame::url() method="post" hidden></form>
    }
}

/// The button, or the waiting. The presses are handled by the controller.
#[component]
pub(crate) fn QuickGameCard(
    lobby: LobbyState,
    /// Whether the choice is invalid.
    invalid: RwSignal<bool>,
    form_action: FormAction,
) -> impl IntoView {
    let language = language();
    let waiting = Memo::new(move |_| lobby.my_quick_game());
    let rendered_seconds = waiting
        .get_untracked()
        .map_or(0, |quick| seconds_between(quick.since, lobby.rendered_at.0));
    // Seconds of waiting.
    let elapsed = RwSignal::new(rendered_seconds);
    // The next time of waiting after which something else is proposed.
    let proposal = RwSignal::new(limits::QUICK_GAME_PROPOSALS[0]);
    effect(move || {
        let Some(quick) = waiting.get() else {
            elapsed.set(0);
            proposal.set(limits::QUICK_GAME_PROPOSALS[0]);
            return;
        };
        let Some(since_ms) = lobby.server_clock.to_browser_ms(quick.since) else {
            return;
        };
        let update = move || elapsed.set(((browser_now_ms() - since_ms) / 1000.0).max(0.0) as u32);
        update();
        if let Ok(timer) = set_interval_with_handle(update, limits::COUNTDOWN_TICK_INTERVAL) {
            on_cleanup(move || timer.clear());
        }
    });
    let proposes = Memo::new(move |_| {
        waiting.get().is_some() && Duration::from_secs(elapsed.get().into()) >= proposal.get()
    });
    let keep = move |_| {
        let waited = Duration::from_secs(elapsed.get_untracked().into());
        let later = limits::QUICK_GAME_PROPOSALS
            .into_iter()
            .find(|time| *time > waited);
        proposal.set(later.unwrap_or(Duration::MAX));
    };
    let text = move || match waiting.get() {
        None => t!(language, quick.note).to_owned(),
        Some(QuickGame {
            setup,
            clock,
            rated,
            ratings,
            ..
        }) => with_bounds(
            language,
            describe_terms(language, setup, clock, rated),
            ratings,
        ),
    };
    let status = move || {
        if proposes.get() {
            t!(language, quick.none_yet)
        } else if waiting.get().is_some() {
            t!(language, quick.seeking)
        } else {
            ""
        }
    };
    let time = move || {
        waiting.get().map(|_| {
            let seconds = elapsed.get();
            format!("{}:{:02}", seconds / 60, seconds % 60)
        })
    };
    let is_waiting = move || waiting.get().is_some();
    // The bot that fits now, while it is proposed.
    let bot = Memo::new(move |_| {
        let quick = waiting.get().filter(|_| proposes.get())?;
        lobby.players.with(|players| {
            let bot = bot_of_strength(players, lobby.me, quick.ratings)?;
            Some((bot.id, level_of(bot)?))
        })
    });
    let bot_button = move || {
        bot.get().map(|(id, level)| {
            view! {
                <button
                    type="submit"
                    form="challenge-form"
                    name="opponent"
                    value=id.0
                    disabled=form_action.pending
                >
                    {t!(language, quick.bot, level = level)}
                </button>
            }
        })
    };
    // Who waits in vain may let somebody answer while they are away.
    let propose_days = move |_| {
        let Some(quick) = waiting.get_untracked() else {
            return;
        };
        let call = api::quick_game(
            quick.setup.kind().to_string(),
            games::setup_fields(&quick.setup).json().into(),
            ClockText(PROPOSED_CLOCK.to_string()),
            Some(quick.rated),
            quick.ratings.min,
            quick.ratings.max,
        );
        form_action.dispatch(call, move |answer| {
            if let Some(id) = answer.match_id {
                navigate_to(&format!("/match/{id}"));
            }
        });
    };
    view! {
        <section class="card quick-game" aria-label=t!(language, quick.button)>
            <p class="seeking" class:unused=move || !is_waiting()>
                <span role="status">{status}</span>
                <span class="time" role="timer" aria-live="off" {..live()}>
                    {time}
                </span>
            </p>
            <p class="note">{text}</p>
            <div class="button-row">
                <button
                    type="submit"
                    form=FORM
                    name="quick"
                    value="start"
                    class:unused=is_waiting
                    disabled=move || form_action.pending.get() || invalid.get()
                >
                    {t!(language, quick.button)}
                </button>
                {bot_button}
                <button
                    type="button"
                    class="quiet with-scripts"
                    class:unused=move || !proposes.get()
                    title=time_control(language, PROPOSED_CLOCK)
                    disabled=form_action.pending
                    on:click=propose_days
                >
                    {t!(language, quick.correspondence)}
                </button>
                <button type="button" class="quiet with-scripts" class:unused=move || !proposes.get() on:click=keep>
                    {t!(language, quick.keep)}
                </button>
                <button
                    type="submit"
                    form=CANCEL_FORM
                    name="quick"
                    value="cancel"
                    class="quiet"
                    class:unused=move || !is_waiting()
                    disabled=form_action.pending
                >
                    {t!(language, quick.cancel)}
                </button>
            </div>
        </section>
    }
}
