//! A game against the computer: the page is the authority over the match, and the worker finds the computer's moves.

use crate::ui::board::BoardInput;
use crate::ui::computer::{
    Answer, ComputerTexts, Opponent, Report, SHOWN_MOVES, SavedGame, SearchLimits, overlay,
};
use crate::ui::games::{board_position, move_text};
use crate::ui::live::countdown::browser_now_ms;
use crate::ui::match_page::{Authority, MatchController, PendingMove, clock_times, score_and_turn};
use crate::ui::text::Language;
use leptos::prelude::*;
use tochki_play::{Command, Decision, Event, OfferKind, Ply, Refusal, Timestamp};
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
    /// Whether the engine has answered, and so is loaded.
    pub(crate) loaded: RwSignal<bool>,
    /// Whether it takes long to load.
    pub(crate) late: RwSignal<bool>,
    /// The moves that were taken back, the earliest last: each move of the visitor with the answers to it.
    undone: RwSignal<Vec<Vec<Ply>>>,
    /// The number of times that the engine was asked to move: only the last one can be late.
    asked: StoredValue<u32>,
    /// Whether the browser keeps the game.
    pub(crate) kept: RwSignal<bool>,
    saved: StoredValue<SavedGame>,
    /// The engine; none before it is started.
    opponent: StoredValue<Option<Opponent>>,
}

impl ComputerGame {
    /// Shows a game, which goes on once [`Self::start`] is called.
    pub(crate) fn new(saved: SavedGame, texts: ComputerTexts, language: Language) -> Self {
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
            loaded: RwSignal::new(false),
            late: RwSignal::new(false),
            undone: RwSignal::new(Vec::new()),
            asked: StoredValue::new(0),
            kept: RwSignal::new(true),
            saved: StoredValue::new(saved),
            opponent: StoredValue::new(None),
        };
        game.set_value(Some(created));
        created
    }

    /// Goes on with the game, against this opponent. For browsers.
    pub(crate) fn start(self, opponent: Opponent) {
        self.opponent.set_value(Some(opponent));
        self.save();
        self.think();
    }

    /// Waits for the first move of the visitor, who begins; nothing is kept before. For browsers.
    pub(crate) fn wait(self, opponent: Opponent) {
        self.opponent.set_value(Some(opponent));
    }

    /// Loads the engine, unless it was asked for a move, which loads it. For browsers.
    pub(crate) fn load_engine(self) {
        if self.asked.get_value() > 0 {
            return;
        }
        let limits = SearchLimits {
            level: self.saved.with_value(|saved| saved.level),
            least_ms: 0,
            most_ms: 0,
            info_ms: 0,
        };
        self.search(limits, |_| {});
    }

    /// Takes the place of the game by another one of the same setup, level and seat. For browsers.
    pub(crate) fn replace(self, saved: SavedGame) {
        let snapshot = self.texts.with_value(|texts| snapshot(&saved, texts));
        self.saved.set_value(saved);
        self.controller.replace(&snapshot);
        self.undone.set(Vec::new());
        self.hint.set(None);
        self.think();
    }

    /// Returns the input of the visitor on the board.
    pub(crate) fn input(
        self,
        hint: RwSignal<Option<String>>,
        announcement: RwSignal<String>,
    ) -> BoardInput {
        let Self { controller, me, .. } = self;
        let language = controller.language;
        BoardInput {
            seat: Signal::derive(move || controller.can_move(me).then_some(me)),
            play: Callback::new(move |mv| controller.play_move(me, mv)),
            hint,
            announcement,
            score: Callback::new(move |()| score_and_turn(language, controller, me)),
            clocks: Callback::new(move |()| clock_times(language, controller)),
        }
    }

    /// Loads the engine anew, and lets the computer move.
    pub(crate) fn retry(self) {
        self.late.set(false);
        if let Some(opponent) = self.opponent.get_value() {
            opponent.restart();
        }
        self.think();
    }

    fn cancel_search(self) {
        if let Some(opponent) = self.opponent.get_value() {
            opponent.cancel();
        }
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
        self.undone.set(Vec::new());
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
        self.asked.update_value(|asked| *asked += 1);
        let asked = self.asked.get_value();
        let is_late = move || {
            // The page may have left this game meanwhile.
            let is_last = self.asked.try_get_value() == Some(asked);
            if is_last && self.loaded.try_get_untracked() == Some(false) {
                self.late.try_set(!self.failed.get_untracked());
            }
        };
        set_timeout(is_late, limits::ENGINE_LOAD_TIMEOUT);
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
                .with_value(|texts| texts.hint_text(&move_text(position.setup(), parsed)));
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
        self.cancel_search();
        self.settled.set(false);
        let before = self.plies();
        self.agree(OfferKind::Takeback);
        let left = self.plies().len();
        if left < before.len() {
            self.undone
                .update(|undone| undone.push(before[left..].to_vec()));
        }
        self.think();
    }

    /// Makes the move again that was taken back last, with the answers to it.
    pub(crate) fn redo(self) {
        self.cancel_search();
        let Some(plies) = self.undone.try_update(Vec::pop).flatten() else {
            return;
        };
        for Ply { seat, mv } in plies {
            let command = Command::Move {
                seat,
                mv: mv.to_string(),
                version: None,
                client_id: None,
            };
            // They were legal here before.
            let _ = self.execute(&command);
        }
        self.think();
    }

    /// Returns whether there is a move that can be made again.
    pub(crate) fn can_redo(self) -> bool {
        self.undone.with(|undone| !undone.is_empty())
    }

    fn plies(self) -> Vec<Ply> {
        let game = self.controller.game;
        game.with_untracked(|game| game.confirmed().plies().to_vec())
    }

    /// Ends the game with the score as it is.
    pub(crate) fn finish(self) {
        self.cancel_search();
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
        self.cancel_search();
        let _ = self.execute(&Command::Resign { seat: self.me });
    }

    /// Returns whether the visitor is to be offered to load the engine anew.
    pub(crate) fn is_stuck(self) -> bool {
        self.failed.get() || (self.late.get() && self.controller.to_move() == Some(self.me.other()))
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
        let answered = move |answer: Answer| {
            if answer.report.is_some() && !self.loaded.get_untracked() {
                self.loaded.set(true);
                self.late.set(false);
            }
            answered(answer);
        };
        if let Some(opponent) = self.opponent.get_value() {
            opponent.search(setup, &moves, None, seed, limits, answered);
        }
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
