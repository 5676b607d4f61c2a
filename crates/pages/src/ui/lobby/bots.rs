//! The house bots in one row: a level to choose, and a button.

use crate::api;
use crate::ui::forms::fields::InvalidFields;
use crate::ui::lobby::LobbyState;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::choice_form::ChoiceHiddenFields;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{PlayerId, RatingBounds, WaitingPlayer, house_bot_of, limits};

/// The `id` of the field with the chosen bot.
pub(crate) const BOT_FIELD: &str = "bot-level";

/// The `id` of the form that challenges it without scripts.
const FORM: &str = "bot-form";

/// Returns the level of a house bot; `None` for any other player.
pub(crate) fn level_of(player: &WaitingPlayer) -> Option<u8> {
    let level = house_bot_of(&player.name).filter(|_| player.bot);
    level.map(|(_, level)| level)
}

/// Returns the waiting house bot within these bounds whose rating is nearest to that of a player. Whoever has no rating that says
/// something gets one for beginners.
pub(crate) fn bot_of_strength(
    players: &[WaitingPlayer],
    me: PlayerId,
    ratings: RatingBounds,
) -> Option<&WaitingPlayer> {
    let rated = |player: &&WaitingPlayer| player.id == me && !player.guest && !player.provisional;
    let rating = players.iter().find(rated).map(|player| player.rating);
    let rating = rating.unwrap_or(limits::HOUSE_BOT_LEVEL_2_RATING);
    let distance = |player: &&WaitingPlayer| (player.rating - rating).abs();
    players
        .iter()
        .filter(|player| level_of(player).is_some() && ratings.contain(Some(player.rating)))
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))
}

/// The form of the row without scripts; empty if the choice is invalid.
#[component]
pub(crate) fn BotForm(choice: Result<Choice, InvalidFields>) -> impl IntoView {
    view! {
        <form id=FORM action=api::IssueChallenge::url() method="post" hidden>
            <ChoiceHiddenFields choice />
        </form>
    }
}

/// A house bot in the list.
#[derive(Clone, Debug, PartialEq)]
struct ListedBot {
    id: PlayerId,
    level: u8,
    rating: String,
    /// Whether the bot waits. A bot that plays stays in the list, so that the choice of the visitor does.
    waits: bool,
}

/// Returns the house bots of a room by their levels, and those that were in the list before.
fn list(players: &[WaitingPlayer], before: Option<&Vec<ListedBot>>) -> Vec<ListedBot> {
    let here = |player: &WaitingPlayer| {
        Some(ListedBot {
            id: player.id,
            level: level_of(player)?,
            rating: words::rating(player.rating),
            waits: true,
        })
    };
    let mut bots: Vec<_> = players.iter().filter_map(here).collect();
    for bot in before.into_iter().flatten() {
        if bots.iter().all(|other| other.id != bot.id) {
            bots.push(ListedBot {
                waits: false,
                ..bot.clone()
            });
        }
    }
    bots.sort_by_key(|bot| bot.level);
    bots
}

/// The row, while a house bot waits.
#[component]
pub(crate) fn BotRow(lobby: LobbyState, blocked: Signal<bool>) -> impl IntoView {
    let language = language();
    let any = RatingBounds::default();
    let suggested = lobby
        .players
        .with_untracked(|players| bot_of_strength(players, lobby.me, any).map(|bot| bot.id));
    let bots = Memo::new(move |before| lobby.players.with(|players| list(players, before)));
    let entries = move || {
        let option = |ListedBot {
                          id, level, rating, ..
                      }: ListedBot| {
            Entry::new((id, rating.clone()), move || {
                let plays =
                    move || bots.with(|bots| bots.iter().any(|bot| bot.id == id && !bot.waits));
                view! {
                    <option value=id.0 selected=suggested == Some(id) disabled=plays>
                        {t!(language, quick.level, level = level, rating = rating)}
                    </option>
                }
            })
        };
        bots.get().into_iter().map(option).collect()
    };
    view! {
        <div class="bot-row" class:unused=move || bots.with(|bots| bots.iter().all(|bot| !bot.waits))>
            <label for=BOT_FIELD>{t!(language, quick.bots)}</label>
            <select id=BOT_FIELD form=FORM name="opponent" autocomplete="off" aria-describedby="bot-note">
                <List entries=Box::new(entries) />
            </select>
            <button type="submit" form=FORM name="bot" value="challenge" disabled=blocked>
                {t!(language, quick.join)}
            </button>
            <span id="bot-note" class="note">
                {t!(language, quick.bot_note)}
            </span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::{ResultCounts, house_bot_name};
    use tochki_rules::GameKind;

    fn player(id: i64, rating: f64) -> WaitingPlayer {
        WaitingPlayer {
            id: PlayerId(id),
            name: format!("player-{id}"),
            rating,
            guest: false,
            provisional: false,
            bot: false,
            results: ResultCounts::default(),
            quick_game: None,
            unlisted: false,
            just_finished: false,
        }
    }

    #[test]
    fn a_bot_that_plays_stays_in_the_list() {
        let bot = |level: u8| WaitingPlayer {
            name: house_bot_name(GameKind::Dots, level),
            bot: true,
            ..player(100 + i64::from(level), 600.0 + 300.0 * f64::from(level))
        };
        let told = |bots: &[ListedBot]| -> Vec<_> {
            bots.iter().map(|bot| (bot.level, bot.waits)).collect()
        };
        let first = list(&[bot(2), player(1, 1500.0), bot(1)], None);
        assert_eq!(told(&first), [(1, true), (2, true)]);
        let second = list(&[bot(3), bot(2)], Some(&first));
        assert_eq!(told(&second), [(1, false), (2, true), (3, true)]);
        let third = list(&[bot(1)], Some(&second));
        assert_eq!(told(&third), [(1, true), (2, false), (3, false)]);
    }

    #[test]
    fn the_bot_is_about_as_strong_as_the_player() {
        let bot = |level: u8| WaitingPlayer {
            name: house_bot_name(GameKind::Dots, level),
            bot: true,
            ..player(100 + i64::from(level), 600.0 + 300.0 * f64::from(level))
        };
        let mut players: Vec<_> = (1..=3).map(bot).collect();
        // Somebody's own bot, and a name that only looks like one.
        players.push(WaitingPlayer {
            bot: true,
            ..player(50, 1450.0)
        });
        let within = |me: WaitingPlayer, ratings: RatingBounds| {
            let mut all = players.clone();
            all.push(me);
            bot_of_strength(&all, PlayerId(1), ratings).and_then(level_of)
        };
        let level = |me: WaitingPlayer| within(me, RatingBounds::default());
        assert_eq!(level(player(1, 1449.0)), Some(3));
        assert_eq!(level(player(1, 1300.0)), Some(2));
        assert_eq!(level(player(1, 100.0)), Some(1));
        let provisional = WaitingPlayer {
            provisional: true,
            ..player(1, 1600.0)
        };
        assert_eq!(level(provisional), Some(1), "the rating says nothing yet");
        let guest = WaitingPlayer {
            guest: true,
            ..player(1, 1600.0)
        };
        assert_eq!(level(guest), Some(1));
        let any = RatingBounds::default();
        assert_eq!(bot_of_strength(&[player(1, 900.0)], PlayerId(1), any), None);
        let least = RatingBounds {
            min: Some(1000),
            ..any
        };
        assert_eq!(within(player(1, 100.0), least), Some(2));
        let none = RatingBounds {
            max: Some(500),
            ..any
        };
        assert_eq!(within(player(1, 100.0), none), None);
    }
}
