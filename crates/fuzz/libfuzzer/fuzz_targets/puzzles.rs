//! See `tochki_fuzz::puzzles`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::puzzles(bytes));
