//! The controller of a live match: the signals that the components of the page read. `sync` keeps them up to date,
//! `send_move` sends moves.

use crate::ui::board::Shown;
use crate::ui::islands::effect::effect;
use crate::ui::live::notices::Notices;
use crate::ui::live::server_clock::ServerClock;
use crate::ui::match_page::optimistic_match::OptimisticMatch;
use crate::ui::steps::Steps;
use crate::ui::text::Language;
use crate::ui::widgets::player_name::display_name;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, MatchStatus, PlayerCard, Snapshot};
use tochki_rules::Seat;

/// A live match.
#[derive(Clone, Copy)]
pub(crate) struct MatchController {
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
    /// Why the last move was refused.
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
    /// The status as told on this connection, which begins with what differs from the default.
    pub(super) stream_status: StoredValue<MatchStatus>,
    /// Whether the stream is connected.
    pub(super) connected: StoredValue<bool>,
    /// Whether a snapshot is being fetched.
    pub(super) refetching: StoredValue<bool>,
}

impl MatchController {
    /// Begins with a snapshot. In a browser it subscribes to the stream.
    pub(crate) fn new(snapshot: &Snapshot, me: Option<Seat>, language: Language) -> Self {
        let game = RwSignal::new(OptimisticMatch::from_snapshot(snapshot));
        let shown_game = Memo::new(move |_| game.with(|game| game.shown().clone()));
        let controller = Self {
            id: snapshot.id,
            game,
            steps: Steps::new(shown_game, 0),
            status: RwSignal::new(snapshot.match_status()),
            stream_status: StoredValue::default(),
            players: StoredValue::new(snapshot.players.clone()),
            connection_lost: RwSignal::new(false),
            move_error: RwSignal::new(None),
            connected: StoredValue::new(false),
            refetching: StoredValue::new(false),
            notices: Notices::new(),
            server_clock: ServerClock::new(),
            rendered_at: snapshot.now.unwrap_or_default(),
            language,
            me,
        };
        effect(move || controller.subscribe());
        controller
    }

    /// The position on the board: the current one, or an earlier one that the visitor looks at.
    pub(crate) fn shown(self) -> Memo<Shown> {
        self.steps.shown()
    }

    /// Whether a player may move now; not while an earlier position is shown.
    pub(crate) fn can_move(self, seat: Seat) -> bool {
        self.to_move() == Some(seat) && !self.steps.in_past()
    }

    /// Whose turn it is; `None` after the end.
    pub(crate) fn to_move(self) -> Option<Seat> {
        self.game.with(OptimisticMatch::to_move)
    }

    /// The side that had to pass, while the other moves again.
    pub(crate) fn passed_seat(self) -> Option<Seat> {
        let passed = self.game.with(|game| game.shown().position.passed());
        self.to_move().filter(|_| passed).map(Seat::other)
    }

    /// Whether a move is pending.
    pub(crate) fn sending(self) -> Signal<bool> {
        Signal::derive(move || self.game.with(OptimisticMatch::has_pending))
    }

    /// The scores of both seats.
    pub(crate) fn score(self) -> [u32; 2] {
        self.game.with(OptimisticMatch::score)
    }

    /// Whether there is no result yet.
    pub(crate) fn running(self) -> bool {
        self.game.with(|game| game.result().is_none())
    }

    /// The name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.players
            .with_value(|players| display_name(self.language, &players[seat.index()].name))
    }
}
