//! The waiting room as this page knows it: what the stream brings changes it, and the lists follow.

use crate::api;
use crate::ui::live::countdown::now;
use crate::ui::live::notices::Notices;
use crate::ui::live::server_time::{RenderedAt, ServerTime};
use crate::ui::live::stream::{Heard, Line, listen};
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

/// How long a challenge stands.
const CHALLENGE: Millis = Millis::from_secs(15);

/// After how long a silence the room is looked at, in milliseconds.
const SILENCE: f64 = 20_000.0;

/// How old the scores of running games may be, in milliseconds.
const CALM: f64 = 10_000.0;

/// How often it is seen whether it is time to look.
const GLANCE: Duration = Duration::from_secs(5);

/// Who waits, who asks whom, what is played.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Whose room it is.
    pub(crate) me: PlayerId,
    /// Which game's.
    pub(crate) game: GameKind,
    /// Who waits, ascending by rating.
    pub(crate) players: RwSignal<Vec<PlayerCard>>,
    /// Open challenges to and from me.
    pub(crate) calls: RwSignal<Vec<Challenge>>,
    /// Running games.
    pub(crate) games: RwSignal<Vec<MatchSummary>>,
    /// Open tables with a free chair, oldest first.
    pub(crate) tables: RwSignal<Vec<Table>>,
    /// How challenges ended.
    pub(crate) notices: Notices,
    /// Whether the line is lost, or not checked since.
    pub(crate) lost: RwSignal<bool>,
    /// Whether it was here that a challenge of mine was made.
    pub(crate) asked: StoredValue<bool>,
    rendered_at: RenderedAt,
    time: ServerTime,
    language: Language,
}

impl Room {
    /// The room as the server has rendered it.
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
            calls: RwSignal::new(room.challenges),
            games: RwSignal::new(room.matches),
            tables: RwSignal::new(room.tables),
            notices: Notices::new(),
            lost: RwSignal::new(false),
            asked: StoredValue::new(false),
            rendered_at,
            time: ServerTime::new(),
            language,
        }
    }

    /// Goes on live.
    pub(crate) fn follow(self) {
        self.time.learn_from_page(self.rendered_at);
        let heard_at = StoredValue::new(now());
        let looked_at = StoredValue::new(now());
        let hear = move |heard| {
            heard_at.set_value(now());
            match heard {
                // The banner stays until the snapshot, which is the first event, has come.
                Heard::Open => {}
                Heard::Lost => self.lost.set(true),
                Heard::Event { name, body, .. } => {
                    match LobbyEvent::read(&name, &body) {
                        Ok(event) => self.take_in(event),
                        // An event this page is too old for changes nothing that it shows.
                        Err(error) => leptos::logging::warn!("{name}: {error}"),
                    }
                }
            }
        };
        let game = self.game;
        let address = move || format!("/events/lobby?game={game}");
        let line = listen(address, &LobbyEvent::NAMES, hear);
        let glance = move || {
            let silent = now() - heard_at.get_value() > SILENCE;
            let watched = !document().hidden() && self.games.with_untracked(|all| !all.is_empty());
            if silent || watched && now() - looked_at.get_value() > CALM {
                looked_at.set_value(now());
                if silent {
                    heard_at.set_value(now());
                }
                self.look(line, silent);
            }
        };
        set_interval(glance, GLANCE);
    }

    /// Looks at the room beside the stream, which brings no scores: they may be a few moments old, but never stale.
    ///
    /// And a stream that died without a word looks like one on which nothing happens. If after a silence things are not
    /// as it has left them, it is opened anew.
    fn look(self, line: Line, silent: bool) {
        spawn_local(async move {
            match api::waiting_room(self.game.to_string(), None, None, None).await {
                Ok(room) => {
                    if silent && !self.is_as(&room) {
                        line.renew();
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
                    self.lost.set(true);
                    line.renew();
                }
            }
        });
    }

    fn is_as(self, room: &WaitingRoom) -> bool {
        let games = |games: &[MatchSummary]| games.iter().map(|game| game.id).collect::<Vec<_>>();
        self.players
            .with_untracked(|players| *players == room.players)
            && self.calls.with_untracked(|calls| *calls == room.challenges)
            && self.tables.with_untracked(|tables| *tables == room.tables)
            && self
                .games
                .with_untracked(|known| games(known) == games(&room.matches))
    }

    fn take_in(self, event: LobbyEvent) {
        match event {
            LobbyEvent::Snapshot(room) => {
                let still_open =
                    |call: &Challenge| room.challenges.iter().any(|open| open.id == call.id);
                let mut ended = self.calls.get_untracked();
                ended.retain(|call| !still_open(call));
                if !ended.is_empty() {
                    self.find_out(ended);
                }
                self.players.set(room.players);
                self.calls.set(room.challenges);
                self.games.set(room.matches);
                self.tables.set(room.tables);
                self.lost.set(false);
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
                self.time.heard(challenge.expires_at - CHALLENGE);
                self.calls.update(|calls| {
                    calls.retain(|call| call.id != challenge.id);
                    calls.push(challenge);
                });
            }
            LobbyEvent::ChallengeClosed(closed) => {
                let over = self
                    .calls
                    .try_maybe_update(|calls| {
                        let place = calls.iter().position(|call| call.id == closed.id);
                        let over = place.map(|place| calls.remove(place));
                        (over.is_some(), over)
                    })
                    .flatten();
                if let Some(challenge) = over {
                    self.tell(&challenge, closed.why);
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
                            started_at: Timestamp(now() as i64),
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

    /// Tells how a challenge ended.
    fn tell(self, challenge: &Challenge, why: CloseReason) {
        if let Some(news) = words::ending(self.language, challenge, why, self.me) {
            self.notices.tell(news);
        }
    }

    /// Challenges ended while nothing was heard: the server still knows why.
    fn find_out(self, ended: Vec<Challenge>) {
        spawn_local(async move {
            let known = api::endings(self.game.to_string())
                .await
                .unwrap_or_default();
            for challenge in ended {
                let why = known
                    .iter()
                    .find(|known| known.challenge.id == challenge.id);
                // What it no longer knows ended longer ago than a challenge lasts.
                self.tell(
                    &challenge,
                    why.map_or(CloseReason::Expired, |known| known.why),
                );
            }
        });
    }

    /// When a challenge ends by itself, on this computer's clock; known in a browser.
    pub(crate) fn until(self, challenge: &Challenge) -> Option<f64> {
        let until = self.time.here(challenge.expires_at)?;
        Some(until.min(now() + CHALLENGE.0 as f64))
    }

    /// The seconds it has when the server renders it.
    pub(crate) fn left(self, challenge: &Challenge) -> u32 {
        let left = challenge.expires_at - self.rendered_at.0;
        left.0.max(0).cast_unsigned().div_ceil(1000) as u32
    }

    /// The table I am called to: the running match I sit at.
    pub(crate) fn called_to(self) -> Option<MatchId> {
        self.games.with(|games| table_of(self.me, games))
    }

    /// Whether a challenge of mine is open: there can be one at a time.
    pub(crate) fn calling(self) -> bool {
        self.calls
            .with(|calls| calls.iter().any(|call| call.from.id == self.me))
    }
}

/// The running match that a player sits at.
pub(crate) fn table_of(player: PlayerId, games: &[MatchSummary]) -> Option<MatchId> {
    let sits = |game: &&MatchSummary| game.players.iter().any(|card| card.id == player);
    games.iter().find(sits).map(|game| game.id)
}
