//! What the visitor wants: whom to see, and what to play. It stands in the form; with scripts every change counts at once,
//! in the list, in the address and in what is remembered.

use crate::api;
use crate::ui::forms::load;
use crate::ui::islands::form_action::FormAction;
use crate::ui::lobby::Room;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::{filter, form, track};
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_protocol::{ClockText, Filter, PlayerCard, PlayerId};
use wasm_bindgen::JsValue;

/// What the form comes to.
#[derive(Clone, Copy)]
pub(crate) struct Wishes {
    room: Room,
    errand: FormAction,
    language: Language,
    /// Whom to see.
    pub(crate) filter: RwSignal<Filter>,
    /// The same as the address carries it.
    sifted: StoredValue<String>,
    /// The last choice that can be played, as the address carries it.
    chosen: StoredValue<String>,
    /// Whether the form asks for a game that cannot be.
    pub(crate) mistaken: RwSignal<bool>,
    /// Whether it has been applied here.
    pub(crate) applied: RwSignal<bool>,
}

impl Wishes {
    /// What the server has read.
    pub(crate) fn new(
        room: Room,
        errand: FormAction,
        language: Language,
        filter: Filter,
        [chosen, sifted]: [String; 2],
        mistaken: bool,
    ) -> Self {
        Self {
            room,
            errand,
            language,
            filter: RwSignal::new(filter),
            sifted: StoredValue::new(sifted),
            chosen: StoredValue::new(chosen),
            mistaken: RwSignal::new(mistaken),
            applied: RwSignal::new(false),
        }
    }

    /// Takes in what is chosen to be played. For handlers.
    pub(crate) fn choose(self) -> Option<Choice> {
        let fields = form::Fields::now()?;
        let choice = Choice::read(self.room.game, &|name| fields.get(name));
        form::mark(choice.as_ref().err().map_or(&[], Vec::as_slice));
        self.mistaken.set(choice.is_err());
        let chosen = match choice {
            Ok(choice) => {
                let terms = choice.terms();
                words::terms(self.language, terms.setup, terms.clock, terms.rated)
            }
            Err(_) => say!(self.language, choice.mistaken).to_owned(),
        };
        form::say_in("chosen", Some(&chosen));
        choice.ok()
    }

    /// A field was changed. A reload finds it again; the way back does not lead through every change.
    pub(crate) fn change(self) {
        let chosen = self.choose().map(Choice::query);
        if let Some(chosen) = chosen.filter(|chosen| *chosen != self.chosen.get_value()) {
            self.chosen.set_value(chosen.clone());
            // What cannot be remembered still stands in the address.
            spawn_local(async move { drop(api::remember_choice(chosen).await) });
        }
        let (chosen, sifted) = (self.chosen.get_value(), self.sifted.get_value());
        if let Ok(history) = window().history() {
            let here = format!("/play?{chosen}{sifted}");
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&here));
        }
    }

    /// A button was pressed, each of which sends a form where there are no scripts.
    pub(crate) fn submit(self, submit: &SubmitEvent) {
        // A table has a page of its own, so its form is sent with scripts, too; unless there is something to be corrected
        // first.
        if let (true, Some(choice)) = (form::lays_table(submit), self.choose()) {
            form::fill_lay(choice);
            return;
        }
        submit.prevent_default();
        let button = submit.submitter();
        let name = button
            .as_ref()
            .and_then(|button| button.get_attribute("name"));
        match (button, name.as_deref()) {
            (Some(button), Some("opponent")) => self.challenge(&button),
            (Some(button), Some("open")) => form::turn_panel(&button),
            (_, Some("reset")) => {
                track::clear();
                self.sift();
            }
            _ => self.sift(),
        }
    }

    fn challenge(self, button: &web_sys::Element) {
        let opponent = button.get_attribute("value").and_then(|id| id.parse().ok());
        let (Some(opponent), Some(choice)) = (opponent, self.choose()) else {
            return;
        };
        let terms = choice.terms();
        // Whoever asks a guest can only mean a game that is not rated.
        let with_guest = self.room.players.with_untracked(|players| {
            let asked = |player: &&PlayerCard| player.id == PlayerId(opponent);
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
        );
        self.room.asked.set_value(true);
        self.errand.run(call, |challenged| {
            if let Some(table) = challenged.match_id {
                load(&format!("/match/{table}"));
            }
        });
    }

    /// Takes in whom to see.
    fn sift(self) {
        let Some(fields) = form::Fields::now() else {
            return;
        };
        let name = fields.get("name").unwrap_or_default();
        match Filter::new(form::number("min"), form::number("max"), &name) {
            Ok(filter) => {
                self.filter.set(filter);
                self.applied.set(true);
                self.sifted
                    .set_value(filter::query(&|name| fields.get(name)));
                form::say_in("filter-note", None);
                self.change();
            }
            Err(_) => {
                let wrong = say!(self.language, filter.upside_down);
                form::say_in("filter-note", Some(wrong));
            }
        }
    }
}
