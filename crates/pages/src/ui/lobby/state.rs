//! The state of the lobby in the browser. The lists of the page read it, and `sync` keeps it up to date.

use crate::ui::live::countdown::browser_now_ms;
use crate::ui::live::notices::Notices;
use crate::ui::live::server_clock::{RenderedAt, ServerClock, seconds_between};
use crate::ui::text::Language;
use leptos::prelude::*;
use tochki_protocol::{
    Challenge, FinishedSummary, MatchId, MatchSummary, PlayerId, QuickGame, Table, WaitingPlayer,
    WaitingRoom, limits,
};
use tochki_rules::GameKind;

/// Players, challenges, matches and tables of one game's lobby.
#[derive(Clone, Copy)]
pub(crate) struct LobbyState {
    /// The visitor.
    pub(crate) me: PlayerId,
    /// The game.
    pub(crate) game: GameKind,
    /// The players, ascending by rating.
    pub(crate) players: RwSignal<Vec<WaitingPlayer>>,
    /// Open challenges to and from the visitor.
    pub(crate) challenges: RwSignal<Vec<Challenge>>,
    /// Running matches.
    pub(crate) games: RwSignal<Vec<MatchSummary>>,
    /// Open tables with a free seat, oldest first.
    pub(crate) tables: RwSignal<Vec<Table>>,
    /// The last matches that ended, latest first.
    pub(crate) finished: RwSignal<Vec<FinishedSummary>>,
    /// Notices of how challenges ended.
    pub(crate) notices: Notices,
    /// Whether the connection is lost, or the state not fetched since.
    pub(crate) connection_lost: RwSignal<bool>,
    /// Whether the visitor has just sent a challenge on this page, whose card takes the focus.
    pub(crate) focus_outgoing: StoredValue<bool>,
    pub(super) rendered_at: RenderedAt,
    pub(super) server_clock: ServerClock,
    pub(super) language: Language,
}

impl LobbyState {
    /// The lobby as the server has rendered it.
    pub(crate) fn new(
        me: PlayerId,
        game: GameKind,
        room: WaitingRoom,
        rendered_at: RenderedAt,
        language: Language,
    ) -> Self {
        Self {
            me,
            game,
            players: RwSignal::new(room.players),
            challenges: RwSignal::new(room.challenges),
            games: RwSignal::new(room.matches),
            tables: RwSignal::new(room.tables),
            finished: RwSignal::new(room.finished),
            notices: Notices::new(),
            connection_lost: RwSignal::new(false),
            focus_outgoing: StoredValue::new(false),
            rendered_at,
            server_clock: ServerClock::new(),
            language,
        }
    }

    /// Returns the time at which a challenge expires, on the browser's clock; known after hydration.
    pub(crate) fn ends_at(self, challenge: &Challenge) -> Option<f64> {
        let until = self.server_clock.to_browser_ms(challenge.expires_at)?;
        Some(until.min(browser_now_ms() + limits::in_millis(limits::CHALLENGE_TIMEOUT).0 as f64))
    }

    /// Returns the seconds left when the server renders the challenge.
    pub(crate) fn seconds_left(self, challenge: &Challenge) -> u32 {
        seconds_between(self.rendered_at.0, challenge.expires_at)
    }

    /// Returns the running match of the visitor.
    pub(crate) fn my_match(self) -> Option<MatchId> {
        self.games.with(|games| match_of(self.me, games))
    }

    /// Returns the quick game that the visitor waits for.
    pub(crate) fn my_quick_game(self) -> Option<QuickGame> {
        self.players.with(|players| {
            let me = players.iter().find(|player| player.id == self.me)?;
            me.quick_game
        })
    }

    /// Returns the rating of the visitor; `None` for a guest.
    pub(crate) fn my_rating(self) -> Option<f64> {
        self.players.with_untracked(|players| {
            let me = players.iter().find(|player| player.id == self.me)?;
            (!me.guest).then_some(me.rating)
        })
    }

    /// Returns whether the visitor has an open challenge; there can be one at a time.
    pub(crate) fn has_outgoing_challenge(self) -> bool {
        self.challenges
            .with(|challenges| challenges.iter().any(|call| call.from.id == self.me))
    }
}

/// Returns a player who waits besides this one. Bots are no company: those of the house always wait; and who still sits at a finished
/// match waits for nobody.
pub(crate) fn other_person_waiting(
    players: &[WaitingPlayer],
    me: PlayerId,
) -> Option<&WaitingPlayer> {
    players
        .iter()
        .find(|player| player.id != me && !player.bot && !player.just_finished)
}

/// Returns the running match of a player.
pub(crate) fn match_of(player: PlayerId, games: &[MatchSummary]) -> Option<MatchId> {
    let sits = |game: &&MatchSummary| game.players.iter().any(|card| card.id == player);
    games.iter().find(sits).map(|game| game.id)
}
