//! What I want to play. It stands in the address, so it survives a reload and needs no scripts.

use crate::play::ClockRule;
use crate::rules::dots::{Opening, Setup as DotsSetup};
use crate::rules::{Kind, Setup};
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use wasm_bindgen::{JsCast, JsValue};

/// The boards that are offered by name.
const BOARDS: [(u8, u8); 3] = [(39, 32), (20, 20), (13, 13)];

/// What a challenge from this page asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choice {
    setup: DotsSetup,
    /// Whether the board is typed and not one of those offered.
    own: bool,
    /// Whether it counts.
    pub(crate) rated: bool,
}

impl Choice {
    /// Reads the fields of the form, or of the address it makes. What is missing or makes no sense takes its default.
    pub(crate) fn read(field: impl Fn(&str) -> Option<String>) -> Self {
        let (board, start) = (field("board"), field("start"));
        let own = board.as_deref() == Some("own");
        let number = |name| field(name).and_then(|text| text.trim().parse::<u8>().ok());
        let size = if own {
            number("width").zip(number("height"))
        } else {
            BOARDS
                .into_iter()
                .find(|size| board.as_ref() == Some(&board_name(*size)))
        };
        let start = OPENINGS
            .into_iter()
            .find(|name| start.as_deref() == Some(opening_name(*name)));
        let (width, height) = size.unwrap_or(BOARDS[0]);
        let of = |start| {
            DotsSetup::new(width, height, start)
                .and_then(DotsSetup::for_match)
                .ok()
        };
        let setup = of(start.unwrap_or_default())
            .or_else(|| of(Opening::Empty))
            .unwrap_or_default();
        Self {
            setup,
            own: own && size.is_some(),
            rated: field("rated").as_deref() != Some("no"),
        }
    }

    /// The address of the waiting room with this choice. What is the default stays out of it.
    pub(crate) fn address(self) -> String {
        let mut address = format!("/play?game={}", Kind::Dots);
        let (width, height) = (self.setup.width(), self.setup.height());
        // Writing into a string cannot fail.
        if self.own {
            let _ = write!(address, "&board=own&width={width}&height={height}");
        } else if (width, height) != BOARDS[0] {
            let _ = write!(address, "&board={}", board_name((width, height)));
        }
        if self.setup.start() != Opening::default() {
            let _ = write!(address, "&start={}", opening_name(self.setup.start()));
        }
        if !self.rated {
            address.push_str("&rated=no");
        }
        address
    }

    /// The game.
    pub(crate) const fn kind(self) -> Kind {
        self.setup().kind()
    }

    /// How the game is set up.
    pub(crate) const fn setup(self) -> Setup {
        Setup::Dots(self.setup)
    }

    /// The same as a challenge carries it.
    pub(crate) fn setup_text(self) -> String {
        let (width, height) = (self.setup.width(), self.setup.height());
        let start = opening_name(self.setup.start());
        format!(r#"{{"width":{width},"height":{height},"start":"{start}"}}"#)
    }
}

const OPENINGS: [Opening; 3] = [Opening::Empty, Opening::Cross, Opening::FourCrosses];

/// The word for an opening, in the address and in a setup.
const fn opening_name(opening: Opening) -> &'static str {
    match opening {
        Opening::Empty => "empty",
        Opening::Cross => "cross",
        Opening::FourCrosses => "four_crosses",
    }
}

fn board_name((width, height): (u8, u8)) -> String {
    format!("{width}x{height}")
}

