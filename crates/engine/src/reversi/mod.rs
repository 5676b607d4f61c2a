//! The engine of Reversi.
