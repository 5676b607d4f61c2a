//! Following a match: its mirror, kept up by the stream, and our moves on their way to the server.

use super::mirror::{Mirror, Pending, Took};
use crate::api;
use crate::play::Event;
use crate::rules::{Move, Seat};
use crate::ui::board::Shown;
use crate::ui::countdown::now;
use crate::ui::live::{Heard, Line, listen, pause};
use crate::ui::texts::Language;
use crate::ui::words;
use crate::wire::{ApiError, ClientId, Code, MatchId, PlayerCard, Snapshot};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

/// Names of stream events that are not events of the match.
const RESYNC: &str = "resync";

/// After how long a silence the match is looked at, in milliseconds.
const SILENCE: f64 = 20_000.0;

/// A match that is followed live.
#[derive(Clone, Copy)]
pub(crate) struct Follow {
    /// The match.
    pub(crate) id: MatchId,
    /// What this page knows of it.
    pub(crate) mirror: RwSignal<Mirror>,
    /// Seat 1, seat 2.
    pub(crate) players: StoredValue<[PlayerCard; 2]>,
    /// Whether the line is lost, or the match not checked since.
    pub(crate) lost: RwSignal<bool>,
    /// Why the last move of ours was refused.
    pub(crate) refusal: RwSignal<Option<String>>,
    language: Language,
}

impl Follow {
    /// Begins with a snapshot, and in a browser goes on with the stream.
    pub(crate) fn new(snapshot: &Snapshot, language: Language) -> Self {
        let follow = Self {
            id: snapshot.id,
            mirror: RwSignal::new(Mirror::of(snapshot)),
            players: StoredValue::new(snapshot.players.clone()),
            lost: RwSignal::new(false),
            refusal: RwSignal::new(None),
            language,
        };
        Effect::new(move |_| follow.open());
        follow
    }

    /// What is on the board.
    pub(crate) fn shown(self) -> Memo<Shown> {
        Memo::new(move |_| self.mirror.with(|mirror| mirror.shown().clone()))
    }

    /// Who moves now; nobody after the end.
    pub(crate) fn to_move(self) -> Option<Seat> {
        self.mirror.with(Mirror::to_move)
    }

    /// Points of both seats.
    pub(crate) fn score(self) -> [u32; 2] {
        self.mirror.with(Mirror::score)
    }

    /// Whether there is no result yet.
    pub(crate) fn running(self) -> bool {
        self.mirror.with(|mirror| mirror.result().is_none())
    }

