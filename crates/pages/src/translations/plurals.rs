//! The plural categories of numbers, by CLDR. A browser has them, too (`Intl.PluralRules`); the tests of both compare them with the
//! same list.

use crate::language::Language;
use std::collections::BTreeSet;

/// Returns the category of a number as a page writes it, such as `few`.
pub(super) fn category(language: Language, number: &str) -> &'static str {
    let Ok(count) = number.parse::<u64>() else {
        return "other";
    };
    let (last, last_two) = (count % 10, count % 100);
    match language.code() {
        "ja" | "zh-Hans" => "other",
        "fr" if count == 0 => "one",
        "cs" if (2..=4).contains(&count) => "few",
        "pl" if count == 1 => "one",
        "ru" | "uk" if last == 1 && last_two != 11 => "one",
        "ru" | "uk" | "pl" if (2..=4).contains(&last) && !(12..=14).contains(&last_two) => "few",
        "ru" | "uk" | "pl" => "many",
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
    use serde_json::Value;

    /// The categories of 0 to 120 in many languages, a letter each. `end2end/unit/plurals.test.js` checks the list.
    const SAMPLES: &str = include_str!("plural_samples.json");

    #[test]
    fn categories_are_those_of_browsers() {
        let samples: Value = serde_json::from_str(SAMPLES).unwrap();
        for language in Language::SHIPPED {
            let code = language.code();
            let sample = samples[code].as_str();
            let sample = sample.unwrap_or_else(|| panic!("plural_samples.json lacks {code}"));
            for (number, letter) in sample.chars().enumerate() {
                let expected = match letter {
                    '0' => "zero",
                    '1' => "one",
                    '2' => "two",
                    'f' => "few",
                    'm' => "many",
                    _ => "other",
                };
                let found = category(language, &number.to_string());
                assert_eq!(found, expected, "{code}: {number}");
            }
        }
    }

    #[test]
    fn what_is_no_number_has_the_general_form() {
        assert_eq!(category(Language::En, "1–2"), "other");
        assert_eq!(category(Language::En, "1.5"), "other");
        assert_eq!(category(Language::Ru, "1,5"), "other");
    }
}
