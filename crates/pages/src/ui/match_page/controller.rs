//! The controller of a live match: the signals that the components of the page read. `sync` keeps them up to date,
//! `send_move` sends moves.

use crate::ui::board::Shown;
use crate::ui::islands::effect::effect;
use crate::ui::live::notices::Notices;
use crate::ui::live::server_clock::ServerClock;
use crate::ui::match_page::optimistic_match::{OptimisticMatch, PendingMove};
use crate::ui::steps::Steps;
use crate::ui::text::Language;
use crate::ui::text::names::display_name;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, MatchStatus, PlayerCard, Snapshot};
use tochki_rules::Seat;

/// The authority that decides on the events of a match.
#[derive(Clone, Copy)]
pub(crate) enum Authority {
    /// The server, whose event stream the page follows.
    Server,
    /// This page, on which the visitor plays against an engine. The callback takes the visitor's moves.
    Page(Callback<PendingMove>),
}

/// A match on a page.
#[derive(Clone, Copy)]
pub(crate) struct MatchController {
    /// The authority that decides on the events of the match.
    pub(crate) authority: Authority,
    /// The match.
    pub(crate) id: MatchId,
    /// The match with a pending move.
    pub(crate) game: RwSignal<OptimisticMatch>,
    /// Absent players, spectators, rematch offers.
    pub(crate) status: RwSignal<MatchStatus>,
    /// The players of seat 1 and seat 2.
    pub(crate) players: StoredValue<[PlayerCard; 2]>,
    /// The ply that the visitor looks at.
    pub(crate) steps: Steps,
    /// Whether the connection is lost, or the match not fetched since.
    pub(crate) connection_lost: RwSignal<bool>,
    /// Whether the last move was on its way for so long that its player should know.
    pub(crate) sends_slowly: RwSignal<bool>,
    /// The reason why the last move was refused.
    pub(crate) move_error: RwSignal<Option<String>>,
    /// Notices, such as a declined offer.
    pub(crate) notices: Notices,
    /// The server's clock.
    pub(crate) server_clock: ServerClock,
    /// The server's time when the page was rendered.
    pub(crate) rendered_at: Timestamp,
    pub(crate) language: Language,
    /// The visitor's seat; `None` for spectators.
    pub(super) me: Option<Seat>,
    /// The state of the event stream.
    pub(super) stream: StoredValue<StreamState>,
}

/// The state of an event stream.
#[derive(Default)]
pub(super) struct StreamState {
    /// The status as told on this connection, which begins with the differences from the default.
    pub(super) status: MatchStatus,
    /// Whether the stream is connected.
    pub(super) connected: bool,
    /// Whether a snapshot is being fetched.
    pub(super) refetching: Refetching,
}

/// The state of fetching a snapshot. A snapshot that was asked for before an event is not known to have that event, so a snapshot
/// has to be fetched again after the events missed meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Refetching {
    #[default]
    No,
    Yes,
    Again,
}

impl Refetching {
    /// Begins a fetch. Returns whether the caller is to fetch now; otherwise a fetch is under way, and another will follow it.
    pub(super) fn begin(&mut self) -> bool {
        let is_first = *self == Self::No;
        *self = if is_first { Self::Yes } else { Self::Again };
        is_first
    }

    /// Ends a fetch. Returns whether there has to be another one.
    pub(super) fn end(&mut self) -> bool {
        std::mem::take(self) == Self::Again
    }
}

impl MatchController {
    /// Creates the controller of a match on the server, from a snapshot. In a browser it subscribes to the stream.
    pub(crate) fn new(snapshot: &Snapshot, me: Option<Seat>, language: Language) -> Self {
        let controller = Self::with_authority(Authority::Server, snapshot, me, language);
        effect(move || controller.subscribe());
        controller
    }

    /// Creates the controller of a match under an authority, without a stream.
    pub(crate) fn with_authority(
        authority: Authority,
        snapshot: &Snapshot,
        me: Option<Seat>,
        language: Language,
    ) -> Self {
        let game = RwSignal::new(OptimisticMatch::from_snapshot(snapshot));
        let shown_game = Memo::new(move |_| game.with(|game| game.shown().clone()));
        Self {
            authority,
            id: snapshot.id,
            game,
            steps: Steps::new(shown_game, 0),
            status: RwSignal::new(snapshot.match_status()),
            stream: StoredValue::default(),
            players: StoredValue::new(snapshot.players.clone()),
            connection_lost: RwSignal::new(false),
            sends_slowly: RwSignal::new(false),
            move_error: RwSignal::new(None),
            notices: Notices::new(),
            server_clock: ServerClock::new(),
            rendered_at: snapshot.now.unwrap_or_default(),
            language,
            me,
        }
    }

    /// Shows another match of the same game and players, that of this snapshot.
    pub(crate) fn replace(self, snapshot: &Snapshot) {
        self.game.set(OptimisticMatch::from_snapshot(snapshot));
    }

    /// Returns whether the players are accounts of the server, with profiles and ratings.
    pub(crate) fn has_accounts(self) -> bool {
        matches!(self.authority, Authority::Server)
    }

    /// Returns the position on the board: the current one, or an earlier one that the visitor looks at.
    pub(crate) fn shown(self) -> Memo<Shown> {
        self.steps.shown()
    }

    /// Returns whether a player may move now; not while an earlier position is shown.
    pub(crate) fn can_move(self, seat: Seat) -> bool {
        self.to_move() == Some(seat) && !self.steps.in_past()
    }

    /// Returns the side to move; `None` after the end.
    pub(crate) fn to_move(self) -> Option<Seat> {
        self.game.with(OptimisticMatch::to_move)
    }

    /// Returns the side that had to pass, while the other moves again.
    pub(crate) fn passed_seat(self) -> Option<Seat> {
        let passed = self.game.with(|game| game.shown().position.passed());
        self.to_move().filter(|_| passed).map(Seat::other)
    }

    /// Returns whether a move is pending.
    pub(crate) fn sending(self) -> Signal<bool> {
        Signal::derive(move || self.game.with(OptimisticMatch::has_pending))
    }

    /// Returns the scores of both seats.
    pub(crate) fn score(self) -> [u32; 2] {
        self.game.with(OptimisticMatch::score)
    }

    /// Returns whether there is no result yet.
    pub(crate) fn running(self) -> bool {
        self.game.with(|game| game.result().is_none())
    }

    /// Returns whether both have made a move. Until then the match can be aborted, and not be lost.
    pub(crate) fn has_begun(self) -> bool {
        self.game.with(|game| game.confirmed().has_begun())
    }

    /// Returns the name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.players
            .with_value(|players| display_name(self.language, &players[seat.index()].name))
    }
}

#[cfg(test)]
mod tests {
    use super::Refetching;

    #[test]
    fn what_is_missed_during_a_fetch_is_fetched_again() {
        let mut refetching = Refetching::default();
        assert!(refetching.begin(), "the first one fetches");
        assert!(!refetching.end(), "once");
        assert!(refetching.begin());
        assert!(!refetching.begin() && !refetching.begin(), "one at a time");
        assert!(refetching.end(), "and once more for all that were missed");
        assert!(refetching.begin());
        assert!(!refetching.end());
    }
}
