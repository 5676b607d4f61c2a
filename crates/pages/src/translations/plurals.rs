//! The plural categories of numbers, by CLDR. A browser has them, too (`Intl.PluralRules`); the tests of both compare them with the
//! same list.

use crate::language::Language;
use std::collections::BTreeSet;

/// Returns the category of a number as a page writes it, such as `few`.
pub(super) fn category(language: Language, number: &str) -> &'static str {
    by_code(language.code(), number)
}

/// Returns the category in a language, those of other sites included, so that most new languages need no more than their file. A
/// language that is not named here has one form for 1 and one for all other numbers, as English.
fn by_code(code: &str, number: &str) -> &'static str {
    let language = code.split('-').next().unwrap_or_default();
    let Ok(count) = number.parse::<u64>() else {
        let whole = number
            .split(['.', ','])
            .next()
            .and_then(|whole| whole.parse::<u64>().ok());
        return match (language, whole) {
            ("cs" | "sk" | "lt", Some(_)) => "many",
            ("ro", Some(_)) => "few",
            ("fr" | "pt", Some(0 | 1)) => "one",
            _ => "other",
        };
    };
    let (last, last_two) = (count % 10, count % 100);
    let is_teen = (11..=19).contains(&last_two);
    let is_million = count > 0 && count.is_multiple_of(1_000_000);
    match language {
        "id" | "ja" | "ko" | "th" | "vi" | "zh" => "other",
        "es" | "fr" | "it" | "pt" if is_million => "many",
        "fr" | "hi" | "pt" if count == 0 => "one",
        "cs" | "sk" if (2..=4).contains(&count) => "few",
        "be" | "ru" | "uk" if last == 1 && last_two != 11 => "one",
        "pl" if count == 1 => "one",
        "be" | "pl" | "ru" | "uk" if (2..=4).contains(&last) && !is_teen => "few",
        "be" | "pl" | "ru" | "uk" => "many",
        "lt" if is_teen => "other",
        "lt" if last == 1 => "one",
        "lt" if last > 1 => "few",
        "lv" if last == 0 || is_teen => "zero",
        "lv" if last == 1 => "one",
        "ro" if count != 1 && (count == 0 || (1..=19).contains(&last_two)) => "few",
        "sl" if last_two == 1 => "one",
        "sl" if last_two == 2 => "two",
        "sl" if (3..=4).contains(&last_two) => "few",
        "ar" if count == 0 => "zero",
        "ar" | "he" if count == 2 => "two",
        "ar" if (3..=10).contains(&last_two) => "few",
        "ar" if last_two > 10 => "many",
        _ if count == 1 => "one",
        _ => "other",
    }
}

/// The largest number that a page counts.
const COUNTED: u32 = 1000;

/// Returns the plural forms that a text with a number needs in a language: those of all numbers that pages count, and `other`.
pub fn needed_forms(language: Language) -> BTreeSet<&'static str> {
    let counted = (0..=COUNTED).map(|number| category(language, &number.to_string()));
    counted.chain(["other"]).collect()
}

/// Returns the forms that a text may have: those, and the ones of a million and of fractions.
pub fn possible_forms(language: Language) -> BTreeSet<&'static str> {
    let rare = ["1000000", "1.5"].map(|number| category(language, number));
    needed_forms(language).into_iter().chain(rare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The categories of 0 to 120 in many languages, a letter each. `end2end/unit/plurals.test.js` checks the list.
    const SAMPLES: &str = include_str!("plural_samples.json");

    #[test]
    fn categories_are_those_of_browsers() {
        let samples: BTreeMap<String, String> = serde_json::from_str(SAMPLES).unwrap();
        for language in Language::SHIPPED {
            let code = language.code();
            assert!(
                samples.contains_key(code),
                "plural_samples.json lacks {code}"
            );
        }
        for (code, sample) in samples {
            for (number, letter) in sample.chars().enumerate() {
                let expected = match letter {
                    '0' => "zero",
                    '1' => "one",
                    '2' => "two",
                    'f' => "few",
                    'm' => "many",
                    _ => "other",
                };
                let found = by_code(&code, &number.to_string());
                assert_eq!(found, expected, "{code}: {number}");
            }
        }
    }

    #[test]
    fn fractions_and_millions_have_forms_of_their_own() {
        for (code, number, category) in [
            ("en", "1–2", "other"),
            ("en", "1.5", "other"),
            ("ru", "1,5", "other"),
            ("cs", "1,5", "many"),
            ("fr", "1,5", "one"),
            ("fr", "2,5", "other"),
            ("es", "2000000", "many"),
            ("pl", "1000000", "many"),
        ] {
            assert_eq!(by_code(code, number), category, "{code}: {number}");
        }
    }
}
