//! What I want to play. It stands in the address, so it survives a reload and needs no scripts.

use crate::rules::dots::{Opening, Setup as DotsSetup};
use crate::rules::{Kind, Setup};
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;
use leptos_router::params::ParamsMap;
use std::fmt::Write;
use wasm_bindgen::JsCast;

/// The boards that are offered by name.
const BOARDS: [(u8, u8); 3] = [(39, 32), (20, 20), (13, 13)];

/// What a challenge from this page asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    setup: DotsSetup,
    /// Whether the board is typed and not one of those offered.
    own: bool,
    /// Whether it counts.
    pub(crate) rated: bool,
}

impl Choice {
    /// Reads the query of the waiting room. What is missing or makes no sense takes its default.
    pub(crate) fn read(query: &ParamsMap) -> Self {
        let own = query.get_str("board") == Some("own");
        let number = |name| {
            query
                .get_str(name)
                .and_then(|text| text.trim().parse::<u8>().ok())
        };
        let size = if own {
            number("width").zip(number("height"))
        } else {
            BOARDS
                .into_iter()
                .find(|board| query.get_str("board") == Some(&board_name(*board)))
        };
        let start = OPENINGS
            .into_iter()
            .find(|start| query.get_str("start") == Some(opening_name(*start)));
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
            rated: query.get_str("rated") != Some("no"),
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

    /// The game and how it is set up.
    pub(crate) const fn setup(self) -> Setup {
        Setup::Dots(self.setup)
    }
}

const OPENINGS: [Opening; 3] = [Opening::Empty, Opening::Cross, Opening::FourCrosses];

/// The word for an opening in the address.
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
pub(crate) fn ChoicePanel(choice: Memo<Choice>, choosing: bool) -> impl IntoView {
    let language = language();
    let navigate = use_navigate();
    let own = RwSignal::new(choice.get_untracked().own);
    let take = move |event: leptos::ev::Event| {
        let form = event
            .current_target()
            .map(JsCast::unchecked_into::<web_sys::HtmlFormElement>);
        let Some(fields) = form.and_then(|form| web_sys::FormData::new_with_form(&form).ok())
        else {
            return;
        };
        let mut query = ParamsMap::new();
        for name in ["board", "width", "height", "start", "rated"] {
            if let Some(value) = fields.get(name).as_string() {
                query.insert(name, value);
            }
        }
        own.set(query.get_str("board") == Some("own"));
        let options = NavigateOptions {
            replace: true,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&Choice::read(&query).address(), options);
    };
    let now = choice.get_untracked();
    view! {
        <details class="choice card" open=choosing>
            <summary>
                <h2>{say!(language, choice.title)}</h2>
                <span class="chosen">
                    {move || {
                        let choice = choice.get();
                        words::terms(language, choice.setup(), choice.rated)
                    }}
                </span>
            </summary>
            <form
                method="get"
                action="/play"
                on:change=take.clone()
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
    .into_any()
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

    #[track_caller]
    fn check(query: &str, address: &str) {
        let mut map = ParamsMap::new();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            map.insert(name.to_owned(), value.to_owned());
        }
        assert_eq!(Choice::read(&map).address(), address, "{query}");
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
