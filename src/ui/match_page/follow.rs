//! Following a match: its mirror, kept up by the stream, and our moves on their way to the server.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::board::Shown;
use crate::ui::islands::effect::effect;
use crate::ui::live::countdown::now;
use crate::ui::live::notices::Notices;
use crate::ui::live::server_time::ServerTime;
use crate::ui::live::stream::{Heard, Line, listen, pause};
use crate::ui::match_page::mirror::{OptimisticMatch, Pending, Took};
use crate::ui::steps::Steps;
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use crate::ui::widgets::name::called;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;
use tochki_play::{Event, Timestamp};
use tochki_protocol::{
    ApiError, ClientId, Code, MatchId, MatchStatus, PlayerCard, Snapshot, StatusEvent, json,
};
use tochki_rules::{Move, Seat};

/// After how long a silence the match is looked at, in milliseconds.
const SILENCE: f64 = 20_000.0;

/// How long a new connection takes at most for what it says first.
const FIRST_WORDS: Duration = Duration::from_secs(1);

/// A match that is followed live.
#[derive(Clone, Copy)]
pub(crate) struct MatchController {
    /// The match.
    pub(crate) id: MatchId,
    /// What this page knows of it.
    pub(crate) mirror: RwSignal<OptimisticMatch>,
    /// Who is away, who watches, who wants another match.
    pub(crate) around: RwSignal<MatchStatus>,
    /// Seat 1, seat 2.
    pub(crate) players: StoredValue<[PlayerCard; 2]>,
    /// Where the reader is in it.
    pub(crate) steps: Steps,
    /// Whether the line is lost, or the match not checked since.
    pub(crate) lost: RwSignal<bool>,
    /// Why the last move of ours was refused.
    pub(crate) refusal: RwSignal<Option<String>>,
    /// Short news of the match.
    pub(crate) notices: Notices,
    /// The server's clock.
    pub(crate) time: ServerTime,
    /// What it showed when this page was made.
    pub(crate) read_at: Timestamp,
    pub(crate) language: Language,
    /// The visitor's seat; those who watch have none.
    me: Option<Seat>,
    /// What this connection has said of that. It begins with what is not as at the beginning of a match.
    heard: StoredValue<MatchStatus>,
    /// Whether the stream stands.
    up: StoredValue<bool>,
    /// Whether a snapshot is on its way.
    checking: StoredValue<bool>,
}

impl MatchController {
    /// Begins with a snapshot, and in a browser goes on with the stream.
    pub(crate) fn new(snapshot: &Snapshot, me: Option<Seat>, language: Language) -> Self {
        let mirror = RwSignal::new(OptimisticMatch::of(snapshot));
        let whole = Memo::new(move |_| mirror.with(|mirror| mirror.shown().clone()));
        let follow = Self {
            id: snapshot.id,
            mirror,
            steps: Steps::new(whole, 0),
            around: RwSignal::new(snapshot.around()),
            heard: StoredValue::default(),
            players: StoredValue::new(snapshot.players.clone()),
            lost: RwSignal::new(false),
            refusal: RwSignal::new(None),
            up: StoredValue::new(false),
            checking: StoredValue::new(false),
            notices: Notices::new(),
            time: ServerTime::new(),
            read_at: snapshot.now.unwrap_or_default(),
            language,
            me,
        };
        effect(move || follow.open());
        follow
    }

    /// What is on the board: the match as it stands, or where its reader is in the past.
    pub(crate) fn shown(self) -> Memo<Shown> {
        self.steps.shown()
    }

    /// Whether a player may make a move here and now. In the past nobody does.
    pub(crate) fn may_move(self, seat: Seat) -> bool {
        self.to_move() == Some(seat) && !self.steps.in_past()
    }

    /// Who moves now; nobody after the end.
    pub(crate) fn to_move(self) -> Option<Seat> {
        self.mirror.with(OptimisticMatch::to_move)
    }

    /// Who had no move and was passed over, while the other moves again.
    pub(crate) fn passed(self) -> Option<Seat> {
        let passed = self.mirror.with(|mirror| mirror.shown().position.passed());
        self.to_move().filter(|_| passed).map(Seat::other)
    }

