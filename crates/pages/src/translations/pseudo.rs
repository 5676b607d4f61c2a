//! The pseudo-language `en-XA`, made of the English texts: longer by two fifths, with accents, and from right to left. With it one
//! sees what a layout does to a language that nobody here reads: a text that does not fit, one that is not from `locales/`, and a
//! part of the page that is not mirrored.

/// How much longer the text of a language may be than the English one, in per cent.
const LONGER_BY: usize = 40;

/// Returns the text with accents, and longer. Placeholders, such as `{0}`, stay as they are.
pub(super) fn text(english: &str) -> String {
    let mut text = String::with_capacity(2 * english.len());
    let (mut letters, mut is_placeholder) = (0, false);
    for c in english.chars() {
        is_placeholder = c == '{' || is_placeholder && c != '}';
        if is_placeholder {
            text.push(c);
        } else {
            letters += usize::from(c.is_alphanumeric());
            text.push(accented(c));
        }
    }
    // Words of five letters, which may be broken like others.
    for index in 0..(letters * LONGER_BY).div_ceil(100) {
        text.push_str(if index % 5 == 0 { " ō" } else { "ō" });
    }
    text
}

const fn accented(c: char) -> char {
    match c {
        'a' => 'á',
        'c' => 'ç',
        'd' => 'ď',
        'e' => 'é',
        'g' => 'ğ',
        'i' => 'í',
        'l' => 'ĺ',
        'n' => 'ñ',
        'o' => 'ö',
        'r' => 'ř',
        's' => 'š',
        't' => 'ť',
        'u' => 'ü',
        'y' => 'ý',
        'z' => 'ž',
        'A' => 'Å',
        'C' => 'Č',
        'D' => 'Ď',
        'E' => 'Ê',
        'G' => 'Ğ',
        'I' => 'Ï',
        'N' => 'Ñ',
        'O' => 'Ø',
        'R' => 'Ř',
        'S' => 'Š',
        'T' => 'Ť',
        'U' => 'Ü',
        'Y' => 'Ý',
        'Z' => 'Ž',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_longer_and_accented_and_keeps_its_placeholders() {
        assert_eq!(text("Captures {1} dots."), "Čápťüřéš {1} ďöťš. ōōōōō");
        assert_eq!(text("{0}"), "{0}");
    }
}
