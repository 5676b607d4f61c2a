//! See `tochki_fuzz::pgn`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::pgn(bytes));
