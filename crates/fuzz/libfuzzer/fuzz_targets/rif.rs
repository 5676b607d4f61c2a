//! See `tochki_fuzz::rif`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::rif(bytes));
