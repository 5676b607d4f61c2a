//! `tochki-bot` as a process that can be killed and started again.

use super::app::{TIMEOUT, wait_until};
use super::player::{PASSWORD, Player};
use std::fs::{self, File, OpenOptions};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus, Stdio};
use tempfile::TempDir;
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The variable with the arguments of [`the_program`], as JSON.
const ARGUMENTS: &str = "TOCHKI_BOT_ARGUMENTS";

/// Runs the program in a process of its own, which other tests start; no test by itself. The process is this binary, because the
/// tests of a package are not given the binaries of another one; `tochki-bot` itself adds one line. `TOCHKI_BOT` names another
/// binary.
#[test]
#[ignore = "the program that other tests start as a process"]
fn the_program() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else {
        return;
    };
    let arguments: Vec<std::ffi::OsString> = serde_json::from_str::<Vec<String>>(&arguments)
        .expect("a list of arguments")
        .into_iter()
        .map(Into::into)
        .collect();
    let ended = tochki_bot::main(arguments);
    std::process::exit(i32::from(ended != ExitCode::SUCCESS));
}

/// A bot and its command.
pub(crate) struct BotProcess {
    arguments: Vec<String>,
    folder: TempDir,
    child: Option<Child>,
}

/// Makes the account of a player that of a bot. Returns a token for it.
pub(crate) async fn bot_token(player: &Player) -> String {
    player
        .post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_ok();
    player.create_token("read,play").await
}

/// Returns the command of our own engine, with more arguments.
pub(crate) fn own_engine(arguments: &[&str]) -> Vec<String> {
    let command = [env!("CARGO_BIN_EXE_tochki"), "engine"];
    let words = command.iter().chain(arguments);
    words.map(|word| (*word).to_owned()).collect()
}

impl BotProcess {
    /// Starts a bot for these tokens, with this text as its file of rules.
    pub(crate) fn start(
        server: SocketAddr,
        tokens: &[String],
        rules: &str,
        more: &[&str],
        engine: &[String],
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (token_file, rules_file) = (path("tokens"), path("rules.toml"));
        let mut private = OpenOptions::new();
        private.write(true).create(true).mode(0o600);
        let mut file = private.open(&token_file).expect("a file");
        std::io::Write::write_all(&mut file, tokens.join("\n").as_bytes()).expect("it is written");
        fs::write(&rules_file, rules).expect("it is written");
        let server = format!("http://{server}");
        let mut arguments: Vec<String> = [
            "tochki-bot",
            "--server",
            &server,
            "--token",
            &token_file,
            "--rules",
            &rules_file,
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.extend(more.iter().map(|word| (*word).to_owned()));
        arguments.push("--".into());
        arguments.extend_from_slice(engine);
        let mut bot = Self {
            arguments,
            folder,
            child: None,
        };
        bot.restart();
        bot
    }

    /// Starts the bot again, after it has ended.
    pub(crate) fn restart(&mut self) {
        let mut command = match std::env::var_os("TOCHKI_BOT") {
            Some(binary) => {
                let mut command = Command::new(binary);
                command.args(&self.arguments[1..]);
                command
            }
            None => {
                let mut command = Command::new(std::env::current_exe().expect("this binary"));
                let test = [
                    "--exact",
                    "bot_process::the_program",
                    "--ignored",
                    "--nocapture",
                ];
                let arguments = serde_json::to_string(&self.arguments).expect("JSON");
                command.args(test).env(ARGUMENTS, arguments);
                command
            }
        };
        let log = File::options()
            .append(true)
            .create(true)
            .open(self.log_path());
        let child = command
            .env("RUST_LOG", "tochki_bot=debug")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.expect("a log"))
            .kill_on_drop(true)
            .spawn();
        self.child = Some(child.expect("the bot starts"));
    }

    /// Kills the bot with SIGKILL.
    pub(crate) async fn kill(&mut self) {
        let mut child = self.child.take().expect("it runs");
        child.kill().await.expect("it can be killed");
    }

    /// Waits until the bot has ended by itself.
    pub(crate) async fn wait_for_exit(&mut self) -> ExitStatus {
        let child = self.child.as_mut().expect("it runs");
        let ended = timeout(TIMEOUT, child.wait()).await;
        ended
            .expect("it ends before long")
            .expect("it can be waited for")
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Returns the log of the bot, over all its runs.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// Waits until the log has these words.
    pub(crate) async fn expect_log(&self, words: &str) {
        wait_until(&format!("a line of the log: {words}"), async || {
            self.log().contains(words).then_some(())
        })
        .await;
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the log of the bot:\n{}", self.log());
        }
    }
}
