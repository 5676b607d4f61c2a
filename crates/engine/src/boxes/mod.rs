//! The engine of Dots and Boxes.
