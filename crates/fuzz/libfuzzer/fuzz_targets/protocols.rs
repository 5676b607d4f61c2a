//! See `tochki_fuzz::protocols`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::protocols(bytes));
