//! See `tochki_fuzz::dots`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::dots(bytes));
