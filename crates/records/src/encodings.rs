//! The encoding of a text: its byte order mark, else what the text states of itself, else UTF-8 if it is that, else the encoding
//! that its bytes look like.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The encoding that the first bytes of an input name, if they do.
///
/// A text that states UTF-8 and is not has changed its encoding on its way, and states nothing.
pub(crate) fn stated(head: &[u8]) -> Option<&'static Encoding> {
    if let Some((marked, _)) = Encoding::for_bom(head) {
        return Some(marked);
    }
    // UTF-16 without a mark: in every form the first two characters are of ASCII.
    match head {
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => return Some(UTF_16BE),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => return Some(UTF_16LE),
        _ => {}
    }
    let label = label_of_sgf(head).or_else(|| label_of_xml(head))?;
    // Encodings that cannot be decoded, such as ISO-2022-KR, state nothing.
    let stated = Encoding::for_label_no_replacement(label)?;
    // A text without a mark that could be searched for the label is not UTF-16.
    if stated == UTF_16BE || stated == UTF_16LE || stated == UTF_8 && !is_utf8(head) {
        return None;
    }
    Some(stated)
}

/// The encoding that bytes look like.
pub(crate) fn detected(bytes: &[u8]) -> &'static Encoding {
    if is_utf8(bytes) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, false);
    detector.guess(None, Utf8Detection::Deny)
}

/// Returns whether bytes are UTF-8, the last character of which may be cut off.
fn is_utf8(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}

/// The value of `CA` in SGF. Its name may have lower-case letters in between, as before FF\[4\].
fn label_of_sgf(head: &[u8]) -> Option<&[u8]> {
    let begin = head.trim_ascii_start();
    if begin.starts_with(b"{") || begin.starts_with(b"<") || begin.starts_with(b"[") {
        // Lines of JSON, XML or PGN may have such a text anywhere.
        return None;
    }
    let value = |at: usize| -> Option<&[u8]> {
        let rest = head[at..].trim_ascii_start().strip_prefix(b"[")?;
        let end = rest.iter().position(|&byte| byte == b']')?;
        Some(rest[..end].trim_ascii())
    };
    (2..head.len())
        .filter(|&at| &head[at - 2..at] == b"CA")
        .find_map(value)
}

/// The attribute `encoding` of an XML declaration.
fn label_of_xml(head: &[u8]) -> Option<&[u8]> {
    let declaration = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|&byte| byte == b'>')?;
    let declaration = &declaration[..end];
    let name = b"encoding";
    let at = declaration
        .windows(name.len())
        .position(|part| part == name)?;
    let rest = declaration[at + name.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, rest) = rest.split_first()?;
    let end = rest.iter().position(|&byte| byte == quote)?;
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    #[test]
    fn a_text_states_its_encoding() {
        for (head, encoding) in [
            (&b"(;GM[4]CA[windows-1251]PB[\xc0]"[..], Some(WINDOWS_1251)),
            (b"(;CA[gb2312])", Some(GBK)),
            (b"(;ChAr CA [ Shift_JIS ])", Some(SHIFT_JIS)),
            (b"(;CA[EUC-KR]", Some(EUC_KR)),
            (b"(;CA[ISO-8859-1]", Some(WINDOWS_1252)),
            (b"(;CA[UTF-8]PB[\xd0\x90]", Some(UTF_8)),
            (b"(;CA[UTF-8]PB[\xc0\xed\xed\xe0]", None),
            (b"(;CA[no such]", None),
            (b"(;CA[UTF-16]", None),
            (b"(;CA", None),
            (b"(;CA[ISO-2022-KR]PB[x])", None),
            (b"\n{\"comment\":\"CA[Shift_JIS]\"}", None),
            (b"[Event \"CA[Shift_JIS]\"]", None),
            (b"\xef\xbb\xbf(;CA[windows-1251]", Some(UTF_8)),
            (b"(\0;\0", Some(UTF_16LE)),
            (b"\0(\0;", Some(UTF_16BE)),
            (b"\xff\xfe(\0", Some(UTF_16LE)),
            (
                b"<?xml version=\"1.0\" encoding='windows-1251'?>",
                Some(WINDOWS_1251),
            ),
            (b"<?xml version=\"1.0\"?>", None),
            (b"", None),
        ] {
            assert_eq!(stated(head), encoding, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn bytes_that_state_nothing_look_like_an_encoding() {
        let text = "Партия сыграна в субботу, чёрные начали и выиграли";
        assert_eq!(detected(text.as_bytes()), UTF_8);
        assert_eq!(detected(&text.as_bytes()[..text.len() - 1]), UTF_8);
        assert_eq!(detected(&WINDOWS_1251.encode(text).0), WINDOWS_1251);
        let text = "第三十届五子棋锦标赛，黑方获胜，白方认输";
        assert_eq!(detected(&GBK.encode(text).0), GBK);
        let text = "これは五目並べの棋譜です。黒番の勝ち";
        assert_eq!(detected(&SHIFT_JIS.encode(text).0), SHIFT_JIS);
    }
}
