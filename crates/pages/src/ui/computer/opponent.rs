//! The worker in which the engine searches, and its messages in both directions as JSON (`public/engine_worker.js`).

use crate::ui::games::setup_fields;
use leptos::prelude::*;
use serde::Deserialize;
use tochki_protocol::{json, limits};
use tochki_rules::{GameKind, Seat, Setup};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// The number of best moves that are shown.
pub(crate) const SHOWN_MOVES: usize = 3;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// The level, 1 to 8.
    pub(crate) level: u8,
    /// The shortest time of a search, in milliseconds.
    pub(crate) least_ms: u32,
    /// The longest time of a search, in milliseconds; the answer may come a little later.
    pub(crate) most_ms: u32,
    /// The interval of reports on the moves found so far, in milliseconds; 0 is never.
    pub(crate) info_ms: u32,
}

/// Returns the addresses of the script of an engine and of its WebAssembly.
pub(crate) fn engine_paths(game: GameKind, version: &str) -> [String; 2] {
    [".js", "_bg.wasm"].map(|ending| format!("/engines/{game}{ending}?v={version}"))
}

/// An answer of the worker.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    /// `info`, `done` or `failed`.
    pub(crate) kind: String,
    /// The id of the search.
    id: u32,
    /// The report; none if the search has failed.
    #[serde(default)]
    pub(crate) report: Option<Report>,
}

/// The report of a search.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Report {
    /// The move to play.
    pub(crate) choice: Option<String>,
    /// Whether nothing can change the score any more.
    pub(crate) settled: bool,
    /// Positions or playouts.
    pub(crate) nodes: u64,
    /// The best moves, the best one first.
    pub(crate) moves: Vec<Candidate>,
}

/// A move that was searched.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The gain of the mover by the end of the game, in points; in Gomoku from 1 (a win) to −1.
    pub(crate) value: f32,
    /// Whether the value is proven.
    pub(crate) exact: bool,
    /// The number of playouts that tried the move, in a search by playouts; otherwise 0.
    pub(crate) visits: u64,
    /// The depth of the search, in plies, in a search by depth; otherwise 0.
    pub(crate) depth: u32,
    /// The expected line, this move first.
    pub(crate) pv: Vec<String>,
}

/// The worker. At most one search runs, and only the answers to the last one are heard.
#[derive(Clone, Copy)]
pub(crate) struct Opponent {
    worker: StoredValue<Option<Worker>, LocalStorage>,
    /// The id of the last request; the address of the worker's script, and the version behind `?v=` in those of the engines' files.
    requests: StoredValue<(u32, [String; 2])>,
}

impl Opponent {
    /// Starts a worker from the script at `address`. For browsers.
    pub(crate) fn start(address: &str, engines: String) -> Self {
        let opponent = Self {
            worker: StoredValue::new_local(new_worker(address)),
            requests: StoredValue::new((0, [address.to_owned(), engines])),
        };
        on_cleanup(move || opponent.with_worker(Worker::terminate));
        opponent
    }

    /// Starts another worker, which loads the engine anew, in the place of one that may wait for a lost answer of the network.
    pub(crate) fn restart(self) {
        self.with_worker(Worker::terminate);
        let worker = self
            .requests
            .with_value(|(_, [address, _])| new_worker(address));
        self.worker.set_value(worker);
    }

    /// Searches the position after `moves`, for the side `to_move` if it is not as by the rules. A search that runs is
    /// cancelled. `answered` gets every answer, the last one is not an `info`.
    pub(crate) fn search(
        self,
        setup: Setup,
        moves: &[String],
        to_move: Option<Seat>,
        seed: u32,
        limits: SearchLimits,
        answered: impl Fn(Answer) + 'static,
    ) {
        let id = self.next_id();
        let game = setup.kind();
        let [module, wasm] = self
            .requests
            .with_value(|(_, [_, version])| engine_paths(game, version));
        let moves = moves.iter().map(|mv| format!("\"{mv}\""));
        let moves = moves.collect::<Vec<_>>().join(",");
        let setup = setup_fields(&setup).json();
        let SearchLimits {
            level,
            least_ms,
            most_ms,
            info_ms,
        } = limits;
        let to_move = to_move.map_or("null".to_owned(), |seat| seat.number().to_string());
        // Moves and setups are plain ASCII without quotes.
        let request = format!(
            r#"{{"kind":"search","id":{id},"module":"{module}","wasm":"{wasm}","game":"{game}","setup":{setup},"moves":[{moves}],"to_move":{to_move},"level":{level},"nodes":null,"memory":{memory},"seed":{seed},"least_ms":{least_ms},"most_ms":{most_ms},"info_ms":{info_ms}}}"#,
            memory = limits::COMPUTER_MEMORY_BYTES
        );
        let on_message = listener(Box::new(move |text: &str| {
            if let Ok(answer) = json::read::<Answer>(text)
                && answer.id == id
                && self.requests.try_with_value(|(last, _)| *last) == Some(id)
            {
                answered(answer);
            }
        }));
        self.with_worker(|worker| {
            worker.set_onmessage(Some(on_message.unchecked_ref()));
            let _ = worker.post_message(&JsValue::from_str(&request));
        });
    }

    /// Ends the running search without an answer.
    pub(crate) fn cancel(self) {
        let id = self.next_id() - 1;
        let request = format!(r#"{{"kind":"cancel","id":{id}}}"#);
        self.with_worker(|worker| {
            let _ = worker.post_message(&JsValue::from_str(&request));
        });
    }

    fn next_id(self) -> u32 {
        self.requests.update_value(|(last, _)| *last += 1);
        self.requests.with_value(|(last, _)| *last)
    }

    fn with_worker(self, run: impl FnOnce(&Worker)) {
        self.worker.with_value(|worker| worker.as_ref().map(run));
    }
}

fn new_worker(address: &str) -> Option<Worker> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(address, &options).ok()
}

/// Wraps a function of JavaScript that calls `heard` with the text of a message.
fn listener(heard: Box<dyn Fn(&str)>) -> JsValue {
    let on_message = move |message: MessageEvent| {
        heard(&message.data().as_string().unwrap_or_default());
    };
    Closure::<dyn Fn(MessageEvent)>::new(on_message).into_js_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_the_worker_are_read() {
        let text = r#"{"kind":"done","id":7,"ms":640,"report":{"choice":"5,5","settled":false,"nodes":120,"moves":[
            {"move":"5,5","value":-1.5,"exact":false,"visits":9,"depth":2,"pv":["5,5","6,6"]}]}}"#;
        let answer = json::read::<Answer>(text).expect("an answer");
        assert_eq!((answer.kind.as_str(), answer.id), ("done", 7));
        let report = answer.report.expect("a report");
        assert_eq!(report.choice.as_deref(), Some("5,5"));
        assert!(report.moves[0].value < 0.0 && !report.moves[0].exact);
        assert_eq!(report.moves[0].pv, ["5,5", "6,6"]);
        let failed = r#"{"kind":"failed","id":8,"message":"no module"}"#;
        assert!(
            json::read::<Answer>(failed)
                .expect("an answer")
                .report
                .is_none()
        );
    }
}
