//! See `tochki_fuzz::nboard`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::nboard(bytes));
