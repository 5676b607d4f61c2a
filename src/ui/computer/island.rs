//! The island of both pages: one, so that the code of the table is there when a game is chosen.

use crate::ui::computer::ComputerTexts;
use crate::ui::computer::saved_games::SavedGames;
use crate::ui::computer::table_page::TableRoom;
use crate::ui::fingerprint::addressed;
use crate::ui::islands::data::IslandData;
use crate::ui::page::release::Release;
use crate::ui::text::Language;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The worker's script, by which its address changes whenever it does.
const WORKER: &str = include_str!("../../../public/engine_worker.js");

/// The address of the worker's script.
pub(crate) fn worker_path() -> String {
    addressed("/engine_worker.js", WORKER)
}

/// What the island shows.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    /// The games that this browser keeps.
    SavedGames,
    /// The table of the game in the address.
    Table,
}

/// Data of the island.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ComputerData {
    part: Part,
    pub(crate) texts: ComputerTexts,
    /// The address of the worker's script.
    pub(crate) worker: String,
    /// The version of the engines' files.
    pub(crate) engines: String,
}

impl ComputerData {
    /// For pages.
    pub(crate) fn new(language: Language, part: Part) -> Self {
        let Release { engines, .. } = use_context().unwrap_or_default();
        Self {
            part,
            texts: ComputerTexts::new(language),
            worker: worker_path(),
            engines,
        }
    }
}

pub(crate) static COMPUTER: IslandData<ComputerData> = IslandData::new("computer");

/// The saved games, or the table.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
pub fn ComputerIsland(
    /// Shown until there is a table.
    children: Children,
) -> impl IntoView {
    let data = COMPUTER.read();
    match data.part {
        Part::SavedGames => view! { <SavedGames texts=StoredValue::new(data.texts) /> }.into_any(),
        Part::Table => view! { <TableRoom data>{children()}</TableRoom> }.into_any(),
    }
}
