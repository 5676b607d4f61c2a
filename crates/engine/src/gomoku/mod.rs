//! The engine of Gomoku.
