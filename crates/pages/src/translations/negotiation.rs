//! Which language a page is in: the one chosen, else the best one of those that the browser asks for.

use crate::language::Language;
use tochki_protocol::LanguageChoice;

impl Language {
    /// Returns the chosen language, else the best one for the browser's `Accept-Language`.
    pub fn select(chosen: LanguageChoice, accept_language: &str) -> Self {
        let chosen = match chosen {
            LanguageChoice::Browser => None,
            // Another release may have stored a language that this one lacks.
            LanguageChoice::Tag(tag) => Self::of_tag(tag.as_str()),
        };
        let asked = || Self::negotiate(accept_language);
        chosen.or_else(asked).unwrap_or_default()
    }

    /// Returns the language that is best for a tag, as in an address: that of the tag, else the same language in another script,
    /// in any region. The pseudo-language answers only to its own tag, and only in debug builds.
    pub fn of_tag(tag: &str) -> Option<Self> {
        if cfg!(debug_assertions) && tag.eq_ignore_ascii_case(Self::PSEUDO.code()) {
            return Some(Self::PSEUDO);
        }
        Self::in_script(tag).or_else(|| Self::in_any_script(tag))
    }

    /// Returns the first supported language in the order of preference. Regions (`en-GB`) are ignored. A language in another script
    /// than the preferred one is better than none, but not than another preferred language.
    fn negotiate(accept_language: &str) -> Option<Self> {
        let mut preferences: Vec<(f32, &str)> = accept_language
            .split(',')
            .map(|range| {
                let (tag, weight) = range.split_once(";q=").unwrap_or((range, "1"));
                (weight.trim().parse().unwrap_or(0.0), tag.trim())
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        preferences.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut tags = preferences.iter().map(|(_, tag)| *tag);
        let best = tags.clone().find_map(Self::in_script);
        best.or_else(|| tags.find_map(Self::in_any_script))
    }

    fn in_script(tag: &str) -> Option<Self> {
        let (language, script) = parts(tag);
        let wanted = |known: &Self| {
            let (known, known_script) = parts(known.code());
            known.eq_ignore_ascii_case(language) && known_script.eq_ignore_ascii_case(script)
        };
        Self::SHIPPED.into_iter().find(wanted)
    }

    fn in_any_script(tag: &str) -> Option<Self> {
        let (language, _) = parts(tag);
        let wanted = |known: &Self| parts(known.code()).0.eq_ignore_ascii_case(language);
        Self::SHIPPED.into_iter().find(wanted)
    }
}

/// Returns the language and the script of a tag. The script is empty where the tag names none, but for Chinese, whose regions
/// write differently (`likelySubtags` of CLDR).
fn parts(tag: &str) -> (&str, &str) {
    let mut parts = tag.split('-');
    let language = parts.next().unwrap_or_default();
    let script = parts.clone().find(|part| part.len() == 4);
    let script = script.unwrap_or_else(|| match language {
        "zh" | "ZH" | "Zh" => {
            let is_traditional = |part: &str| {
                let regions = ["TW", "HK", "MO"];
                regions
                    .iter()
                    .any(|region| region.eq_ignore_ascii_case(part))
            };
            if parts.any(is_traditional) {
                "Hant"
            } else {
                "Hans"
            }
        }
        _ => "",
    });
    (language, script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(accepted: &str, code: &str) {
        let selected = Language::select(LanguageChoice::Browser, accepted);
        assert_eq!(selected.code(), code, "{accepted}");
    }

    #[test]
    fn language_is_negotiated() {
        for (accepted, code) in [
            ("", "en"),
            ("eo", "en"),
            ("ru", "ru"),
            ("eo-EO, RU-ru;q=0.9, en;q=0.8", "ru"),
            ("ru;q=0.5, en-GB;q=0.7,*;q=0.1", "en"),
            ("en;q=, ru;q=0.1", "ru"),
            ("en-XA, ru;q=0.1", "en"),
        ] {
            check(accepted, code);
        }
    }

    #[test]
    fn what_is_chosen_goes_before_what_the_browser_asks_for() {
        let chosen = |tag: &str| LanguageChoice::Tag(tag.parse().unwrap());
        assert_eq!(Language::select(chosen("en"), "ru").code(), "en");
        assert_eq!(Language::select(chosen("ru"), "en").code(), "ru");
        // Of another release.
        assert_eq!(Language::select(chosen("eo"), "ru").code(), "ru");
    }

    #[test]
    fn regions_of_chinese_tell_the_script() {
        for (tag, script) in [
            ("zh", "Hans"),
            ("zh-CN", "Hans"),
            ("zh-SG", "Hans"),
            ("zh-Hans-CN", "Hans"),
            ("zh-TW", "Hant"),
            ("zh-hk", "Hant"),
            ("zh-Hant", "Hant"),
            ("zh-Hans-HK", "Hans"),
        ] {
            assert_eq!(parts(tag), ("zh", script), "{tag}");
        }
        assert_eq!(parts("sr-Latn-RS"), ("sr", "Latn"));
        assert_eq!(parts("de-AT"), ("de", ""));
    }

    #[test]
    fn every_language_is_found_by_its_own_code() {
        for language in Language::SHIPPED {
            assert_eq!(Language::of_tag(language.code()), Some(language));
            check(language.code(), language.code());
            check(&language.code().to_lowercase(), language.code());
        }
        assert_eq!(Language::of_tag("en-xa"), Some(Language::PSEUDO));
        assert_eq!(Language::of_tag("eo"), None);
        assert_eq!(Language::of_tag(""), None);
    }
}
