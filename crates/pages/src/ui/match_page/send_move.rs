//! Sending the visitor's moves: shown at once, sent again until answered (also after 429, which is waited out), rolled back
//! when refused.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::games;
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::live::event_stream::retry_delay;
use crate::ui::match_page::optimistic_match::{OptimisticMatch, PendingMove};
use crate::ui::match_page::{Authority, MatchController};
use crate::ui::text::t;
use crate::ui::text::words;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;
use tochki_protocol::limits::MOVE_SENDING_NOTICE_DELAY;
use tochki_protocol::{ApiError, ClientId, Code};
use tochki_rules::{Move, Seat};

impl MatchController {
    /// Makes a move on the board.
    pub(crate) fn play_move(self, seat: Seat, mv: Move) {
        self.play_text(seat, &mv.to_string());
    }

    /// Makes a move given as text: shown at once, and sent to the server.
    pub(crate) fn play_text(self, seat: Seat, mv: &str) {
        if untrack(|| self.steps.in_past()) {
            let words = t!(self.language, steps.not_now);
            self.move_error.set(Some(words.to_owned()));
            return;
        }
        let proposed = self.game.try_maybe_update(|game| {
            let proposed = game.propose(seat, mv, fresh_client_id());
            (proposed.is_ok(), proposed)
        });
        match proposed {
            Some(Ok(pending)) => {
                self.move_error.set(None);
                match self.authority {
                    Authority::Server => {
                        self.watch_sending(pending.client_id.clone());
                        self.send(pending, 0);
                    }
                    Authority::Page(play) => play.run(pending),
                }
            }
            Some(Err(refusal)) => self.show_error(&ApiError::of_refusal(refusal).into()),
            None => {}
        }
    }

    /// Shows why a move was refused.
    pub(crate) fn show_error(self, error: &ErrorResponse) {
        let told = match error.code {
            Code::MalformedMove => self.game.with_untracked(|game| {
                games::malformed_move(self.language, game.confirmed().position())
            }),
            _ => words::match_error(self.language, error).to_owned(),
        };
        self.move_error.set(Some(told));
    }

    /// Lets the page say that a move is being sent, if that takes long.
    fn watch_sending(self, client_id: ClientId) {
        self.sends_slowly.set(false);
        let look = move || {
            // Another move may be on its way by then.
            if self.game.with_untracked(|game| game.is_pending(&client_id)) {
                self.sends_slowly.set(true);
            }
        };
        set_timeout(look, MOVE_SENDING_NOTICE_DELAY);
    }

    /// Sends a move until it is answered. The `client_id` makes it safe to send again.
    fn send(self, pending: PendingMove, failures: u32) {
        spawn_local(async move {
            let PendingMove {
                mv,
                client_id,
                version,
                ..
            } = pending.clone();
            match api::make_move(self.id, mv, Some(version), Some(client_id.clone())).await {
                // Committed. If the stream does not bring the event soon, the snapshot is fetched.
                Ok(answer) => {
                    let refetch_if_missing = move || {
                        let known = self.game.with_untracked(OptimisticMatch::version);
                        if known < answer.version || self.connection_lost.get_untracked() {
                            self.refetch(0);
                        }
                    };
                    set_timeout(refetch_if_missing, retry_delay(0));
                }
                // Neither has made the move. After 429 the connection is fine, and the server has said how long to wait.
                Err(error) if matches!(error.code, Code::Unavailable | Code::TooManyRequests) => {
                    if error.code == Code::Unavailable {
                        self.connection_lost.set(true);
                    }
                    let retry = move || {
                        if self.game.with_untracked(|game| game.is_pending(&client_id)) {
                            self.send(pending, failures + 1);
                        }
                    };
                    let told = error.retry_after.map(|s| Duration::from_secs(s.into()));
                    set_timeout(retry, told.unwrap_or_else(|| retry_delay(failures)));
                }
                // Perhaps only an offer has come in between.
                Err(error) if error.code == Code::Stale => {
                    if let Ok(snapshot) = self.fetch().await {
                        self.game
                            .update(|game| game.update_from_snapshot(&snapshot));
                    }
                    let again = self
                        .game
                        .with_untracked(|game| game.rebase_pending(&client_id));
                    match again {
                        Some(again) => self.send(again, 0),
                        None => {
                            self.game.update(|game| {
                                game.discard_pending(&client_id);
                            });
                            self.show_error(&error);
                        }
                    }
                }
                Err(error) => {
                    let discarded = self.game.try_maybe_update(|game| {
                        let discarded = game.discard_pending(&client_id);
                        (discarded, discarded)
                    });
                    if discarded == Some(true) {
                        self.show_error(&error);
                    }
                    if matches!(error.code, Code::Finished | Code::NotYourTurn) {
                        self.refetch(0);
                    }
                }
            }
        });
    }
}

/// A `client_id` that is unique for this player. Only in a browser.
fn fresh_client_id() -> ClientId {
    let digits = (js_sys::Math::random() * 2_f64.powi(53)) as u64;
    // Time and random bits, in characters that a `client_id` may contain.
    format!("c{:x}-{digits:x}", browser_now_ms() as u64)
        .parse()
        .expect("hexadecimal digits make a client_id")
}
