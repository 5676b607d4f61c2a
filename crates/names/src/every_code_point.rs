//! Tests of every code point of Unicode, alone and inside names: invisible ones are refused, and of names that look or read
//! alike only the first is accepted.
//!
//! Here, names look alike by the published data alone (confusables, NFKC and case), not by [`NameSkeleton`].

use super::Name;
use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::thread;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};
use unicode_security::skeleton;

/// The names in which a code point is tried: beside Latin letters, and beside a letter of its own script.
fn names_with(c: char, letters: &HashMap<Script, char>) -> Vec<String> {
    let mut names = vec![
        format!("{c}"),
        format!("{c}{c}"),
        format!("{c}ab"),
        format!("a{c}b"),
        format!("ab{c}"),
    ];
    for script in c.script_extension().iter() {
        if let Some(own) = letters.get(&script) {
            names.push(format!("{own}{c}{own}"));
            names.push(format!("{own}{own}{c}"));
            names.push(format!("{c}{own}"));
        }
    }
    names
}

/// A plain letter of each script.
fn letters() -> HashMap<Script, char> {
    let mut letters = HashMap::new();
    for c in '\0'..=char::MAX {
        let plain = matches!(
            c.general_category(),
            GeneralCategory::LowercaseLetter | GeneralCategory::OtherLetter
        );
        if plain && c.nfkd().eq([c]) && Name::read(&format!("{c}{c}")).is_ok() {
            letters.entry(c.script()).or_insert(c);
        }
    }
    letters
}

/// Returns whether a character has no ink, by the properties of Unicode; the blanks that are letters by their names.
fn has_no_ink(c: char, ignorable: &HashSet<char>) -> bool {
    let category = c.general_category();
    let invisible = matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Other | GeneralCategoryGroup::Separator
    ) && category != GeneralCategory::PrivateUse;
    invisible
        || ignorable.contains(&c)
        || "\u{2800}\u{13441}\u{13442}\u{16fe4}\u{1107f}".contains(c)
}

fn default_ignorable() -> HashSet<char> {
    use regex_syntax::hir::{Class, HirKind};
    let parsed = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").unwrap();
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
        panic!("a class")
    };
    class
        .iter()
        .flat_map(|range| range.start()..=range.end())
        .collect()
}

/// The names that were let in of those with some code points, in the order of these, and how many there were.
#[derive(Default)]
struct Tried {
    names: Vec<Name>,
    count: usize,
    invisible: usize,
    other_scripts: usize,
}

impl Tried {
    fn with(
        code_points: &[char],
        letters: &HashMap<Script, char>,
        ignorable: &HashSet<char>,
    ) -> Self {
        let mut tried = Self::default();
        for &c in code_points {
            for text in names_with(c, letters) {
                tried.count += 1;
                let Ok(name) = Name::read(&text) else {
                    continue;
                };
                if name.as_str().chars().any(|c| has_no_ink(c, ignorable)) {
                    tried.invisible += 1;
                }
                tried.other_scripts += usize::from(c.script() != Script::Latin);
                tried.names.push(name);
            }
        }
        tried
    }

    fn and(mut self, next: Self) -> Self {
        self.names.extend(next.names);
        self.count += next.count;
        self.invisible += next.invisible;
        self.other_scripts += next.other_scripts;
        self
    }
}

#[test]
fn no_code_point_hides_or_looks_like_another_name() {
    let (letters, ignorable) = (letters(), default_ignorable());
    let code_points: Vec<char> = ('\0'..=char::MAX).collect();
    // A minute on one core.
    let parts = thread::available_parallelism().map_or(1, NonZero::get);
    let tried = thread::scope(|scope| {
        let parts: Vec<_> = code_points
            .chunks(code_points.len().div_ceil(parts))
            .map(|part| scope.spawn(|| Tried::with(part, &letters, &ignorable)))
            .collect();
        let tried = parts.into_iter().map(|part| part.join().unwrap());
        tried.fold(Tried::default(), Tried::and)
    });
    let mut stored = HashSet::new();
    let names: Vec<&Name> = tried
        .names
        .iter()
        .filter(|name| stored.insert(name.as_str()))
        .collect();
    // They register one after the other, as the two unique indexes would let them.
    let (mut keys, mut skeletons) = (HashSet::new(), HashSet::new());
    let mut registered = Vec::new();
    for name in &names {
        if !keys.contains(name.key()) && !skeletons.contains(name.skeleton()) {
            keys.insert(name.key().clone());
            skeletons.insert(name.skeleton().clone());
            registered.push(name.as_str());
        }
    }
    let mut alike = 0;
    let (mut shown, mut read) = (HashMap::new(), HashMap::new());
    for &text in &registered {
        let skeleton: String = skeleton(text).collect();
        let folded: String = text.nfkc().collect::<String>().to_lowercase();
        let others = [shown.insert(skeleton, text), read.insert(folded, text)];
        for other in others.into_iter().flatten() {
            alike += 1;
            println!("{text:?} looks like {other:?}");
        }
    }
    let Tried {
        count,
        invisible,
        other_scripts,
        ..
    } = tried;
    println!(
        "{} code points in {count} names: {} names let in ({other_scripts} beside Latin), {} of them refused as \
         taken, {} registered; {invisible} with something invisible, {alike} that look like another",
        code_points.len(),
        names.len(),
        names.len() - registered.len(),
        registered.len()
    );
    assert!(other_scripts > 100_000, "letters of any script are let in");
    assert_eq!((invisible, alike), (0, 0));
}
