//! A game against the computer: the page is the authority over the match, and the worker finds the computer's moves.

use crate::ui::computer::{
    Answer, ComputerTexts, Opponent, Report, SHOWN_MOVES, SavedGame, SearchLimits, overlay,
};
use crate::ui::games::{board_position, move_text};
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::match_page::{Authority, MatchController, PendingMove};
use crate::ui::text::Language;
use leptos::prelude::*;
use tochki_play::{Command, Decision, Event, OfferKind, Refusal, Timestamp};
use tochki_protocol::limits;
use tochki_protocol::{ApiError, MatchId, MatchStatus, PlayerCard, PlayerId, Snapshot};
use tochki_rules::Seat;

/// The level that gives hints: the strongest.
const HINT_LEVEL: u8 = *limits::LEVELS.end();

/// The hint that the visitor has asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Hint {
    /// The move is being searched.
    Searching,
    /// The move, and its gain in words.
    Found { mv: String, words: String },
}

/// A game against the computer.
#[derive(Clone, Copy)]
pub(crate) struct ComputerGame {
    /// The match.
    pub(crate) controller: MatchController,
    /// The side of the visitor.
    pub(crate) me: Seat,
    /// Texts of these pages.
    pub(crate) texts: StoredValue<ComputerTexts>,
    /// The hint of this position.
    pub(crate) hint: RwSignal<Option<Hint>>,
    /// The report on the position that the computer searches or has searched last.
    pub(crate) report: RwSignal<Option<Report>>,
    /// Whether the report is shown.
    pub(crate) shows_thoughts: RwSignal<bool>,
    /// Whether nothing can change the score any more.
    pub(crate) settled: RwSignal<bool>,
    /// Whether the engine cannot be used.
    pub(crate) failed: RwSignal<bool>,
    /// Whether the browser keeps the game.
    pub(crate) kept: RwSignal<bool>,
    saved: StoredValue<SavedGame>,
    opponent: Opponent,
}

impl ComputerGame {
    /// Goes on with a game. For browsers.
    pub(crate) fn new(
        saved: SavedGame,
        texts: ComputerTexts,
        opponent: Opponent,
        language: Language,
    ) -> Self {
        let snapshot = snapshot(&saved, &texts);
        let me = saved.seat;
        // The callback needs the game, which needs the controller, which needs the callback.
        let game = StoredValue::new(None::<Self>);
        let play = Callback::new(move |pending: PendingMove| {
            if let Some(game) = game.get_value() {
                game.play(&pending);
            }
        });
        let controller =
            MatchController::with_authority(Authority::Page(play), &snapshot, Some(me), language);
        let created = Self {
            controller,
            me,
            texts: StoredValue::new(texts),
            hint: RwSignal::new(None),
            report: RwSignal::new(None),
            shows_thoughts: RwSignal::new(false),
            settled: RwSignal::new(false),
            failed: RwSignal::new(false),
            kept: RwSignal::new(true),
            saved: StoredValue::new(saved),
            opponent,
        };
        game.set_value(Some(created));
        created.save();
        created.think();
        created
    }

    /// Makes the visitor's move.
    fn play(self, pending: &PendingMove) {
        let command = Command::Move {
            seat: self.me,
            mv: pending.mv.clone(),
            version: None,
            client_id: None,
        };
        if let Err(refusal) = self.execute(&command) {
            self.controller.game.update(|game| {
                game.discard_pending(&pending.client_id);
            });
            self.controller
                .show_error(&ApiError::of_refusal(refusal).into());
            return;
        }
        self.think();
    }

    /// Lets the computer move, if it is its turn.
    pub(crate) fn think(self) {
        self.failed.set(false);
        if untrack(|| self.controller.to_move()) != Some(self.me.other()) {
            return;
        }
        let limits = SearchLimits {
            level: self.saved.with_value(|saved| saved.level),
            least_ms: limits::COMPUTER_MIN_MOVE_TIME.as_millis() as u32,
            most_ms: limits::COMPUTER_MAX_MOVE_TIME.as_millis() as u32,
            info_ms: limits::SEARCH_REPORT_INTERVAL.as_millis() as u32,
        };
        self.search(limits, move |answer| {
            let done = answer.kind == "done";
            match answer.report {
                Some(report) => {
                    let choice = report.choice.clone();
                    self.report.set(Some(report));
                    if done {
                        self.answer(choice);
                    }
                }
                None => self.failed.set(true),
            }
        });
    }

    /// Makes the move that the computer has chosen.
    fn answer(self, choice: Option<String>) {
        let settled = self
            .report
            .with_untracked(|report| report.as_ref().is_some_and(|report| report.settled));
        self.settled.set(settled);
        let command = choice.map(|mv| Command::Move {
            seat: self.me.other(),
            mv,
            version: None,
            client_id: None,
        });
        match command.map(|command| self.execute(&command)) {
            Some(Ok(())) => self.think(),
            // The engine plays by the same rules, so its file is of another release.
            Some(Err(_)) | None => self.failed.set(true),
        }
    }

    /// Searches a move for the visitor.
    pub(crate) fn find_hint(self) {
        if untrack(|| self.controller.to_move()) != Some(self.me) {
            return;
        }
        self.hint.set(Some(Hint::Searching));
        let limits = SearchLimits {
            level: HINT_LEVEL,
            least_ms: 0,
            most_ms: limits::HINT_TIME.as_millis() as u32,
            info_ms: 0,
        };
        self.search(limits, move |Answer { report, .. }| {
            let mv = report.and_then(|report| report.choice);
            self.failed.set(mv.is_none());
            self.hint.set(mv.and_then(|mv| self.describe_hint(mv)));
        });
    }

