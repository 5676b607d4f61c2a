//! Keeping the page's copy of a match up to date: the event stream, and a snapshot where the stream is not enough.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::live::countdown::{browser_now_ms, is_older};
use crate::ui::live::event_stream::{StreamEvent, Subscription, retry_delay, subscribe};
use crate::ui::match_page::MatchController;
use crate::ui::match_page::controller::Refetching;
use crate::ui::match_page::optimistic_match::{Applied, OptimisticMatch};
use crate::ui::text::words;
use leptos::prelude::*;
use leptos::task::spawn_local;
use tochki_play::Event;
use tochki_protocol::limits::{
    STREAM_IDLE_CHECK_INTERVAL, STREAM_IDLE_TIMEOUT, STREAM_STATUS_TIMEOUT,
};
use tochki_protocol::{MatchStatus, Snapshot, StatusEvent, event_names, json};

impl MatchController {
    /// Opens the event stream. For browsers.
    pub(super) fn subscribe(self) {
        let version = move || self.game.with_untracked(OptimisticMatch::version);
        let topic = move || format!("match:{}@{}", self.id, version());
        let of_status = event_names::of::<StatusEvent>();
        let names = [event_names::of::<Event>(), of_status].concat();
        let on_event = move |event| match event {
            StreamEvent::Connected => {
                self.stream.update_value(|stream| {
                    stream.connected = true;
                    stream.status = MatchStatus::default();
                });
                set_timeout(
                    move || {
                        self.status
                            .set(self.stream.with_value(|stream| stream.status.clone()));
                    },
                    STREAM_STATUS_TIMEOUT,
                );
                // The banner stays until the match has been fetched again.
                if self.connection_lost.get_untracked() {
                    self.refetch(0);
                }
            }
            StreamEvent::Disconnected => {
                self.set_connected(false);
                self.connection_lost.set(true);
            }
            // Status events have no version of their own.
            StreamEvent::Message { name, data, .. } if of_status.contains(&name.as_str()) => {
                match StatusEvent::read(&name, &data) {
                    Ok(StatusEvent::Resync {}) | Err(_) => self.refetch(0),
                    Ok(StatusEvent::Heartbeat {}) => {}
                    Ok(notice) => {
                        self.stream
                            .update_value(|stream| stream.status.apply(&notice));
                        self.status.update(|status| status.apply(&notice));
                    }
                }
            }
            StreamEvent::Message {
                name,
                version: Some(version),
                data,
            } => match json::read_event(&name, &data) {
                Ok(event) => self.apply_event(version, &event),
                Err(_) => self.refetch(0),
            },
            StreamEvent::Message { .. } => self.refetch(0),
        };
        let last_event_ms = StoredValue::new(browser_now_ms());
        let subscription = subscribe(topic, &names, move |event| {
            last_event_ms.set_value(browser_now_ms());
            on_event(event);
        });
        let poll = move || {
            if is_older(last_event_ms.get_value(), STREAM_IDLE_TIMEOUT) {
                last_event_ms.set_value(browser_now_ms());
                self.check_after_idle(subscription);
            }
        };
        set_interval(poll, STREAM_IDLE_CHECK_INTERVAL);
        // Clocks and countdowns need the server's time; the match itself is known already.
        if self.game.with_untracked(|game| game.result().is_none()) {
            spawn_local(async move {
                let _ = self.fetch().await;
            });
        }
    }

    fn set_connected(self, connected: bool) {
        self.stream
            .update_value(|stream| stream.connected = connected);
    }

    /// Fetches the snapshot, and synchronizes the server clock with it.
    pub(super) async fn fetch(self) -> Result<Snapshot, ErrorResponse> {
        let sent_ms = browser_now_ms();
        let snapshot = api::match_snapshot(self.id, Some(true)).await?;
        if let Some(server_time) = snapshot.now {
            self.server_clock.sync(sent_ms, server_time);
        }
        Ok(snapshot)
    }

    fn apply_event(self, version: u32, event: &Event) {
        let offer = self.game.with_untracked(|game| game.confirmed().offer());
        let applied = self.game.try_maybe_update(|game| {
            let applied = game.apply_event(version, event);
            // A duplicate changes nothing, so it triggers no rendering.
            (applied == Applied::Next, applied)
        });
        match applied {
            Some(Applied::Next) => {
                if is_of_adjournment(event) {
                    reload();
                }
                if self.me.is_some() && matches!(event, Event::Finished { .. }) {
                    self.acknowledge_end();
                }
                self.move_error.set(None);
                if let (Event::OfferClosed { why }, Some(offer), Some(me)) = (event, offer, self.me)
                {
                    let (mine, other) = (offer.seat == me, self.name(me.other()));
                    let ended = words::offer_end(self.language, offer.kind, *why, mine, &other);
                    if let Some(ended) = ended {
                        self.notices.push(ended);
                    }
                }
            }
            Some(Applied::Gap) => self.refetch(0),
            Some(Applied::Duplicate) | None => {}
        }
    }

    /// Says that this page has shown the end, which would be told to a player who leaves now.
    fn acknowledge_end(self) {
        spawn_local(async move {
            let _ = api::read_notifications(None, Some(self.id), None).await;
        });
    }

    /// Shows the match as a snapshot has it.
    fn update(self, snapshot: &Snapshot) {
        let known = self
            .game
            .with_untracked(|game| game.confirmed().adjournment());
        if snapshot.adjournment != known {
            reload();
        }
        self.game.update(|game| game.update_from_snapshot(snapshot));
    }

    /// A dead connection looks like one without events, but a living one has heartbeats. So after an idle time the match is
    /// fetched, and if it has gone on, the stream is reopened.
    fn check_after_idle(self, subscription: Subscription) {
        let known = self.game.with_untracked(OptimisticMatch::version);
        spawn_local(async move {
            match self.fetch().await {
                Ok(snapshot) if snapshot.version == known => {}
                Ok(snapshot) => {
                    self.update(&snapshot);
                    subscription.reconnect();
                }
                Err(_) => {
                    self.set_connected(false);
                    self.connection_lost.set(true);
                    subscription.reconnect();
                }
            }
        });
    }

    /// Fetches the snapshot until it succeeds, and applies it; once more if that was asked for meanwhile.
    pub(super) fn refetch(self, failures: u32) {
        let update = move |change: fn(&mut Refetching) -> bool| {
            let changed = self
                .stream
                .try_update_value(|stream| change(&mut stream.refetching));
            changed == Some(true)
        };
        if failures == 0 && !update(Refetching::begin) {
            return;
        }
        spawn_local(async move {
            if let Ok(snapshot) = self.fetch().await {
                let again = update(Refetching::end);
                self.update(&snapshot);
                self.connection_lost
                    .set(!self.stream.with_value(|stream| stream.connected));
                if again {
                    self.refetch(0);
                }
            } else {
                set_timeout(move || self.refetch(failures + 1), retry_delay(failures));
            }
        });
    }
}

/// Returns whether an event changes more of the page than its island: the server renders an adjourned match.
const fn is_of_adjournment(event: &Event) -> bool {
    matches!(
        event,
        Event::Adjourned { .. } | Event::Sealed { .. } | Event::Resumed { .. }
    )
}

/// Loads the page again.
fn reload() {
    let _ = window().location().reload();
}
