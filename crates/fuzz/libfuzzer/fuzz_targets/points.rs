//! See `tochki_fuzz::points`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::points(bytes));
