//! An engine as a WebAssembly module for a Web Worker: one class for each game, one module for each feature.
//!
//! The worker owns the clock: it calls `step` in slices, looks for messages between them, and asks for the report with
//! `best`. Everything travels as text: setups and reports as JSON, moves as in the contract for programs.

mod engine_game;
#[cfg(feature = "measure")]
mod measure;

pub use engine_game::{EngineGame, EngineGameError};
#[cfg(feature = "measure")]
pub use measure::RandomGames;

/// A class of the module: a game with its engine.
macro_rules! class {
    ($feature:literal, $name:ident, $module:ident, $engine:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use crate::EngineGame;
            use tochki_engine::$module::$engine;
            use wasm_bindgen::prelude::wasm_bindgen;

            /// A game, and the engine that searches its position.
            #[wasm_bindgen]
            #[derive(Debug)]
            pub struct $name(EngineGame<$engine>);

            #[wasm_bindgen]
            impl $name {
                /// Begins a game before its first move. The setup is JSON; an empty text is the usual setup.
                ///
                /// # Errors
                ///
                /// If the setup is not one of this game.
                #[wasm_bindgen(constructor)]
                pub fn new(setup: &str) -> Result<Self, String> {
                    EngineGame::new(setup)
                        .map(Self)
                        .map_err(|error| error.to_string())
                }

                /// Plays a move of the side to move, or, with the number of a seat before it (`2.5,5`), of that side.
                ///
                /// # Errors
                ///
                /// The code of the refusal, as in the contract for programs.
                pub fn play(&mut self, mv: &str) -> Result<(), String> {
                    self.0.play(mv).map_err(|error| error.to_string())
                }

                /// Takes the last move back. Returns whether there was one.
                pub fn undo(&mut self) -> bool {
                    self.0.undo()
                }

                /// Sets the seat of the next search, 1 or 2, whoever's turn it is by the rules.
                ///
                /// # Errors
                ///
                /// If there is no such seat.
                pub fn set_turn(&mut self, seat: u8) -> Result<(), String> {
                    self.0.set_turn(seat).map_err(|error| error.to_string())
                }

                /// Begins to search the position, at most so many nodes, at a level from 1 to 8, in so many bytes.
                ///
                /// # Errors
                ///
                /// If there is no such level.
                pub fn search(
                    &mut self,
                    nodes: u64,
                    level: u8,
                    memory: usize,
                    seed: u64,
                ) -> Result<(), String> {
                    self.0
                        .search(nodes, level, memory, seed)
                        .map_err(|error| error.to_string())
                }

                /// Searches about so many nodes further. Returns whether there is more to do.
                pub fn step(&mut self, budget: u32) -> bool {
                    self.0.step(budget.into())
                }

                /// Returns the result so far, as JSON.
                #[must_use]
                pub fn best(&self) -> String {
                    self.0.best()
                }
            }
        }
        #[cfg(feature = $feature)]
        pub use $module::$name;
    };
}

class!("dots", DotsSession, dots, DotsEngine);
class!("boxes", BoxesSession, boxes, BoxesEngine);
class!("gomoku", GomokuSession, gomoku, GomokuEngine);
class!("reversi", ReversiSession, reversi, ReversiEngine);
