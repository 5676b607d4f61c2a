//! The processor time, the memory and the children of processes, as `/proc` tells them.

use std::time::{Duration, Instant};

/// Returns the time for which these processes have used a processor.
pub(crate) fn cpu(processes: &[u32]) -> Duration {
    // In user mode and in the kernel.
    time(processes, 11..=12)
}

/// Returns the processor time of these processes and of their children that have ended.
fn cpu_with_ended(processes: &[u32]) -> Duration {
    time(processes, 11..=14)
}

fn time(processes: &[u32], fields: std::ops::RangeInclusive<usize>) -> Duration {
    let of_one = |process: &u32| -> u64 {
        let stat = fields_of(*process);
        let ticks = fields.clone().map(|field| {
            let field = stat.get(field);
            field.and_then(|field| field.parse().ok()).unwrap_or(0)
        });
        ticks.sum()
    };
    // A tick is a hundredth of a second on every Linux.
    Duration::from_millis(10 * processes.iter().map(of_one).sum::<u64>())
}

/// Returns the fields of `/proc/PID/stat` after the name of the program, which may hold spaces.
fn fields_of(process: u32) -> Vec<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().map(str::to_owned).collect()
}

/// Returns the children of a process, and theirs.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parents: Vec<(u32, u32)> = ids
        .filter_map(|id| Some((id, fields_of(id).get(1)?.parse().ok()?)))
        .collect();
    let (mut found, mut next) = (Vec::new(), vec![process]);
    while let Some(parent) = next.pop() {
        let children = parents.iter().filter(|(_, of)| *of == parent);
        next.extend(children.clone().map(|(id, _)| *id));
        found.extend(children.map(|(id, _)| *id));
    }
    found
}

/// Returns the resident memory of processes, in bytes.
pub(crate) fn memory(processes: &[u32]) -> u64 {
    let of_one = |process: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or(0) * 1024
    };
    processes.iter().map(of_one).sum()
}

/// Returns a size in words.
pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

/// The processor time of a server and of the Postgres that it has started, since the beginning of a measurement.
pub(crate) struct CpuUse {
    server: u32,
    begun: Instant,
    before: [Duration; 2],
}

impl CpuUse {
    pub(crate) fn begin(server: u32) -> Self {
        Self {
            server,
            begun: Instant::now(),
            before: Self::now(server),
        }
    }

    /// Returns the processor time of the server and of its Postgres, until now.
    pub(crate) fn used(&self) -> [Duration; 2] {
        let [server, postgres] = Self::now(self.server);
        [
            server.saturating_sub(self.before[0]),
            postgres.saturating_sub(self.before[1]),
        ]
    }

    /// Returns the processor time of the server and of its Postgres in percent of one core.
    pub(crate) fn percent(&self) -> [String; 2] {
        let elapsed = self.begun.elapsed().as_secs_f64();
        self.used()
            .map(|used| format!("{:.0} %", 100.0 * used.as_secs_f64() / elapsed))
    }

    fn now(server: u32) -> [Duration; 2] {
        // A worker of Postgres that has ended counts with the one that has started it.
        [cpu(&[server]), cpu_with_ended(&descendants(server))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_a_descendant_with_memory() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("sleep starts");
        let found = descendants(std::process::id());
        let bytes = memory(&[child.id()]);
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        assert!(found.contains(&child.id()), "{found:?}");
        assert!(bytes > 0);
        assert!(!descendants(std::process::id()).contains(&child.id()));
    }
}
