//! The controller of the lobby's form: with scripts, each change of the choice or the filter takes effect at once in
//! the lists, the URL and the cookie of the last choice.

use crate::api;
use crate::ui::forms::navigate_to;
use crate::ui::islands::form_action::FormAction;
use crate::ui::lobby::LobbyState;
use crate::ui::lobby::bots::BOT_FIELD;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::{filter, form_dom, rating_slider};
use crate::ui::text::{Language, t};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_protocol::{ClockText, Filter, PlayerId, RatingBounds, SetupText, WaitingPlayer};
use wasm_bindgen::JsValue;

/// The state of the form.
#[derive(Clone, Copy)]
pub(crate) struct LobbyController {
    lobby: LobbyState,
    form_action: FormAction,
    language: Language,
    /// The filter of the shown players.
    pub(crate) filter: RwSignal<Filter>,
    /// The filter as a query string.
    filter_query: StoredValue<String>,
    /// The last valid choice as a query string.
    choice_query: StoredValue<String>,
    /// Whether a request with the choice is under way.
    is_remembering: StoredValue<bool>,
    /// Whether the choice is invalid.
    pub(crate) invalid: RwSignal<bool>,
    /// Whether the visitor has applied a filter on this page.
    pub(crate) applied: RwSignal<bool>,
}

impl LobbyController {
    /// Takes over the form as the server has read it.
    pub(crate) fn new(
        lobby: LobbyState,
        form_action: FormAction,
        language: Language,
        filter: Filter,
        [choice_query, filter_query]: [String; 2],
        invalid: bool,
    ) -> Self {
        Self {
            lobby,
            form_action,
            language,
            filter: RwSignal::new(filter),
            filter_query: StoredValue::new(filter_query),
            choice_query: StoredValue::new(choice_query),
            is_remembering: StoredValue::new(false),
            invalid: RwSignal::new(invalid),
            applied: RwSignal::new(false),
        }
    }

    /// Reads the choice from the form and shows its errors. For event handlers.
    pub(crate) fn read_choice(self) -> Option<Choice> {
        let fields = form_dom::FormValues::current()?;
        let choice = Choice::read(self.lobby.game, &|name| fields.get(name));
        form_dom::mark_invalid(choice.as_ref().err().map_or(&[], Vec::as_slice));
        self.invalid.set(choice.is_err());
        let summary = match choice {
            Ok(choice) => choice.describe(self.language),
            Err(_) => t!(self.language, choice.mistaken).to_owned(),
        };
        form_dom::set_text("chosen", Some(&summary));
        choice.ok()
    }

