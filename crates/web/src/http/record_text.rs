//! The text of a record's file, in whatever encoding it is written.
//!
//! The text is decoded before anything of its syntax is read: in some encodings a byte of a letter looks like a bracket.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Decodes a file: by its byte order mark, else by its property `CA`, else by the encoding that its bytes look like. Bytes that
/// cannot be decoded become U+FFFD.
pub(super) fn decode(file: &[u8]) -> String {
    let encoding = match Encoding::for_bom(file) {
        Some((marked, _)) => marked,
        None => stated(file).unwrap_or_else(|| detected(file)),
    };
    // Removes the mark.
    encoding.decode_with_bom_removal(file).0.into_owned()
}

/// The number of UTF-8 letters from which the whole file counts as UTF-8: a few letters of another encoding may look so by
/// chance.
const LETTERS_OF_UTF_8: usize = 4;

/// Returns the encoding of the first `CA`, unless the file cannot be written in it.
fn stated(file: &[u8]) -> Option<&'static Encoding> {
    let stated = Encoding::for_label(charset(file)?)?;
    let as_utf_8 = str::from_utf8(file);
    // Programs that convert a file to UTF-8 often leave `CA` as it was.
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_ascii()).count();
    if as_utf_8.is_ok_and(|text| letters(text) >= LETTERS_OF_UTF_8) {
        return Some(UTF_8);
    }
    let is_possible = match stated {
        encoding if encoding == UTF_8 => as_utf_8.is_ok(),
        // In these the file would have no `CA` that could be found byte by byte.
        encoding => ![UTF_16LE, UTF_16BE].contains(&encoding),
    };
    is_possible.then_some(stated)
}

/// Returns the value of the first property `CA`. Its letters are ASCII in every encoding that an SGF without a mark can have.
fn charset(file: &[u8]) -> Option<&[u8]> {
    let at = file.windows(2).enumerate().position(|(at, name)| {
        let before = at.checked_sub(1).map(|before| file[before]);
        let begins = before.is_some_and(|byte| !byte.is_ascii_alphanumeric());
        let behind = file[at + 2..].trim_ascii_start();
        name == b"CA" && begins && behind.starts_with(b"[")
    })?;
    let value = file[at + 2..].trim_ascii_start().get(1..)?;
    let end = value.iter().position(|&byte| byte == b']')?;
    Some(value[..end].trim_ascii())
}

/// Returns the encoding that the text looks like.
fn detected(file: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(file, true);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GB18030, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    const RUSSIAN: &str = "Партия сыграна в субботу, красные начали и выиграли";

    #[track_caller]
    fn check(file: &[u8], expected: &str) {
        assert_eq!(decode(file), expected);
    }

    fn record(charset: &str, text: &str) -> String {
        format!("(;GM[40]SZ[9]CA[{charset}]C[{text}];B[aa];W[bb])")
    }

    #[test]
    fn a_file_is_decoded_as_its_charset_says() {
        for (charset, encoding, text) in [
            ("windows-1251", WINDOWS_1251, RUSSIAN),
            ("Windows-1251", WINDOWS_1251, "Юра"),
            ("koi8-r", KOI8_R, "Юра"),
            ("ISO-8859-1", WINDOWS_1252, "Zoë"),
            // In these the second byte of a letter may be a bracket or a backslash.
            ("GB2312", GBK, "赱乗乗許功蓋"),
            ("gb18030", GB18030, "赱乗乗許功蓋"),
            ("Big5", BIG5, "許功蓋"),
            ("Shift_JIS", SHIFT_JIS, "表ソ構予"),
        ] {
            let text = record(charset, text);
            let (bytes, _, unwritable) = encoding.encode(&text);
            assert!(!unwritable, "{charset}");
            check(&bytes, &text);
        }
        check(
            b"(;GM[40] CA [ UTF-8 ]PB[\xd0\xae])",
            "(;GM[40] CA [ UTF-8 ]PB[Ю])",
        );
    }

    #[test]
    fn a_few_letters_are_not_taken_for_utf_8() {
        // These two bytes are a letter in both.
        let text = record("GB2312", "模");
        let (bytes, ..) = GBK.encode(&text);
        assert!(str::from_utf8(&bytes).is_ok());
        check(&bytes, &text);
    }

    #[test]
    fn brackets_in_letters_end_no_value() {
        let text = record("GB2312", "赱");
        let (bytes, ..) = GBK.encode(&text);
        let record = tochki_rules::record::parse(&decode(&bytes)).unwrap().record;
        assert_eq!((&*record.comment, record.plies.len()), ("赱", 2));
    }

    #[test]
    fn a_byte_order_mark_counts_before_the_charset() {
        let text = record("windows-1251", RUSSIAN);
        let marked = format!("\u{feff}{text}");
        check(marked.as_bytes(), &text);
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            marked.encode_utf16().flat_map(bytes).collect()
        };
        check(&wide(u16::to_le_bytes), &text);
        check(&wide(u16::to_be_bytes), &text);
    }

    #[test]
    fn without_a_charset_the_encoding_is_detected() {
        let text = format!("(;GM[40]C[{RUSSIAN}];B[aa])");
        check(text.as_bytes(), &text);
        for encoding in [WINDOWS_1251, KOI8_R] {
            check(&encoding.encode(&text).0, &text);
        }
        // A charset that nobody knows, or that is not the file's, is none.
        for charset in ["utf-8", "UTF-16", "klingon", ""] {
            let text = record(charset, RUSSIAN);
            check(&WINDOWS_1251.encode(&text).0, &text);
            check(text.as_bytes(), &text);
        }
        let converted = record("windows-1251", RUSSIAN);
        check(converted.as_bytes(), &converted);
        check(b"", "");
        check(b"(;CA[", "(;CA[");
    }
}
