//! Synchronization of the lobby's state with the event stream.

use crate::api;
use crate::ui::live::countdown::{browser_now_ms, is_older};
use crate::ui::live::event_stream::{StreamEvent, subscribe};
use crate::ui::lobby::LobbyState;
use crate::ui::text::words;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_play::Timestamp;
use tochki_protocol::{
    Challenge, CloseReason, LobbyEvent, MatchSummary, WaitingPlayer, event_names, limits,
};

impl LobbyState {
    /// Opens the event stream. For browsers.
    pub(crate) fn subscribe(self) {
        self.server_clock.sync_from_page_load(self.rendered_at);
        let last_event_ms = StoredValue::new(browser_now_ms());
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
        let topic = move || format!("lobby:{game}");
        let subscription = subscribe(topic, event_names::of::<LobbyEvent>(), on_event);
        // A dead connection looks like one without events, but a living one has heartbeats.
        let reconnect_if_idle = move || {
            if is_older(last_event_ms.get_value(), limits::STREAM_IDLE_TIMEOUT) {
                last_event_ms.set_value(browser_now_ms());
                self.connection_lost.set(true);
                subscription.reconnect();
            }
        };
        set_interval(reconnect_if_idle, limits::STREAM_IDLE_CHECK_INTERVAL);
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
                self.finished.set(room.finished);
                self.connection_lost.set(false);
            }
            LobbyEvent::Joined(card) => self.players.update(|players| {
                players.retain(|player| player.id != card.id);
                let rank = |card: &WaitingPlayer| (card.rating, card.id);
                let place = players.partition_point(|player| rank(player) <= rank(&card));
                players.insert(place, card);
            }),
            LobbyEvent::Left(left) => self
                .players
                .update(|players| players.retain(|player| player.id != left.id)),
            LobbyEvent::Challenged(challenge) => {
                self.server_clock.sync_from_event(
                    challenge.expires_at - limits::in_millis(limits::CHALLENGE_TIMEOUT),
                );
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
            LobbyEvent::JustFinished(told) => self.finished.set(told.matches),
            LobbyEvent::Scores(scores) => self.games.update(|games| {
                for told in scores.matches {
                    if let Some(game) = games.iter_mut().find(|game| game.id == told.match_id) {
                        (game.score, game.progress) = (told.score, told.progress);
                    }
                }
            }),
            LobbyEvent::Heartbeat {} => {}
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
            let known = api::challenge_outcomes(self.game.to_string())
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
}