    /// The name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.players
            .with_value(|players| players[seat.index()].name.clone())
    }

    fn open(self) {
        let Self { id, mirror, .. } = self;
        let address = move || {
            let version = mirror
                .try_with_untracked(Mirror::version)
                .unwrap_or_default();
            format!("/events/match/{id}?after={version}")
        };
        let names: Vec<&'static str> = Event::NAMES.into_iter().chain([RESYNC]).collect();
        let heard_at = StoredValue::new(now());
        let hear = move |heard| match heard {
            // After a loss the banner stays until the match has been checked again.
            Heard::Open if self.lost.try_get_untracked() == Some(true) => self.check(),
            Heard::Open => {}
            Heard::Lost => {
                let _ = self.lost.try_set(true);
            }
            Heard::Event {
                name,
                version: Some(version),
                body,
            } => match Event::read(&name, &body) {
                Ok(event) => self.take_in(version, &event),
                Err(_) => self.check(),
            },
            Heard::Event { .. } => self.check(),
        };
        let line = listen(address, &names, move |heard| {
            heard_at.set_value(now());
            hear(heard);
        });
        let look = move || {
            if heard_at.try_get_value().is_some_and(|at| now() - at > SILENCE) {
                heard_at.set_value(now());
                self.look_after_silence(line);
            }
        };
        if let Ok(timer) = set_interval_with_handle(look, Duration::from_secs(5)) {
            on_cleanup(move || timer.clear());
        }
    }

    fn take_in(self, version: u32, event: &Event) {
        // A version that is known changes nothing, so it also redraws nothing.
        if self
            .mirror
            .try_with_untracked(Mirror::version)
            .is_none_or(|known| version <= known)
        {
            return;
        }
        match self.mirror.try_maybe_update(|mirror| {
            let took = mirror.hear(version, event);
            (took == Took::In, took)
        }) {
            Some(Took::In) => {
                let _ = self.refusal.try_set(None);
            }
            Some(Took::Gap) => self.check(),
            Some(Took::Known) | None => {}
        }
    }

    /// Fetches the snapshot and goes on from it, however often that takes.
    fn check(self) {
        self.check_after(0);
    }

    fn check_after(self, failures: u32) {
        spawn_local(async move {
            match api::match_snapshot(self.id).await {
                Ok(snapshot) => {
                    let _ = self.mirror.try_update(|mirror| mirror.renew(&snapshot));
                    let _ = self.lost.try_set(false);
                }
                // A page that has gone has no signals any more, and nothing to check.
                Err(_) if self.lost.try_set(true).is_none() => {
                    set_timeout(move || self.check_after(failures + 1), pause(failures));
                }
                Err(_) => {}
            }
        });
    }

    /// A stream that died without a word looks like one on which nothing happens. So after some silence the match is
    /// looked at, and if it has gone on, the stream is opened anew.
    fn look_after_silence(self, line: Line) {
        let Some(known) = self.mirror.try_with_untracked(Mirror::version) else {
            return;
        };
        spawn_local(async move {
            match api::match_snapshot(self.id).await {
                Ok(snapshot) if snapshot.version > known => {
                    let _ = self.mirror.try_update(|mirror| mirror.renew(&snapshot));
                    line.renew();
                }
                Ok(_) => {}
                Err(_) => {
                    let _ = self.lost.try_set(true);
                    line.renew();
                }
            }
        });
    }

    /// Makes a move: here at once, and at the server as soon as it can be reached.
    pub(crate) fn play(self, seat: Seat, mv: &str) {
        let proposed = self.mirror.try_maybe_update(|mirror| {
            let proposed = mirror.propose(seat, mv, fresh_client_id());
            (proposed.is_ok(), proposed)
        });
        match proposed {
            Some(Ok(pending)) => {
                self.refusal.set(None);
                self.send(pending, 0);
            }
            Some(Err(refusal)) => self.refusal.set(Some(
                words::error(self.language, &refusal.into()).to_owned(),
            )),
            None => {}
        }
    }

    /// Makes a move of the board.
    pub(crate) fn place(self, seat: Seat, mv: Move) {
        self.play(seat, &mv.to_string());
    }

    /// Sends a move under its name until it is answered. An answer that was lost on the way is had again like this.
    fn send(self, pending: Pending, failures: u32) {
        spawn_local(async move {
            let Pending {
                mv,
                client_id,
                version,
                ..
            } = pending.clone();
            match api::make_move(self.id, mv, Some(version), Some(client_id.clone())).await {
                // The server is there; whether the stream is, too, a look will tell.
                Ok(_) if self.lost.try_get_untracked() == Some(true) => self.check(),
                Ok(answer) => self.expect(answer.version),
                Err(ApiError {
                    code: Code::Unavailable,
                    ..
                }) => {
                    let _ = self.lost.try_set(true);
                    set_timeout(
                        move || {
                            let waiting = self
                                .mirror
                                .try_with_untracked(|mirror| mirror.is_pending(&client_id));
                            if waiting == Some(true) {
                                self.send(pending, failures + 1);
                            }
                        },
                        pause(failures),
                    );
                }
                Err(error) => {
                    let withdrawn = self.mirror.try_maybe_update(|mirror| {
                        let withdrawn = mirror.withdraw(&client_id);
                        (withdrawn, withdrawn)
                    });
                    if withdrawn == Some(true) {
                        let _ = self
                            .refusal
                            .try_set(Some(words::error(self.language, &error).to_owned()));
                    }
                    if matches!(error.code, Code::Stale | Code::Finished | Code::NotYourTurn) {
                        self.check();
                    }
                }
            }
        });
    }

    /// The move is committed; if the stream does not bring it soon, it is fetched.
    fn expect(self, version: u32) {
        set_timeout(
            move || {
                if self
                    .mirror
                    .try_with_untracked(Mirror::version)
                    .is_some_and(|known| known < version)
                {
                    self.check();
                }
            },
            pause(1),
        );
    }
}

/// A name for a move that no other of this player has. Only in a browser.
fn fresh_client_id() -> ClientId {
    let digits = (js_sys::Math::random() * 2_f64.powi(53)) as u64;
    // Time and chance together, in characters that are all allowed.
    format!("c{:x}-{digits:x}", now() as u64)
        .parse()
        .expect("hexadecimal digits make a client_id")
}
