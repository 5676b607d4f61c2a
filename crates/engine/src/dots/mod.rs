//! The engine of Dots.
