//! See `tochki_fuzz::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::records(bytes));
