//! Lookup of names, and the skeletons of names that are older than the rule about them.

use crate::Error;
use crate::db::rows::account;
use crate::db::{Db, Tx};
use tochki_names::Name;
use tochki_protocol::{MarkedName, NameMark, PlayerId, limits};

/// A valid name with its keys.
#[derive(Clone, Copy, Debug)]
pub struct NameRow<'a> {
    /// The name as its player wrote it.
    pub text: &'a str,
    /// The lower-case form in NFKC.
    pub key: &'a str,
    /// The skeleton.
    pub skeleton: &'a str,
}

impl<'a> NameRow<'a> {
    /// The columns of a name.
    pub(crate) fn of(name: &'a Name) -> Self {
        Self {
            text: name.as_str(),
            key: name.key().as_str(),
            skeleton: name.skeleton().as_str(),
        }
    }
}

/// The players whose names are this one or look like it.
pub(crate) async fn holders(db: &Db, name: &NameRow<'_>) -> Result<Vec<PlayerId>, Error> {
    let holders = sqlx::query_scalar!(
        "select id from players where name_key = $1 union select id from players where name_skeleton = $2",
        name.key,
        name.skeleton
    )
    .fetch_all(db)
    .await?;
    Ok(holders.into_iter().flatten().map(PlayerId).collect())
}

/// A name whose skeleton has not been computed, or by an older rule.
pub(crate) struct OldName {
    /// The player.
    pub id: i64,
    /// The name, of a deleted account its key.
    pub name: String,
}

/// Some names without a skeleton, or with one of an older rule, oldest first. Instances that start together take turns until the transaction ends.
pub(crate) async fn without_skeleton(tx: &mut Tx) -> Result<Vec<OldName>, Error> {
    sqlx::query!("select pg_advisory_xact_lock(hashtext('names'))::text")
        .fetch_one(&mut **tx)
        .await?;
    Ok(sqlx::query_as!(
        OldName,
        r#"select id, coalesce(case when deleted_at is null then name else name_key end, '') as "name!" from players
           where name_key is not null and (name_skeleton is null or name_skeleton ~ '[w_]|--') order by id limit $1"#,
        limits::NAME_UPKEEP_BATCH_LEN
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// The skeletons among these that are taken.
pub(crate) async fn known_skeletons(
    tx: &mut Tx,
    skeletons: &[String],
) -> Result<Vec<String>, Error> {
    let known = sqlx::query_scalar!(
        r#"select name_skeleton as "skeleton!" from players
           where name_skeleton = any($1) and name_mark is distinct from 'clash'"#,
        skeletons
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(known)
}

/// Stores skeletons and marks.
pub(crate) async fn set_skeletons(
    tx: &mut Tx,
    ids: &[i64],
    skeletons: &[String],
    marks: &[Option<&'static str>],
) -> Result<(), Error> {
    let marks: Vec<Option<String>> = marks.iter().map(|mark| mark.map(str::to_owned)).collect();
    sqlx::query!(
        "update players p set name_skeleton = n.skeleton, name_mark = n.mark
         from unnest($1::bigint[], $2::text[], $3::text[]) as n (id, skeleton, mark) where p.id = n.id",
        ids,
        skeletons,
        &marks as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The players with marked names, oldest first.
pub(crate) async fn marked(db: &Db) -> Result<Vec<MarkedName>, Error> {
    let rows = sqlx::query!(
        r#"select id, name, guest, bot, name_mark = 'clash' as "clash!" from players
           where name_mark is not null and deleted_at is null order by id limit $1"#,
        i64::from(limits::MARKED_NAMES_LEN)
    )
    .fetch_all(db)
    .await?;
    let marked = rows.into_iter().map(|row| MarkedName {
        player: account(row.id, row.name, row.guest, row.bot),
        mark: if row.clash {
            NameMark::Clash
        } else {
            NameMark::Refused
        },
    });
    Ok(marked.collect())
}
