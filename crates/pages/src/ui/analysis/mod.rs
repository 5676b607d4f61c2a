//! The analysis of a game: its variations, and the computer's judgement of them.
//!
//! 1. A page (`page`) says which game it is: a finished match, or one of the address; the server knows no other. The
//!    analysis of a running match is a board without an engine (`own_board`), for its players when it is by correspondence; the
//!    players of a rated live match are shown no analysis at all, and at the position of a rated match by correspondence the engine
//!    stays off for them (`fair_play`). That cannot hold for another browser, or for the copy for use offline: the moves of a match
//!    are no secret.
//! 2. The island (`island`) reads it into a tree of moves ([`MoveTree`]), which the address keeps (`notation`, `address`).
//!    [`Study`] has the tree and the position that is shown; `table` and `tree_list` draw them.
//! 3. [`chances`] turns values of an engine into winning chances and judges moves by them.
//! 4. `engine` searches in a Web Worker, and `engine_panel` shows the moves that it has found, and their gains (`gains`,
//!    `chains`).
//! 5. `plan` is the page on which a player of a correspondence match makes conditional moves, without an engine; on its board `seal`
//!    takes the sealed move of an adjourned match.
//! 6. The texts come with the page ([`AnalysisTexts`]), as those of the games against the computer.

mod address;
mod chains;
mod chances;
mod engine;
mod engine_panel;
mod fair_play;
mod gains;
mod island;
mod move_tree;
mod notation;
mod own_board;
mod page;
mod plan;
mod seal;
mod share;
mod study;
mod table;
mod texts;
mod tree_list;
mod value_graph;

pub(crate) use page::{AnalysisPage, AnalysisStartPage, MatchAnalysisPage};
pub(crate) use plan::PlanPage;
pub(crate) use seal::SealPage;

pub(crate) use address::Addresses;
use address::LeftOut;
use chains::chains;
use chances::{Evaluation, Judgement, Verdict, decisive, judge, of_first};
use engine::{Engine, Review};
use engine_panel::{EnginePanel, ReviewPanel, percent};
use fair_play::{FairPlay, RunningMatch};
use gains::Gains;
use move_tree::{MoveTree, NodeId};
use share::Share;
pub(crate) use share::record_addresses;
use study::Study;
use texts::{AnalysisTexts, filled};