    /// Whether a move of ours is on its way to the server.
    pub(crate) fn sending(self) -> Signal<bool> {
        Signal::derive(move || self.mirror.with(OptimisticMatch::is_on_the_way))
    }

    /// Points of both seats.
    pub(crate) fn score(self) -> [u32; 2] {
        self.mirror.with(OptimisticMatch::score)
    }

    /// Whether there is no result yet.
    pub(crate) fn running(self) -> bool {
        self.mirror.with(|mirror| mirror.result().is_none())
    }

    /// The name of the player in a seat.
    pub(crate) fn name(self, seat: Seat) -> String {
        self.players
            .with_value(|players| called(self.language, &players[seat.index()].name))
    }

    fn open(self) {
        let version = move || self.mirror.with_untracked(OptimisticMatch::version);
        let address = move || format!("/events/match/{}?after={}", self.id, version());
        let names: Vec<&'static str> = Event::NAMES.into_iter().chain(StatusEvent::NAMES).collect();
        let hear = move |heard| match heard {
            Heard::Open => {
                self.up.set_value(true);
                self.heard.set_value(MatchStatus::default());
                set_timeout(move || self.around.set(self.heard.get_value()), FIRST_WORDS);
                // After a loss the banner stays until the match has been checked again.
                if self.lost.get_untracked() {
                    self.check(0);
                }
            }
            Heard::Lost => {
                self.up.set_value(false);
                self.lost.set(true);
            }
            // What has no version of its own comes with that of the event before it.
            Heard::Event { name, body, .. } if StatusEvent::NAMES.contains(&name.as_str()) => {
                match StatusEvent::read(&name, &body) {
                    Ok(StatusEvent::Resync {}) | Err(_) => self.check(0),
                    Ok(notice) => {
                        self.heard.update_value(|around| around.hear(&notice));
                        self.around.update(|around| around.hear(&notice));
                    }
                }
            }
            Heard::Event {
                name,
                version: Some(version),
                body,
            } => match json::read_event(&name, &body) {
                Ok(event) => self.take_in(version, &event),
                Err(_) => self.check(0),
            },
            Heard::Event { .. } => self.check(0),
        };
        let heard_at = StoredValue::new(now());
        let line = listen(address, &names, move |heard| {
            heard_at.set_value(now());
            hear(heard);
        });
        let look = move || {
            if now() - heard_at.get_value() > SILENCE {
                heard_at.set_value(now());
                self.look_after_silence(line);
            }
        };
        set_interval(look, Duration::from_secs(5));
        // What runs down here asks what time it is at the server; the match itself is known already.
        if self
            .mirror
            .with_untracked(|mirror| mirror.result().is_none())
        {
            spawn_local(async move {
                let _ = self.fetch().await;
            });
        }
    }

    /// Fetches the match, and learns by the way what time it is at the server.
    async fn fetch(self) -> Result<Snapshot, ErrorResponse> {
        let asked = now();
        let snapshot = api::match_snapshot(self.id, Some(true)).await?;
        if let Some(told) = snapshot.now {
            self.time.learn(asked, told);
        }
        Ok(snapshot)
    }

    fn take_in(self, version: u32, event: &Event) {
        let offer = self
            .mirror
            .with_untracked(|mirror| mirror.confirmed().offer());
        let took = self.mirror.try_maybe_update(|mirror| {
            let took = mirror.hear(version, event);
            // What is known changes nothing, so it also redraws nothing.
            (took == Took::In, took)
        });
        match took {
            Some(Took::In) => {
                self.refusal.set(None);
                if let (Event::OfferClosed { why }, Some(offer), Some(me)) = (event, offer, self.me)
                {
                    let (mine, other) = (offer.seat == me, self.name(me.other()));
                    let ended = words::offer_end(self.language, offer.kind, *why, mine, &other);
                    if let Some(ended) = ended {
                        self.notices.tell(ended);
                    }
                }
            }
            Some(Took::Gap) => self.check(0),
            Some(Took::Known) | None => {}
        }
    }

