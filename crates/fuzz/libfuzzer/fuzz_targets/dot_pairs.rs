//! See `tochki_fuzz::dot_pairs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::dot_pairs(bytes));