    /// Describes the move in a sentence, with its gain.
    fn describe_hint(self, mv: String) -> Option<Hint> {
        let language = self.controller.language;
        let words = self.controller.game.with_untracked(|game| {
            let position = game.confirmed().position();
            let parsed = position.parse_move(&mv).ok()?;
            let board = board_position(position);
            let preview = board.preview(language, self.me, board.target_of(parsed));
            let gain = preview.ok().and_then(|preview| preview.words);
            let hint = self
                .texts
                .with_value(|texts| texts.hint_text(&move_text(parsed)));
            Some(
                [Some(hint), gain]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        })?;
        Some(Hint::Found { mv, words })
    }

    /// Takes back the visitor's last move, and the computer's answer.
    pub(crate) fn take_back(self) {
        self.opponent.cancel();
        self.settled.set(false);
        self.agree(OfferKind::Takeback);
        self.think();
    }

    /// Ends the game with the score as it is.
    pub(crate) fn finish(self) {
        self.opponent.cancel();
        self.agree(OfferKind::Finish);
    }

    /// Agrees on an offer of the visitor, which the computer accepts.
    fn agree(self, kind: OfferKind) {
        let game = self.controller.game;
        let agreed = game.with_untracked(|game| game.confirmed().agreement(self.me, kind, now()));
        // An offer that cannot be agreed on has no button.
        if let Ok(event) = agreed {
            self.apply(&[event]);
        }
    }

    /// Gives the game up.
    pub(crate) fn resign(self) {
        self.opponent.cancel();
        let _ = self.execute(&Command::Resign { seat: self.me });
    }

    /// Returns whether there is a move of the visitor that can be taken back.
    pub(crate) fn can_take_back(self) -> bool {
        self.controller.game.with(|game| {
            let game = game.confirmed();
            game.result().is_none() && game.plies().iter().any(|ply| ply.seat == self.me)
        })
    }

    /// Draws the overlay of the board: the hint, and the moves that the computer considers while it is its turn.
    pub(crate) fn overlay(self) -> String {
        if self.controller.steps.in_past() {
            return String::new();
        }
        let hint = self.hint.get();
        self.controller.game.with(|game| {
            let position = game.confirmed().position();
            if let Some(Hint::Found { mv, .. }) = &hint {
                return overlay::hint(position, mv);
            }
            if !self.shows_thoughts.get() || game.to_move() != Some(self.me.other()) {
                return String::new();
            }
            self.report.with(|report| {
                let moves = report.iter().flat_map(|report| &report.moves);
                let moves = moves
                    .take(SHOWN_MOVES)
                    .map(|candidate| candidate.mv.as_str());
                overlay::ranks(position, moves)
            })
        })
    }

    /// Returns the game as it is kept.
    pub(crate) fn saved(self) -> SavedGame {
        self.saved.get_value()
    }

    /// Returns whether another page of this browser has changed the game since.
    pub(crate) fn is_outdated(self) -> bool {
        let saved = self.saved.get_value();
        SavedGame::load(&saved.id)
            .is_some_and(|stored| (stored.moves, stored.result) != (saved.moves, saved.result))
    }

    fn search(self, limits: SearchLimits, answered: impl Fn(Answer) + 'static) {
        let (setup, moves) = self.controller.game.with_untracked(|game| {
            let game = game.confirmed();
            let moves = game.plies().iter().map(|ply| ply.mv.to_string());
            (game.terms().setup, moves.collect::<Vec<_>>())
        });
        let seed = self.saved.with_value(|saved| saved.seed);
        self.opponent
            .search(setup, &moves, None, seed, limits, answered);
    }

    /// Lets a command happen, and saves the game.
    fn execute(self, command: &Command) -> Result<(), Refusal> {
        let game = self.controller.game;
        let decision = game.with_untracked(|game| game.confirmed().decide(command, now()))?;
        if let Decision::Happens(events) = decision {
            self.apply(&events);
        }
        Ok(())
    }

    fn apply(self, events: &[Event]) {
        self.controller.game.update(|game| {
            for event in events {
                game.apply_event(game.version() + 1, event);
            }
        });
        self.hint.set(None);
        self.save();
    }

    fn save(self) {
        let kept = self.saved.try_update_value(|saved| {
            let game = self.controller.game;
            game.with_untracked(|game| saved.update(game.confirmed(), now()));
            saved.store()
        });
        self.kept.set(kept == Some(true));
    }
}

/// Returns the browser's time.
pub(crate) fn now() -> Timestamp {
    Timestamp(browser_now_ms() as i64)
}

/// Returns the snapshot of a game as a page shows it: the visitor against the computer.
fn snapshot(saved: &SavedGame, texts: &ComputerTexts) -> Snapshot {
    let card = |name: String| PlayerCard {
        id: PlayerId(0),
        name,
        rating: 0.0,
        guest: false,
        provisional: false,
        bot: false,
    };
    let players = Seat::BOTH.map(|seat| card(texts.name(saved, seat)));
    let present = [true; 2];
    let status = MatchStatus::default();
    Snapshot::of(MatchId(0), &saved.to_match(), players, present, &status)
}
