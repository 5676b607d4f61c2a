//! The state of the lobby in the browser, kept up to date by the event stream. The lists of the page read it.

use crate::api;
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::live::event_stream::{StreamEvent, Subscription, subscribe};
use crate::ui::live::notices::Notices;
use crate::ui::live::server_clock::{RenderedAt, ServerClock};
use crate::ui::text::Language;
use crate::ui::text::words;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{
    Challenge, CloseReason, LobbyEvent, MatchId, MatchSummary, PlayerCard, PlayerId, Table,
    WaitingRoom,
};
use tochki_rules::GameKind;

/// How long a challenge is open.
const CHALLENGE_TIMEOUT: Millis = Millis::from_secs(15);

/// After so long without events, in milliseconds, the lobby is fetched to check the stream.
const IDLE_TIMEOUT_MS: f64 = 20_000.0;

/// How often the scores of running matches are fetched, in milliseconds.
const SCORE_POLL_INTERVAL_MS: f64 = 10_000.0;

/// How often both are checked.
const POLL_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Players, challenges, matches and tables of one game's lobby.
#[derive(Clone, Copy)]
pub(crate) struct LobbyState {
    /// The visitor.
    pub(crate) me: PlayerId,
    /// The game.
    pub(crate) game: GameKind,
    /// The players, ascending by rating.
    pub(crate) players: RwSignal<Vec<PlayerCard>>,
    /// Open challenges to and from the visitor.
    pub(crate) challenges: RwSignal<Vec<Challenge>>,
    /// Running matches.
    pub(crate) games: RwSignal<Vec<MatchSummary>>,
    /// Open tables with a free seat, oldest first.
    pub(crate) tables: RwSignal<Vec<Table>>,
    /// Notices of how challenges ended.
    pub(crate) notices: Notices,
    /// Whether the connection is lost, or the state not fetched since.
    pub(crate) connection_lost: RwSignal<bool>,
    /// Whether the visitor has just sent a challenge on this page, whose card takes the focus.
    pub(crate) focus_outgoing: StoredValue<bool>,
    rendered_at: RenderedAt,
    server_clock: ServerClock,
    language: Language,
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
            notices: Notices::new(),
            connection_lost: RwSignal::new(false),
            focus_outgoing: StoredValue::new(false),
            rendered_at,
            server_clock: ServerClock::new(),
            language,
        }
    }

    /// Opens the event stream. For browsers.
    pub(crate) fn subscribe(self) {
        self.server_clock.sync_from_page_load(self.rendered_at);
        let last_event_ms = StoredValue::new(browser_now_ms());
        let last_poll_ms = StoredValue::new(browser_now_ms());
        let on_event = move |event| {
            last_event_ms.set_value(browser_now_ms());
            match event {
                // The banner stays until the snapshot, the first event, has arrived.
                StreamEvent::Connected => {}
                StreamEvent::Disconnected => self.connection_lost.set(true),
                StreamEvent::Message { name, data, .. } => {
                    match LobbyEvent::read(&name, &data) {
                        Ok(event) => self.apply_event(event),
                        // An unknown event of a newer server concerns nothing that this page shows.
                        Err(error) => leptos::logging::warn!("{name}: {error}"),
                    }
                }
            }
        };
        let game = self.game;
        let url = move || format!("/events/lobby?game={game}");
        let subscription = subscribe(url, &LobbyEvent::NAMES, on_event);
        let poll_if_due = move || {
            let idle = browser_now_ms() - last_event_ms.get_value() > IDLE_TIMEOUT_MS;
            let watched = !document().hidden() && self.games.with_untracked(|all| !all.is_empty());
            if idle
                || watched && browser_now_ms() - last_poll_ms.get_value() > SCORE_POLL_INTERVAL_MS
            {
                last_poll_ms.set_value(browser_now_ms());
                if idle {
                    last_event_ms.set_value(browser_now_ms());
                }
                self.poll(subscription, idle);
            }
        };
        set_interval(poll_if_due, POLL_CHECK_INTERVAL);
    }

    /// Fetches the lobby, because the stream brings no scores.
    ///
    /// A dead connection looks like one without events. If after an idle time the lobby differs from the known state,
    /// the stream is reopened.
    fn poll(self, subscription: Subscription, idle: bool) {
        spawn_local(async move {
            match api::waiting_room(self.game.to_string(), None, None, None).await {
                Ok(room) => {
                    if idle && !self.matches_snapshot(&room) {
                        subscription.reconnect();
                    }
                    self.games.update(|games| {
                        for game in games {
                            if let Some(seen) = room.matches.iter().find(|seen| seen.id == game.id)
                            {
                                (game.score, game.progress) = (seen.score, seen.progress);
                            }
                        }
                    });
                }
                Err(_) => {
                    self.connection_lost.set(true);
                    subscription.reconnect();
                }
            }
        });
    }

    fn matches_snapshot(self, room: &WaitingRoom) -> bool {
        let games = |games: &[MatchSummary]| games.iter().map(|game| game.id).collect::<Vec<_>>();
        self.players
            .with_untracked(|players| *players == room.players)
            && self
                .challenges
                .with_untracked(|challenges| *challenges == room.challenges)
            && self.tables.with_untracked(|tables| *tables == room.tables)
            && self
                .games
                .with_untracked(|known| games(known) == games(&room.matches))
    }

    fn apply_event(self, event: LobbyEvent) {
        match event {
            LobbyEvent::Snapshot(room) => {
                let still_open =
                    |call: &Challenge| room.challenges.iter().any(|open| open.id == call.id);
                let mut ended = self.challenges.get_untracked();
                ended.retain(|call| !still_open(call));
                if !ended.is_empty() {
                    self.fetch_endings(ended);
                }
                self.players.set(room.players);
                self.challenges.set(room.challenges);
                self.games.set(room.matches);
                self.tables.set(room.tables);
                self.connection_lost.set(false);
            }
            LobbyEvent::Joined(card) => self.players.update(|players| {
                players.retain(|player| player.id != card.id);
                let rank = |card: &PlayerCard| (card.rating, card.id);
                let place = players.partition_point(|player| rank(player) <= rank(&card));
                players.insert(place, card);
            }),
            LobbyEvent::Left(left) => self
                .players
                .update(|players| players.retain(|player| player.id != left.id)),
            LobbyEvent::Challenged(challenge) => {
                self.server_clock
                    .sync_from_event(challenge.expires_at - CHALLENGE_TIMEOUT);
                self.challenges.update(|challenges| {
                    challenges.retain(|call| call.id != challenge.id);
                    challenges.push(challenge);
                });
            }
            LobbyEvent::ChallengeClosed(closed) => {
                let over = self
                    .challenges
                    .try_maybe_update(|challenges| {
                        let place = challenges.iter().position(|call| call.id == closed.id);
                        let over = place.map(|place| challenges.remove(place));
                        (over.is_some(), over)
                    })
                    .flatten();
                if let Some(challenge) = over {
                    self.notify_closed(&challenge, closed.why);
                }
            }
            LobbyEvent::MatchStarted(started) => self.games.update(|games| {
                if games.iter().all(|game| game.id != started.match_id) {
                    games.insert(
                        0,
                        MatchSummary {
                            id: started.match_id,
                            game: started.game,
                            players: started.players,
                            score: [0, 0],
                            progress: 0,
                            started_at: Timestamp(browser_now_ms() as i64),
                        },
                    );
                }
            }),
            LobbyEvent::MatchFinished(ended) => {
                self.games
                    .update(|games| games.retain(|game| game.id != ended.match_id));
            }
            LobbyEvent::Table(table) => self.tables.update(|tables| {
                match tables.iter_mut().find(|known| known.id == table.id) {
                    Some(known) => *known = table,
                    None => tables.push(table),
                }
            }),
            LobbyEvent::TableClosed(closed) => self
                .tables
                .update(|tables| tables.retain(|table| table.id != closed.id)),
        }
    }

    /// Shows how a challenge ended.
    fn notify_closed(self, challenge: &Challenge, why: CloseReason) {
        if let Some(news) = words::ending(self.language, challenge, why, self.me) {
            self.notices.push(news);
        }
    }

    /// Asks the server how challenges ended that disappeared while the connection was lost.
    fn fetch_endings(self, ended: Vec<Challenge>) {
        spawn_local(async move {
            let known = api::endings(self.game.to_string())
                .await
                .unwrap_or_default();
            for challenge in ended {
                let why = known
                    .iter()
                    .find(|known| known.challenge.id == challenge.id);
                // Endings that the server no longer has are older than any challenge lasts.
                self.notify_closed(
                    &challenge,
                    why.map_or(CloseReason::Expired, |known| known.why),
                );
            }
        });
    }

    /// When a challenge expires, on the browser's clock; known after hydration.
    pub(crate) fn ends_at(self, challenge: &Challenge) -> Option<f64> {
        let until = self.server_clock.to_browser_ms(challenge.expires_at)?;
        Some(until.min(browser_now_ms() + CHALLENGE_TIMEOUT.0 as f64))
    }

    /// The seconds left when the server renders it.
    pub(crate) fn seconds_left(self, challenge: &Challenge) -> u32 {
        let left = challenge.expires_at - self.rendered_at.0;
        left.0.max(0).cast_unsigned().div_ceil(1000) as u32
    }

    /// The running match of the visitor.
    pub(crate) fn my_match(self) -> Option<MatchId> {
        self.games.with(|games| match_of(self.me, games))
    }

    /// Whether the visitor has an open challenge; there can be one at a time.
    pub(crate) fn has_outgoing_challenge(self) -> bool {
        self.challenges
            .with(|challenges| challenges.iter().any(|call| call.from.id == self.me))
    }
}

/// The running match of a player.
pub(crate) fn match_of(player: PlayerId, games: &[MatchSummary]) -> Option<MatchId> {
    let sits = |game: &&MatchSummary| game.players.iter().any(|card| card.id == player);
    games.iter().find(sits).map(|game| game.id)
}
