//! Any text at all as SGF: a record that can be read is written in every dialect, with its variations, and reads back the same.

use tochki_rules::record::{Collection, Dialect, FullRecord, parse, parse_variations};

pub(crate) fn run(text: &str) {
    let Ok(collection) = Collection::read(text) else {
        return;
    };
    assert_eq!(collection.summaries().count(), collection.count());
    for place in 0..collection.count() {
        let Ok(FullRecord {
            record,
            variations,
            is_shortened,
            ..
        }) = collection.parse(place)
        else {
            continue;
        };
        // Dots before the first move are written red first, so captures among them may differ.
        if !record.start.is_empty() || is_shortened {
            continue;
        }
        for dialect in Dialect::ALL {
            let again = parse(&record.written_as(dialect)).expect("a written record can be parsed");
            assert_eq!(
                (again.invalid_move, again.record.plies),
                (None, record.plies.clone())
            );
        }
        let rewritten = record.with_variations(&variations);
        // The same tree may have its nodes in another order.
        let again = parse_variations(&rewritten).expect("written variations can be parsed");
        assert_eq!(record.with_variations(&again), rewritten);
    }
}
