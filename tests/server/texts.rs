//! The texts of the pages: every language has the same keys, with the same values and all plural forms.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A language and its plural categories (CLDR, cardinal).
struct Language {
    name: &'static str,
    text: &'static str,
    plurals: &'static [&'static str],
}

const LANGUAGES: [Language; 2] = [
    Language {
        name: "en",
        text: include_str!("../../locales/en.json"),
        plurals: &["one", "other"],
    },
    Language {
        name: "ru",
        text: include_str!("../../locales/ru.json"),
        plurals: &["few", "many", "one", "other"],
    },
];

const FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// The values in each text, by key and plural form (`""` for a text without).
type Texts = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn texts(language: &Language) -> Texts {
    let mut found = Texts::new();
    let read: Value = serde_json::from_str(language.text).expect("JSON");
    for (section, texts) in read.as_object().expect("sections") {
        for (key, text) in texts.as_object().expect("texts") {
            let text = text.as_str().expect("a text");
            assert!(
                !text.trim().is_empty(),
                "{}: {section}.{key}",
                language.name
            );
            let (key, form) = match key.rsplit_once('_') {
                Some((stem, form)) if FORMS.contains(&form) => (stem, form),
                _ => (key.as_str(), ""),
            };
            let mentioned = text
                .split("{{")
                .skip(1)
                .filter_map(|rest| rest.split_once("}}"));
            let mentioned = mentioned.map(|(name, _)| name.trim().to_owned()).collect();
            found
                .entry(format!("{section}.{key}"))
                .or_default()
                .insert(form.to_owned(), mentioned);
        }
    }
    found
}

#[test]
fn languages_have_the_same_keys() {
    let [english, others @ ..] = &LANGUAGES;
    let english: BTreeSet<_> = texts(english).into_keys().collect();
    for language in others {
        let keys: BTreeSet<_> = texts(language).into_keys().collect();
        let missing: Vec<_> = english.symmetric_difference(&keys).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", language.name);
    }
}

#[test]
fn texts_have_the_same_values_in_every_language() {
    let [english, others @ ..] = &LANGUAGES;
    let mentioned = |texts: Texts| -> BTreeMap<String, BTreeSet<String>> {
        let of = |forms: BTreeMap<_, BTreeSet<String>>| forms.into_values().flatten().collect();
        texts
            .into_iter()
            .map(|(key, forms)| (key, of(forms)))
            .collect()
    };
    let english = mentioned(texts(english));
    for language in others {
        for (key, values) in mentioned(texts(language)) {
            assert_eq!(Some(&values), english.get(&key), "{}: {key}", language.name);
        }
    }
}

#[test]
fn counted_texts_have_every_plural_form() {
    for language in &LANGUAGES {
        for (key, forms) in texts(language) {
            let forms: Vec<_> = forms.keys().map(String::as_str).collect();
            assert!(
                forms == [""] || forms == language.plurals,
                "{}: {key} has {forms:?}",
                language.name
            );
        }
    }
}
