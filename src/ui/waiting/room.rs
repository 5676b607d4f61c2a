//! The waiting room as this page knows it: what the stream brings changes it, and the lists follow.

use crate::rules::Kind;
use crate::ui::countdown::now;
use crate::ui::live::{Heard, listen};
use crate::ui::notices::Notices;
use crate::ui::texts::Language;
use crate::ui::words;
use crate::wire::{
    Challenge, LobbyEvent, MatchId, MatchSummary, PlayerCard, PlayerId, WaitingRoom,
};
use leptos::prelude::*;

/// How long a challenge stands.
const CHALLENGE: f64 = 15_000.0;

/// Who waits, who asks whom, what is played.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Whose room it is.
    pub(crate) me: PlayerId,
    /// Who waits, ascending by rating.
    pub(crate) players: RwSignal<Vec<PlayerCard>>,
    /// Open challenges to and from me.
    pub(crate) calls: RwSignal<Vec<Call>>,
    /// Running games.
    pub(crate) games: RwSignal<Vec<MatchSummary>>,
    /// How challenges ended.
    pub(crate) notices: Notices,
    /// Whether the line is lost, or not checked since.
    pub(crate) lost: RwSignal<bool>,
}

/// An open challenge, and when it ends on this computer's clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) challenge: Challenge,
    /// Unknown in the page's HTML, which knows no clock of the visitor's.
    pub(crate) until: Option<f64>,
}

impl Room {
    /// The room as the server has rendered it.
    pub(crate) fn new(me: PlayerId, room: WaitingRoom) -> Self {
        let calls = room
            .challenges
            .into_iter()
            .map(|challenge| Call {
                challenge,
                until: None,
            })
            .collect();
        Self {
            me,
            players: RwSignal::new(room.players),
            calls: RwSignal::new(calls),
            games: RwSignal::new(room.matches),
            notices: Notices::new(),
            lost: RwSignal::new(false),
        }
    }

    /// Goes on live.
    pub(crate) fn follow(self, kind: Kind, language: Language) {
        let hear = move |heard| match heard {
            // The banner stays until the snapshot, which is the first event, has come.
            Heard::Open => {}
            Heard::Lost => self.lost.set(true),
            Heard::Event { name, body, .. } => {
                match LobbyEvent::read(&name, &body) {
                    Ok(event) => self.take_in(event, language),
                    // An event this page is too old for changes nothing that it shows.
                    Err(error) => leptos::logging::warn!("{name}: {error}"),
                }
            }
        };
        listen(
            move || format!("/events/lobby?game={kind}"),
            &LobbyEvent::NAMES,
            hear,
        );
    }

    fn take_in(self, event: LobbyEvent, language: Language) {
        match event {
            LobbyEvent::Snapshot(room) => {
                let clock = now();
                let call = |challenge: Challenge| {
                    let left = (challenge.expires_at.0 as f64 - clock).clamp(0.0, CHALLENGE);
                    Call {
                        challenge,
                        until: Some(clock + left),
                    }
                };
                self.players.set(room.players);
                self.calls
                    .set(room.challenges.into_iter().map(call).collect());
                self.games.set(room.matches);
                self.lost.set(false);
            }
            LobbyEvent::Joined(card) => self.players.update(|players| {
                players.retain(|player| player.id != card.id);
                let place = players.partition_point(|player| player.rating <= card.rating);
                players.insert(place, card);
            }),
            LobbyEvent::Left(left) => self
                .players
                .update(|players| players.retain(|player| player.id != left.id)),
            LobbyEvent::Challenged(challenge) => self.calls.update(|calls| {
                calls.retain(|call| call.challenge.id != challenge.id);
                // It has only just begun, whatever this computer's clock says.
                calls.push(Call {
                    challenge,
                    until: Some(now() + CHALLENGE),
                });
            }),
            LobbyEvent::ChallengeClosed(closed) => {
                let over = self.calls.with_untracked(|calls| {
                    calls
                        .iter()
                        .find(|call| call.challenge.id == closed.id)
                        .map(|call| call.challenge.clone())
                });
                if let Some(challenge) = over {
                    self.calls
                        .update(|calls| calls.retain(|call| call.challenge.id != closed.id));
                    let mine = challenge.from.id == self.me;
                    let other = if mine {
                        &challenge.to.name
                    } else {
                        &challenge.from.name
                    };
                    if let Some(news) = words::closing(language, closed.why, mine, other) {
                        self.notices.tell(news);
                    }
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
                            started_at: crate::play::Millis(now() as i64),
                        },
                    );
                }
            }),
            LobbyEvent::MatchFinished(ended) => {
                self.games
                    .update(|games| games.retain(|game| game.id != ended.match_id));
            }
        }
    }

    /// The table I am called to: the running match I sit at.
    pub(crate) fn called_to(self) -> Option<MatchId> {
        self.games.with(|games| table_of(self.me, games))
    }

    /// Whether a challenge of mine is open: there can be one at a time.
    pub(crate) fn calling(self) -> bool {
        self.calls
            .with(|calls| calls.iter().any(|call| call.challenge.from.id == self.me))
    }
}

/// The running match that a player sits at.
pub(crate) fn table_of(player: PlayerId, games: &[MatchSummary]) -> Option<MatchId> {
    let sits = |game: &&MatchSummary| game.players.iter().any(|card| card.id == player);
    games.iter().find(sits).map(|game| game.id)
}
