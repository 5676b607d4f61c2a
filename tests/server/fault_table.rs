//! The table of faults: a row of Markdown for each staged fault, with its cost.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

const HEADER: &str = "| fault | moves acknowledged | moves lost | matches wrongly lost | seconds until whole |\n\
                      |---|---:|---:|---:|---:|\n";

/// The cost of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// The number of moves that the server has acknowledged.
    pub(crate) acknowledged: usize,
    /// The number of those among them that the database does not have as they were acknowledged.
    pub(crate) lost: usize,
    /// The number of matches that have ended although nobody has resigned, was absent or let their time run out.
    pub(crate) wrongly_lost: usize,
}

/// Prints the row of a fault, and appends it to `target/faults.md`, which `cargo make faults` removes first. `whole_after` is
/// the time from the end of the fault, or from the fault itself if it is a moment, until everything went on.
pub(crate) fn print_row(fault: &str, cost: Cost, whole_after: Duration) {
    let Cost {
        acknowledged,
        lost,
        wrongly_lost,
    } = cost;
    let seconds = whole_after.as_secs_f64();
    let row = format!("| {fault} | {acknowledged} | {lost} | {wrongly_lost} | {seconds:.1} |\n");
    print!("{row}");
    append(&row).expect("target can be written to");
}

fn append(row: &str) -> std::io::Result<()> {
    // Tests run beside each other.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().expect("nothing panics while it is held");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let path = target.expect("it is in target").join("faults.md");
    let mut file = File::options().append(true).create(true).open(path)?;
    if file.metadata()?.len() == 0 {
        file.write_all(HEADER.as_bytes())?;
    }
    file.write_all(row.as_bytes())
}