/// The choice in one line, and the form behind it.
///
/// Without scripts the page reloads itself every five seconds, which would disturb the choosing; `choosing` is the
/// address's word for a page that stands still, with the form open.
#[component]
pub(crate) fn ChoicePanel(choice: RwSignal<Choice>, choosing: bool) -> impl IntoView {
    let language = language();
    let own = RwSignal::new(choice.get_untracked().own);
    let take = move |event: leptos::ev::Event| {
        let form = event
            .current_target()
            .map(JsCast::unchecked_into::<web_sys::HtmlFormElement>);
        let Some(fields) = form.and_then(|form| web_sys::FormData::new_with_form(&form).ok())
        else {
            return;
        };
        let chosen = Choice::read(|name| fields.get(name).as_string());
        own.set(fields.get("board").as_string().as_deref() == Some("own"));
        choice.set(chosen);
        // A reload finds it again; the way back does not lead through every change.
        if let Ok(history) = window().history() {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&chosen.address()));
        }
    };
    let now = choice.get_untracked();
    view! {
        <details class="choice card" open=choosing>
            <summary>
                <h2>{say!(language, choice.title)}</h2>
                <span class="chosen">
                    {move || {
                        let choice = choice.get();
                        words::terms(language, choice.setup(), ClockRule::None, choice.rated)
                    }}
                </span>
            </summary>
            <form
                method="get"
                action="/play"
                on:change=take
                on:submit=move |submit| {
                    submit.prevent_default();
                    take(submit.into());
                }
            >
                <fieldset>
                    <legend>{say!(language, choice.board)}</legend>
                    {BOARDS
                        .map(|board| {
                            view! {
                                <Pick
                                    name="board"
                                    value=board_name(board)
                                    label=words::board(board.0, board.1)
                                    checked=!now.own && (now.setup.width(), now.setup.height()) == board
                                />
                            }
                        })
                        .collect_view()}
                    <Pick
                        name="board"
                        value="own".to_owned()
                        label=say!(language, choice.own).to_owned()
                        checked=now.own
                    />
                    <span class="own" class:unused=move || !own.get()>
                        <Length name="width" label=say!(language, choice.width) value=now.setup.width() />
                        <Length name="height" label=say!(language, choice.height) value=now.setup.height() />
                    </span>
                </fieldset>
                <fieldset>
                    <legend>{say!(language, choice.start)}</legend>
                    {OPENINGS
                        .map(|start| {
                            view! {
                                <Pick
                                    name="start"
                                    value=opening_name(start).to_owned()
                                    label=words::opening(language, start).to_owned()
                                    checked=now.setup.start() == start
                                />
                            }
                        })
                        .collect_view()}
                </fieldset>
                <fieldset>
                    <legend>{say!(language, choice.rating)}</legend>
                    <Pick
                        name="rated"
                        value="yes".to_owned()
                        label=say!(language, choice.rated).to_owned()
                        checked=now.rated
                    />
                    <Pick
                        name="rated"
                        value="no".to_owned()
                        label=say!(language, choice.unrated).to_owned()
                        checked=!now.rated
                    />
                </fieldset>
                <noscript inner_html=submit_button(language)></noscript>
            </form>
        </details>
    }
}

/// With scripts every change counts at once, so the button is for pages without.
fn submit_button(language: Language) -> String {
    format!(
        "<button type=\"submit\">{}</button>",
        say!(language, choice.set)
    )
}

/// One of several that exclude each other.
#[component]
fn Pick(name: &'static str, value: String, label: String, checked: bool) -> impl IntoView {
    view! {
        <label class="pick">
            <input type="radio" name=name value=value checked=checked />
            {label}
        </label>
    }
}

/// A side of one's own board.
#[component]
fn Length(name: &'static str, label: &'static str, value: u8) -> impl IntoView {
    view! {
        <label class="length">
            {label}
            <input
                type="number"
                name=name
                inputmode="numeric"
                min=DotsSetup::SHORTEST_IN_MATCH
                max=DotsSetup::LONGEST
                value=value
            />
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::SetupText;

    #[track_caller]
    fn check(query: &str, address: &str) {
        let field = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.to_owned())
        };
        assert_eq!(Choice::read(field).address(), address, "{query}");
    }

    #[test]
    fn the_setup_of_a_challenge_reads() {
        let choice = Choice::read(|_| None);
        assert_eq!(
            SetupText::from(choice.setup_text()).read(choice.kind()),
            Ok(choice.setup())
        );
    }

    #[test]
    fn the_address_reads_back() {
        for address in [
            "/play?game=dots",
            "/play?game=dots&board=20x20",
            "/play?game=dots&board=own&width=20&height=20&start=cross",
            "/play?game=dots&board=13x13&start=four_crosses&rated=no",
        ] {
            check(address.trim_start_matches("/play?"), address);
        }
    }

    #[test]
    fn nonsense_takes_the_default() {
        check("board=own&width=4&height=999", "/play?game=dots");
        check("board=7x7&start=x&rated=maybe", "/play?game=dots");
        // Four crosses do not fit; the board is what matters more.
        check(
            "board=own&width=8&height=8&start=four_crosses",
            "/play?game=dots&board=own&width=8&height=8",
        );
    }
}
