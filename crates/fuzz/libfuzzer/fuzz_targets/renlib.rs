//! See `tochki_fuzz::renlib`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::renlib(bytes));
