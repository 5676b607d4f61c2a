//! See `tochki_fuzz::lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::lines(bytes));