    /// Handles a change of a field. The URL follows without a new entry in the history.
    pub(crate) fn on_change(self) {
        let choice_query = self.read_choice().map(Choice::query);
        if let Some(choice_query) =
            choice_query.filter(|choice_query| *choice_query != self.choice_query.get_value())
        {
            self.choice_query.set_value(choice_query);
            self.remember_choice();
        }
        let (choice_query, filter_query) =
            (self.choice_query.get_value(), self.filter_query.get_value());
        if let Ok(history) = window().history() {
            let here = format!("/play?{choice_query}{filter_query}");
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&here));
        }
    }

    /// Stores the choice for the next visit. Requests are sent one by one: of two, the older might be answered last.
    fn remember_choice(self) {
        if self.is_remembering.get_value() {
            return;
        }
        self.is_remembering.set_value(true);
        spawn_local(async move {
            let mut sent = None;
            loop {
                let choice_query = self.choice_query.get_value();
                if sent.as_ref() == Some(&choice_query) {
                    break;
                }
                sent = Some(choice_query.clone());
                // If it cannot be stored, the choice is still in the URL.
                drop(api::remember_choice(choice_query).await);
            }
            self.is_remembering.set_value(false);
        });
    }

    /// Handles a press of a button; without scripts each of them submits a form.
    pub(crate) fn on_submit(self, submit: &SubmitEvent) {
        // Creating a table leads to another page, so this form is submitted with scripts, too, unless the choice is
        // invalid.
        if let (true, Some(choice)) = (form_dom::is_create_table(submit), self.read_choice()) {
            form_dom::fill_create_table_form(choice);
            return;
        }
        submit.prevent_default();
        let button = submit.submitter();
        let name = button
            .as_ref()
            .and_then(|button| button.get_attribute("name"));
        match (button, name.as_deref()) {
            (Some(button), Some("opponent")) => self.challenge(button.get_attribute("value")),
            (_, Some("bot")) => self.challenge(form_dom::value_of(BOT_FIELD)),
            (Some(button), Some("quick")) => match button.get_attribute("value").as_deref() {
                Some("cancel") => self.form_action.dispatch(api::cancel_quick_game(), |()| {}),
                Some("join") => self.join(submit),
                _ => self.start_quick_game(),
            },
            (Some(button), Some("open")) => form_dom::toggle_filter_panel(&button),
            (_, Some("reset")) => {
                rating_slider::reset_filter();
                self.apply_filter();
            }
            _ => self.apply_filter(),
        }
    }

    /// Asks for a quick game of the choice.
    fn start_quick_game(self) {
        if let Some(choice) = self.read_choice() {
            let terms = choice.terms();
            self.ask_quick_game(
                terms.setup.kind().to_string(),
                choice.setup_text().into(),
                ClockText(terms.clock.to_string()),
                terms.rated,
                choice.ratings(),
            );
        }
    }

    /// Asks for the quick game that another player waits for.
    fn join(self, submit: &SubmitEvent) {
        let Some(fields) = form_dom::FormValues::of(submit) else {
            return;
        };
        let field = |name| fields.get(name).unwrap_or_default();
        self.ask_quick_game(
            field("game"),
            field("setup").into(),
            ClockText(field("clock")),
            field("rated") == "true",
            // Whoever is chosen by name may have any.
            RatingBounds::default(),
        );
    }

    fn ask_quick_game(
        self,
        game: String,
        setup: SetupText,
        clock: ClockText,
        rated: bool,
        ratings: RatingBounds,
    ) {
        let RatingBounds { min, max } = ratings;
        let call = api::quick_game(game, setup, clock, Some(rated), min, max);
        self.form_action.dispatch(call, |answer| {
            if let Some(table) = answer.match_id {
                navigate_to(&format!("/match/{table}"));
            }
        });
    }

    fn challenge(self, opponent: Option<String>) {
        let opponent = opponent.and_then(|id| id.parse().ok());
        let (Some(opponent), Some(choice)) = (opponent, self.read_choice()) else {
            return;
        };
        let terms = choice.terms();
        // A match with a guest is never rated.
        let with_guest = self.lobby.players.with_untracked(|players| {
            let asked = |player: &&WaitingPlayer| player.id == PlayerId(opponent);
            players
                .iter()
                .find(asked)
                .is_some_and(|player| player.guest)
        });
        let call = api::challenge(
            PlayerId(opponent),
            terms.setup.kind().to_string(),
            choice.setup_text().into(),
            ClockText(terms.clock.to_string()),
            Some(terms.rated && !with_guest),
            None,
        );
        let game = terms.setup.kind();
        let correspondence = terms.is_correspondence();
        self.lobby.focus_outgoing.set_value(true);
        self.form_action.dispatch(call, move |challenged| {
            if let Some(table) = challenged.match_id {
                navigate_to(&format!("/match/{table}"));
            } else if correspondence {
                // The page lists it among those by correspondence.
                navigate_to(&format!("/play?game={game}"));
            }
        });
    }

    /// Reads the filter from the form and applies it.
    fn apply_filter(self) {
        let Some(fields) = form_dom::FormValues::current() else {
            return;
        };
        let name = fields.get("name").unwrap_or_default();
        match Filter::new(form_dom::number("min"), form_dom::number("max"), &name) {
            Ok(filter) => {
                self.filter.set(filter);
                self.applied.set(true);
                self.filter_query
                    .set_value(filter::query(&|name| fields.get(name)));
                form_dom::set_text("filter-note", None);
                self.on_change();
            }
            Err(_) => {
                let wrong = t!(self.language, filter.upside_down);
                form_dom::set_text("filter-note", Some(wrong));
            }
        }
    }
}
