//! What players have played: profiles, standings, history, and what an address asks of them.

use super::{ApiError, Code, MatchId, PlayerCard, PlayerId};
use serde::{Deserialize, Serialize};
use tochki_play::{RatingChange, Reason, Timestamp};
use tochki_rules::{GameKind, Seat};

/// How a match ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerOutcome {
    /// The player won.
    Won,
    /// Nobody won.
    Drawn,
    /// The opponent won.
    Lost,
}

impl PlayerOutcome {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Won, Self::Drawn, Self::Lost];

    /// How a match with this winner ended for this seat.
    pub fn of(winner: Option<Seat>, seat: Seat) -> Self {
        match winner {
            None => Self::Drawn,
            Some(winner) if winner == seat => Self::Won,
            Some(_) => Self::Lost,
        }
    }

    /// The word on the wire and in addresses.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
        }
    }

    /// The number in the database: 1, 0 or -1.
    pub const fn number(self) -> i16 {
        match self {
            Self::Won => 1,
            Self::Drawn => 0,
            Self::Lost => -1,
        }
    }

    /// Reads the number back.
    pub const fn of_number(number: i16) -> Self {
        match number {
            1.. => Self::Won,
            0 => Self::Drawn,
            ..0 => Self::Lost,
        }
    }
}

/// How many matches ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Won ones.
    pub won: u32,
    /// Drawn ones.
    pub drawn: u32,
    /// Lost ones.
    pub lost: u32,
}

impl ResultCounts {
    /// All of them together.
    pub const fn all(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Both counted together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }
}

/// The last matches of a player that ended alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streak {
    /// How they ended.
    pub outcome: PlayerOutcome,
    /// How many there are.
    pub length: u32,
}

/// One game in a player's profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameStats {
    /// Which game.
    pub game: GameKind,
    /// The rating; a guest has none.
    pub rating: Option<f64>,
    /// How many rated matches went into it.
    pub rated: u32,
    /// Finished matches, rated or not, with seat 1 and with seat 2.
    pub seats: [ResultCounts; 2],
    /// The last matches that ended alike, if there was any.
    pub streak: Option<Streak>,
    /// The most matches won in a row.
    pub best_streak: u32,
}

impl GameStats {
    /// A game that has not been played.
    pub const fn unplayed(game: GameKind, rating: Option<f64>) -> Self {
        const NONE: ResultCounts = ResultCounts {
            won: 0,
            drawn: 0,
            lost: 0,
        };
        Self {
            game,
            rating,
            rated: 0,
            seats: [NONE; 2],
            streak: None,
            best_streak: 0,
        }
    }

    /// Both seats together.
    pub const fn tally(&self) -> ResultCounts {
        self.seats[0].and(self.seats[1])
    }
}

/// What a rating was from then on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingPoint {
    /// When a match changed it.
    pub at: Timestamp,
    /// To what.
    pub rating: f64,
}

/// Matches between two players, counted for the one who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Which game.
    pub game: GameKind,
    /// How they ended for whoever asks.
    pub tally: ResultCounts,
}

/// A finished match as one of its players sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// The match.
    pub id: MatchId,
    /// Which game.
    pub game: GameKind,
    /// The player's seat.
    pub seat: Seat,
    /// The other player, with the rating at the start.
    pub opponent: PlayerCard,
    /// How it ended for the player.
    pub outcome: PlayerOutcome,
    /// Why it ended.
    pub reason: Reason,
    /// Points of both seats.
    pub score: [u32; 2],
    /// What it did to the player's rating; nothing where it was not rated.
    pub rating: Option<RatingChange>,
    /// When it ended.
    pub finished_at: Timestamp,
}

/// Finished matches, the last one first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryPage {
    /// Those on this page.
    pub games: Vec<HistoryEntry>,
    /// Which page this is, counted from 1.
    pub page: u32,
    /// How many there are; one, where there is nothing.
    pub pages: u32,
    /// How many matches are on all pages together.
    pub total: u32,
}

/// What everybody may know of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Whether it is a guest, whose matches are never rated.
    pub guest: bool,
    /// Whether an operator has closed the account.
    pub closed: bool,
    /// Since when there is this player.
    pub since: Timestamp,
    /// The match they are playing just now.
    pub playing: Option<MatchId>,
    /// All games.
    pub games: Vec<GameStats>,
    /// The game of the graph.
    pub game: GameKind,
    /// Its rating over time: after each match, or where these are many after the last of a day, of which at most 200
    /// are told. The last one is always told.
    pub graph: Vec<RatingPoint>,
    /// Finished matches of all games.
    pub past: HistoryPage,
    /// Matches against whoever asks, by game; nothing where nobody asks, or the player.
    pub between: Option<Vec<HeadToHead>>,
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandingsEntry {
    /// The place, counted from 1. Nobody shares one: of two with the same rating the older account comes first.
    pub place: u32,
    /// Who.
    pub player: PlayerCard,
    /// How many rated matches went into the rating.
    pub games: u32,
}

/// A page of the standings of a game: players with at least one rated match, by rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// Which game.
    pub game: GameKind,
    /// Those on this page.
    pub players: Vec<StandingsEntry>,
    /// Which page this is, counted from 1.
    pub page: u32,
    /// How many there are; one, where there is nobody.
    pub pages: u32,
    /// How many players are on all pages together.
    pub total: u32,
    /// Whoever asks, if they are in the standings, and the page they are on.
    pub mine: Option<(StandingsEntry, u32)>,
}

