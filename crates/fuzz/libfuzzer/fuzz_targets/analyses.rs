//! See `tochki_fuzz::analyses`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::analyses(bytes));
