//! Challenges by correspondence: those to the visitor, and the form on a profile that sends one. The server renders them.

use crate::api;
use crate::ui::forms::fields::RadioButton;
use crate::ui::games;
use crate::ui::terms::{describe_terms, time_control};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::ClockRule;
use tochki_protocol::{Challenge, PlayerId};
use tochki_rules::GameKind;

/// The open challenges by correspondence from and to the visitor; nothing without any.
#[component]
pub(crate) fn CorrespondenceChallenges(me: PlayerId, challenges: Vec<Challenge>) -> impl IntoView {
    let language = language();
    if challenges.is_empty() {
        return None;
    }
    let rows = challenges.into_iter().map(|challenge| {
        let mine = challenge.from.id == me;
        let id = challenge.id.0;
        let terms = describe_terms(language, challenge.setup, challenge.clock, challenge.rated);
        let other = if mine { challenge.to } else { challenge.from };
        let actions = if mine {
            view! {
                <form action=api::CancelChallenge::url() method="post">
                    <input type="hidden" name="id" value=id />
                    <button type="submit" class="quiet">
                        {t!(language, calls.cancel)}
                    </button>
                </form>
            }
            .into_any()
        } else {
            let answer = |accept: &'static str, class: &'static str, label: &'static str| {
                view! {
                    <form action=api::AnswerChallenge::url() method="post">
                        <input type="hidden" name="id" value=id />
                        <input type="hidden" name="accept" value=accept />
                        <button type="submit" class=class>
                            {label}
                        </button>
                    </form>
                }
            };
            view! {
                {answer("true", "", t!(language, calls.accept))}
                {answer("false", "quiet", t!(language, calls.decline))}
            }
            .into_any()
        };
        view! {
            <li>
                <span>
                    {if mine { t!(language, paces.sent) } else { t!(language, paces.received) }} " "
                    <PlayerName name=other.name guest=other.guest bot=other.bot linked=true />
                </span>
                <span class="terms">{terms}</span>
                {actions}
            </li>
        }
    });
    Some(view! {
        <section class="card tables" aria-labelledby="letters-title">
            <h2 id="letters-title">{t!(language, paces.challenges_title)}</h2>
            <ul>{rows.collect_view()}</ul>
        </section>
    })
}

/// The clock that is chosen first.
const USUAL_CLOCK: ClockRule = ClockRule::DaysPerMove { days: 3 };

/// Clocks with an increment: initial time, increment and cap in hours.
const INCREMENTS: [[u32; 3]; 4] = [[24, 8, 72], [72, 24, 168], [168, 24, 336], [336, 48, 672]];

/// Returns the clocks that are offered: all of days for a move, and some with an increment.
fn clocks() -> impl Iterator<Item = ClockRule> {
    let per_move = ClockRule::DAYS_PER_MOVE.map(|days| ClockRule::DaysPerMove { days });
    let growing = INCREMENTS.map(|[initial, increment, cap]| ClockRule::FischerDays {
        initial,
        increment,
        cap,
    });
    per_move.into_iter().chain(growing)
}

/// The form that challenges the player of a profile by correspondence.
#[component]
pub(crate) fn CorrespondenceForm(
    /// The challenged player.
    opponent: PlayerId,
    name: String,
    /// The game that is shown. The links to the others show the form with their boards.
    game: GameKind,
    /// Whether the form is open at once.
    open: bool,
    /// Whether one of the two is a guest.
    guest: bool,
) -> impl IntoView {
    let language = language();
    let games = GameKind::ALL.iter().map(|&kind| {
        let path = format!("/@{name}?game={kind}&challenge=open#challenge");
        view! {
            <li>
                <a href=path aria-current=(kind == game).then_some("true")>
                    {games::title(language, kind)}
                </a>
            </li>
        }
    });
    let boards = games::offered_setups(game).into_iter().map(|setup| {
        let fields = games::setup_fields(&setup);
        view! { <option value=fields.json()>{fields.describe(language)}</option> }
    });
    let clocks = clocks().map(|clock| {
        view! {
            <option value=clock.to_string() selected=clock == USUAL_CLOCK>
                {time_control(language, clock)}
            </option>
        }
    });
    view! {
        <details class="card challenge-by-correspondence" id="challenge" open=open>
            <summary>{t!(language, paces.challenge)}</summary>
            <nav class="game-row" aria-label=t!(language, paces.game)>
                <ul>{games.collect_view()}</ul>
            </nav>
            <form action=api::IssueChallenge::url() method="post" class="correspondence-form">
                <input type="hidden" name="opponent" value=opponent.0 />
                <input type="hidden" name="next" value=format!("/@{name}?challenge=sent") />
                <input type="hidden" name="game" value=game.id() />
                <label>
                    {t!(language, choice.board)} " "
                    <select name="setup">{boards.collect_view()}</select>
                </label>
                <label>
                    {t!(language, paces.clock)} " "
                    <select name="clock">{clocks.collect_view()}</select>
                </label>
                <span class="button-row">
                    {(!guest)
                        .then(|| {
                            view! {
                                <RadioButton name="rated" value="true" label=t!(language, choice.rated) checked=true />
                            }
                        })}
                    <RadioButton name="rated" value="false" label=t!(language, choice.unrated) checked=guest />
                </span>
                <p class="note">{t!(language, paces.challenge_note)}</p>
                <button type="submit">{t!(language, waiting.challenge)}</button>
            </form>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr as _;

    #[test]
    fn every_clock_that_is_offered_is_one() {
        let offered: Vec<ClockRule> = clocks().collect();
        for clock in &offered {
            assert_eq!(ClockRule::from_str(&clock.to_string()), Ok(*clock));
        }
        assert!(offered.contains(&USUAL_CLOCK));
    }
}
