//! A network of its own for this program and its servers: nothing but a loopback, on which the push service has an address that a
//! release takes for public. It needs root on Linux.

use crate::Result;
use std::io::Write as _;
use std::process::Command;

/// The host of the push service, and its address: of no private network, and of nobody.
pub(crate) const PUSH_HOST: &str = "push.load.example";
pub(crate) const PUSH_ADDRESS: &str = "192.0.1.1";

/// The environment variable that says that this program runs in its own network.
const OWN: &str = "TOCHKI_LOAD_OWN_NETWORK";

/// Returns whether this program runs in its own network.
pub(crate) fn is_own() -> bool {
    std::env::var_os(OWN).is_some()
}

/// Runs this program again in a network of its own, with the same arguments, and waits for its end.
pub(crate) async fn run_again() -> Result<()> {
    let status = tokio::process::Command::new("unshare")
        .args(["--net", "--mount", "--"])
        .arg(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .env(OWN, "1")
        .kill_on_drop(true)
        .status()
        .await
        .map_err(|error| format!("unshare: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("not measured in a network of its own, which needs root".into())
    }
}

/// Gives the loopback of this network the address of the push service, and its name to the resolver of this program's children.
pub(crate) fn set_up() -> Result<()> {
    run("ip", &["link", "set", "lo", "up"])?;
    let address = format!("{PUSH_ADDRESS}/32");
    run("ip", &["address", "add", &address, "dev", "lo"])?;
    let mut hosts = tempfile::NamedTempFile::new()?;
    writeln!(hosts, "127.0.0.1 localhost\n{PUSH_ADDRESS} {PUSH_HOST}")?;
    let file = hosts.path().to_string_lossy().into_owned();
    // Only in the mounts of this process. The file lives on under its new name.
    run("mount", &["--bind", &file, "/etc/hosts"])
}

fn run(program: &str, arguments: &[&str]) -> Result<()> {
    let done = Command::new(program).args(arguments).output();
    let done = done.map_err(|error| format!("{program}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&done.stderr).into_owned();
    Err(format!("{program} {}: {why}", arguments.join(" ")).into())
}
