//! See `tochki_fuzz::games`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::games(bytes));
