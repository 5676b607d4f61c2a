//! The texts of the pages: every language of `locales/` has the same keys, with the same values and the plural forms that it needs.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use tochki_pages::language::Language;
use tochki_pages::translations::plurals::{needed_forms, possible_forms};

const FORMS: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// The values in each text, by key and plural form (`""` for a text without).
type Texts = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn texts(language: Language) -> Texts {
    let mut found = Texts::new();
    let code = language.code();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("locales/{code}.json"));
    let read: Value =
        serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
    for (section, texts) in read.as_object().expect("sections") {
        for (key, text) in texts.as_object().expect("texts") {
            let text = text.as_str().expect("a text");
            assert!(!text.trim().is_empty(), "{code}: {section}.{key}");
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

/// Returns the languages beside the default one, which has every text.
fn others() -> impl Iterator<Item = Language> {
    Language::SHIPPED.into_iter().skip(1)
}

#[test]
fn no_language_lacks_a_text_or_has_one_that_nothing_uses() {
    let english: BTreeSet<_> = texts(Language::default()).into_keys().collect();
    for language in others() {
        let keys: BTreeSet<_> = texts(language).into_keys().collect();
        let lacks: Vec<_> = english.difference(&keys).collect();
        let unused: Vec<_> = keys.difference(&english).collect();
        assert!(
            lacks.is_empty() && unused.is_empty(),
            "{}: {} texts are missing: {lacks:?}; unused: {unused:?}",
            language.code(),
            lacks.len()
        );
    }
}

#[test]
fn texts_have_the_same_values_in_every_language() {
    let mentioned = |texts: Texts| -> BTreeMap<String, BTreeSet<String>> {
        let of = |forms: BTreeMap<_, BTreeSet<String>>| forms.into_values().flatten().collect();
        texts
            .into_iter()
            .map(|(key, forms)| (key, of(forms)))
            .collect()
    };
    let english = mentioned(texts(Language::default()));
    for language in others() {
        for (key, values) in mentioned(texts(language)) {
            let code = language.code();
            assert_eq!(Some(&values), english.get(&key), "{code}: {key}");
        }
    }
}

#[test]
fn counted_texts_have_the_plural_forms_that_the_language_needs() {
    for language in Language::SHIPPED {
        let needed = needed_forms(language);
        for (key, forms) in texts(language) {
            let has: Vec<_> = forms.keys().map(String::as_str).collect();
            let is_plural = has != [""];
            let lacks: Vec<_> = needed.iter().filter(|form| !has.contains(form)).collect();
            let code = language.code();
            assert!(
                !is_plural || lacks.is_empty(),
                "{code}: {key} lacks {lacks:?}"
            );
            let possible = possible_forms(language);
            let unused: Vec<_> = has
                .iter()
                .filter(|form| !possible.contains(*form))
                .collect();
            assert!(
                !is_plural || unused.is_empty(),
                "{code}: {key} has {unused:?}"
            );
        }
    }
}