/// A page of a long list, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page(u32);

impl Page {
    /// The first one.
    pub const FIRST: Self = Self(1);

    /// The last one that can be asked for. It keeps places within what the database counts with.
    const LAST: u32 = 1_000_000;

    /// Reads a page of an address; where none is asked for it is the first.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidPage`] if it is no number of a page.
    pub fn read(text: Option<&str>) -> Result<Self, ApiError> {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return Ok(Self::FIRST);
        };
        match text.parse() {
            Ok(number @ 1..=Self::LAST) => Ok(Self(number)),
            _ => Err(Code::InvalidPage.into()),
        }
    }

    /// The page on which a place is, counted from 1.
    pub const fn of_place(place: u32, size: u32) -> Self {
        Self(place.saturating_sub(1) / size + 1)
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// How many entries come before it.
    pub const fn skipped(self, size: u32) -> i64 {
        (self.0 as i64 - 1) * size as i64
    }

    /// How many pages so many entries take: one at least.
    pub const fn count(entries: u32, size: u32) -> u32 {
        let pages = entries.div_ceil(size);
        if pages == 0 { 1 } else { pages }
    }
}

/// Which finished matches a player wants to see. What is left out asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Only this game.
    pub game: Option<GameKind>,
    /// Only opponents in whose name this is found, case ignored.
    pub opponent: Option<String>,
    /// Only what ended like this.
    pub outcome: Option<PlayerOutcome>,
}

impl HistoryFilter {
    /// What is longer is a part of no name.
    const LONGEST: usize = 256;

    /// Reads the fields of a form or an address.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidFilter`] if a field has no such value.
    pub fn read(
        game: Option<&str>,
        opponent: Option<&str>,
        result: Option<&str>,
    ) -> Result<Self, ApiError> {
        let [game, opponent, result] = [game, opponent, result].map(said);
        let game = game.map(|game| game.parse().map_err(|_| Code::UnknownGame));
        let outcome = result.map(|word| {
            let named = |outcome: &PlayerOutcome| outcome.word() == word;
            PlayerOutcome::ALL
                .into_iter()
                .find(named)
                .ok_or(Code::InvalidFilter)
        });
        if opponent.is_some_and(|name| name.len() > Self::LONGEST) {
            return Err(Code::InvalidFilter.into());
        }
        Ok(Self {
            game: game.transpose()?,
            opponent: opponent.map(str::to_owned),
            outcome: outcome.transpose()?,
        })
    }

    /// Whether it lets everything through.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn said(field: Option<&str>) -> Option<&str> {
    field.map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_from_one() {
        for (text, number) in [
            (None, 1),
            (Some(""), 1),
            (Some(" 7 "), 7),
            (Some("1000000"), 1_000_000),
        ] {
            assert_eq!(Page::read(text).unwrap().number(), number, "{text:?}");
        }
        for text in ["0", "-1", "x", "1.5", "1000001", "99999999999999999999"] {
            assert_eq!(
                Page::read(Some(text)).unwrap_err().code,
                Code::InvalidPage,
                "{text}"
            );
        }
    }

    #[test]
    fn a_page_holds_so_many_places() {
        for (place, page) in [(1, 1), (50, 1), (51, 2), (100, 2), (101, 3)] {
            assert_eq!(Page::of_place(place, 50), Page(page), "{place}");
        }
        for (entries, pages) in [(0, 1), (1, 1), (50, 1), (51, 2)] {
            assert_eq!(Page::count(entries, 50), pages, "{entries}");
        }
        assert_eq!((Page::FIRST.skipped(50), Page(3).skipped(50)), (0, 100));
    }

    #[test]
    fn a_filter_asks_for_what_is_said() {
        assert!(
            HistoryFilter::read(None, Some("  "), Some(""))
                .unwrap()
                .is_empty()
        );
        let read = HistoryFilter::read(Some("boxes"), Some(" Ёж "), Some("lost")).unwrap();
        assert_eq!(
            read,
            HistoryFilter {
                game: Some(GameKind::Boxes),
                opponent: Some("Ёж".into()),
                outcome: Some(PlayerOutcome::Lost),
            }
        );
        let refused = |game, result| HistoryFilter::read(game, None, result).unwrap_err().code;
        assert_eq!(refused(Some("chess"), None), Code::UnknownGame);
        assert_eq!(refused(None, Some("win")), Code::InvalidFilter);
        let endless = "a".repeat(300);
        let refused = HistoryFilter::read(None, Some(&endless), None).unwrap_err();
        assert_eq!(refused.code, Code::InvalidFilter);
    }

    #[test]
    fn an_outcome_is_a_number_and_back() {
        for outcome in PlayerOutcome::ALL {
            assert_eq!(PlayerOutcome::of_number(outcome.number()), outcome);
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.word());
        }
        assert_eq!(
            PlayerOutcome::of(Some(Seat::First), Seat::First),
            PlayerOutcome::Won
        );
        assert_eq!(
            PlayerOutcome::of(Some(Seat::First), Seat::Second),
            PlayerOutcome::Lost
        );
        assert_eq!(PlayerOutcome::of(None, Seat::Second), PlayerOutcome::Drawn);
    }
}