    /// A stream that died without a word looks like one on which nothing happens. So after some silence the match is
    /// looked at, and if it has gone on, the stream is opened anew.
    fn look_after_silence(self, line: Line) {
        let known = self.mirror.with_untracked(OptimisticMatch::version);
        spawn_local(async move {
            match self.fetch().await {
                Ok(snapshot) if snapshot.version == known => {}
                Ok(snapshot) => {
                    self.mirror.update(|mirror| mirror.renew(&snapshot));
                    line.renew();
                }
                Err(_) => {
                    self.up.set_value(false);
                    self.lost.set(true);
                    line.renew();
                }
            }
        });
    }

    /// Fetches the snapshot, for as long as it takes, and goes on from it.
    fn check(self, failures: u32) {
        if failures == 0 && self.checking.get_value() {
            return;
        }
        self.checking.set_value(true);
        spawn_local(async move {
            if let Ok(snapshot) = self.fetch().await {
                self.checking.set_value(false);
                self.mirror.update(|mirror| mirror.renew(&snapshot));
                self.lost.set(!self.up.get_value());
            } else {
                set_timeout(move || self.check(failures + 1), pause(failures));
            }
        });
    }

    /// Makes a move of the board.
    pub(crate) fn place(self, seat: Seat, mv: Move) {
        self.play(seat, &mv.to_string());
    }

    /// Makes a move: here at once, and at the server as soon as it can be reached.
    pub(crate) fn play(self, seat: Seat, mv: &str) {
        if untrack(|| self.steps.in_past()) {
            let words = say!(self.language, steps.not_now);
            self.refusal.set(Some(words.to_owned()));
            return;
        }
        let proposed = self.mirror.try_maybe_update(|mirror| {
            let proposed = mirror.propose(seat, mv, fresh_client_id());
            (proposed.is_ok(), proposed)
        });
        match proposed {
            Some(Ok(pending)) => {
                self.refusal.set(None);
                self.send(pending, 0);
            }
            Some(Err(refusal)) => self.refuse(&ApiError::of_refusal(refusal).into()),
            None => {}
        }
    }

    /// Says why a move of ours was refused.
    pub(crate) fn refuse(self, error: &ErrorResponse) {
        self.refusal
            .set(Some(words::error(self.language, error).to_owned()));
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
                // Committed; if the stream does not bring it soon, it is fetched.
                Ok(answer) => {
                    let late = move || {
                        let known = self.mirror.with_untracked(OptimisticMatch::version);
                        if known < answer.version || self.lost.get_untracked() {
                            self.check(0);
                        }
                    };
                    set_timeout(late, pause(0));
                }
                Err(error) if error.code == Code::Unavailable => {
                    self.lost.set(true);
                    let again = move || {
                        if self
                            .mirror
                            .with_untracked(|mirror| mirror.is_pending(&client_id))
                        {
                            self.send(pending, failures + 1);
                        }
                    };
                    set_timeout(again, pause(failures));
                }
                // It may be that only an offer has come in between.
                Err(error) if error.code == Code::Stale => {
                    if let Ok(snapshot) = self.fetch().await {
                        self.mirror.update(|mirror| mirror.renew(&snapshot));
                    }
                    let again = self
                        .mirror
                        .with_untracked(|mirror| mirror.overtaken(&client_id));
                    match again {
                        Some(again) => self.send(again, 0),
                        None => {
                            self.mirror.update(|mirror| {
                                mirror.withdraw(&client_id);
                            });
                            self.refuse(&error);
                        }
                    }
                }
                Err(error) => {
                    let withdrawn = self.mirror.try_maybe_update(|mirror| {
                        let withdrawn = mirror.withdraw(&client_id);
                        (withdrawn, withdrawn)
                    });
                    if withdrawn == Some(true) {
                        self.refuse(&error);
                    }
                    if matches!(error.code, Code::Finished | Code::NotYourTurn) {
                        self.check(0);
                    }
                }
            }
        });
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
