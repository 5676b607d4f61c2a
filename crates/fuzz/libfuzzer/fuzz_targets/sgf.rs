//! See `tochki_fuzz::sgf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::sgf(bytes));
