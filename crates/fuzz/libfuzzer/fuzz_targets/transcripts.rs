//! See `tochki_fuzz::transcripts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::transcripts(bytes));
