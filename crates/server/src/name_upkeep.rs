//! Computes the looks of names that are older than the rule about looks, when a server starts.
//!
//! Names that look like an older one, or would be refused today, stay as they are and are marked for the operators.

use crate::db::{self, Db};
use crate::error::Error;
use crate::names::{Name, NameLook};
use std::collections::HashSet;

pub(crate) async fn compute_looks(db: &Db) -> Result<(), Error> {
    let (mut done, mut marked) = (0, 0);
    loop {
        let mut tx = crate::db::begin(db).await?;
        let names = db::names::without_look(&mut tx).await?;
        if names.is_empty() {
            break;
        }
        let ids: Vec<i64> = names.iter().map(|name| name.id).collect();
        let looks: Vec<String> = names
            .iter()
            .map(|old| NameLook::of(&old.name).as_str().to_owned())
            .collect();
        let mut known: HashSet<String> = db::names::known_looks(&mut tx, &looks)
            .await?
            .into_iter()
            .collect();
        let mut marks = Vec::with_capacity(names.len());
        for (old, look) in names.iter().zip(&looks) {
            marks.push(if !known.insert(look.clone()) {
                Some("clash")
            } else if Name::read(&old.name).is_err() {
                Some("refused")
            } else {
                None
            });
        }
        db::names::set_looks(&mut tx, &ids, &looks, &marks).await?;
        tx.commit().await?;
        done += names.len();
        marked += marks.iter().flatten().count();
    }
    if done > 0 {
        tracing::info!(names = done, marked, "computed name skeletons");
    }
    Ok(())
}
