//! See `tochki_fuzz::ggf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::ggf(bytes));
