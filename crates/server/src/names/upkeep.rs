//! Computes the skeletons of names that are older than the rules about them, when a server starts.
//!
//! Names that look like an older one, or would be refused today, stay as they are and are marked for the operators.

use crate::db::Db;
use crate::error::Error;
use crate::names::db;
use std::collections::HashSet;
use tochki_names::{Name, NameSkeleton};

pub(crate) async fn compute_skeletons(db: &Db) -> Result<(), Error> {
    let (mut done, mut marked) = (0, 0);
    loop {
        let mut tx = crate::db::begin(db).await?;
        let names = db::without_skeleton(&mut tx).await?;
        if names.is_empty() {
            break;
        }
        let ids: Vec<i64> = names.iter().map(|name| name.id).collect();
        let skeletons: Vec<String> = names
            .iter()
            .map(|old| NameSkeleton::of(&old.name).as_str().to_owned())
            .collect();
        let mut known: HashSet<String> = db::known_skeletons(&mut tx, &skeletons)
            .await?
            .into_iter()
            .collect();
        let mut marks = Vec::with_capacity(names.len());
        for (old, skeleton) in names.iter().zip(&skeletons) {
            marks.push(if !known.insert(skeleton.clone()) {
                Some("clash")
            } else if Name::read(&old.name).is_err() {
                Some("refused")
            } else {
                None
            });
        }
        db::set_skeletons(&mut tx, &ids, &skeletons, &marks).await?;
        tx.commit().await?;
        done += names.len();
        marked += marks.iter().flatten().count();
    }
    if done > 0 {
        tracing::info!(names = done, marked, "computed name skeletons");
    }
    Ok(())
}
