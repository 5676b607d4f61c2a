//! `tochki convert` and `tochki replay`: records of games in the forms that other programs use.

use anyhow::Context as _;
use clap::Args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tochki_records::wthor::{self, Names};
use tochki_records::{Form, GameRecord, Games, Options, Stop, Writer};
use tochki_server::partial_file::PartialFile;

/// The records to read.
#[derive(Args)]
pub(crate) struct Input {
    /// The file; standard input if it is left out.
    file: Option<PathBuf>,
    /// The form of the records; if it is left out, that of the ending of the file's name, or of its beginning.
    #[arg(long)]
    from: Option<Form>,
    /// The players of a WTHOR database (`.jou`). Without them, players are numbers.
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The tournaments of a WTHOR database (`.trn`).
    #[arg(long, value_name = "FILE")]
    tournaments: Option<PathBuf>,
    /// The size of the board of Gomoku, where the form does not have it (15).
    #[arg(long)]
    size: Option<u8>,
}

/// The conversion of records.
#[derive(Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    input: Input,
    /// The form to write: sgf, zagram, playdots, json, psq, points, transcript, ggf or wthor.
    #[arg(long)]
    to: Form,
    /// The file to write; standard output if it is left out. WTHOR needs one, and gets files of the same name that end in
    /// `.jou` and `.trn`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The replay of records.
#[derive(Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    input: Input,
    /// Print only the last score of each game.
    #[arg(long)]
    quiet: bool,
}

impl Input {
    /// The form, and the bytes from the first one on.
    fn open(&self) -> anyhow::Result<(Form, Box<dyn BufRead>)> {
        let mut input: Box<dyn BufRead> = match &self.file {
            Some(path) => Box::new(BufReader::new(open(path)?)),
            None => Box::new(io::stdin().lock()),
        };
        let form = match self.from {
            Some(form) => form,
            None => {
                let name = self.file.as_ref().and_then(|path| path.file_name());
                let name = name.map(|name| name.to_string_lossy().into_owned());
                let head = input.fill_buf().with_context(|| self.name())?;
                let form = Form::detect(&name.unwrap_or_default(), head);
                form.with_context(|| format!("{}: no known form; name it by --from", self.name()))?
            }
        };
        Ok((form, input))
    }

    fn games<'a>(&self, form: Form, input: impl Read + 'a) -> anyhow::Result<Games<'a>> {
        let mut options = Options::default();
        if let Some(size) = self.size {
            options = options.with_size(size)?;
        }
        let mut names = Names::default();
        if let Some(path) = &self.players {
            names = names
                .with_players(open(path)?)
                .with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.tournaments {
            names = names
                .with_tournaments(open(path)?)
                .with_context(|| path.display().to_string())?;
        }
        options.names = names;
        tochki_records::read(form, input, options).with_context(|| self.name())
    }

    fn name(&self) -> String {
        let path = self.file.as_deref();
        path.map_or_else(
            || "standard input".to_owned(),
            |path| path.display().to_string(),
        )
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| path.display().to_string())
}

/// The output of a conversion.
enum Output {
    Stream(Writer<Box<dyn Write>>, Option<PartialFile>),
    Wthor(Box<wthor::Writer<BufWriter<File>>>, PartialFile, PathBuf),
}

/// Converts records. What cannot be read or written is said on standard error, and the rest is converted.
///
/// # Errors
///
/// If a game was left out, or the input or the output fails. A file of before stays if nothing could be converted, or not everything
/// could be read.
pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let ConvertArgs { input, to, out } = args;
    anyhow::ensure!(!to.is_read_only(), "the form {to} is only read");
    let (form, bytes) = input.open()?;
    let games = input.games(form, bytes)?;
    let mut output = Output::create(*to, out.as_deref())?;
    let name = input.name();
    let (mut written, mut left_out, mut shortened) = (0_u64, 0_u64, 0_u64);
    for game in games {
        let game = match game {
            Ok(game) => game,
            Err(error) if error.kind.is_final() => {
                return Err(error).with_context(|| format!("{name}: nothing is read after it"));
            }
            Err(error) => {
                eprintln!("{name}: {error}");
                left_out += 1;
                continue;
            }
        };
        tell(&name, &game);
        match output.write(&game) {
            Ok(()) => {
                written += 1;
                shortened += u64::from(game.has_variations() && *to != Form::Sgf);
            }
            Err(error) if error.is_of_game() => {
                eprintln!("{name}: game {}: {error}", written + left_out + 1);
                left_out += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    anyhow::ensure!(
        written > 0 || left_out == 0,
        "none of {left_out} games could be converted"
    );
    output.finish()?;
    if shortened > 0 {
        eprintln!("{name}: {shortened} games lost their variations, which {to} does not have");
    }
    eprintln!("{name}: {written} games converted, {left_out} left out");
    anyhow::ensure!(left_out == 0, "{left_out} games were left out");
    Ok(())
}

/// Says what is different from the input.
fn tell(name: &str, game: &GameRecord) {
    if let Some(stop) = &game.stop {
        eprintln!("{name}: {stop}; the record ends before it");
    }
    for warning in &game.warnings {
        eprintln!("{name}: {warning}");
    }
}

impl Output {
    fn create(to: Form, out: Option<&Path>) -> anyhow::Result<Self> {
        // Records are for everybody to read.
        let partial = out
            .map(|path| PartialFile::create(path, 0o644))
            .transpose()?;
        if to == Form::Wthor {
            let (Some(partial), Some(path)) = (partial, out) else {
                anyhow::bail!("WTHOR is three files: name the first by --out");
            };
            let ending = path.extension().unwrap_or_default();
            anyhow::ensure!(
                ending != "jou" && ending != "trn",
                "the file of games cannot end in .jou or .trn, as those of names do"
            );
            let writer = wthor::Writer::new(BufWriter::new(partial.file.try_clone()?))?;
            return Ok(Self::Wthor(Box::new(writer), partial, path.to_owned()));
        }
        let stream: Box<dyn Write> = match &partial {
            Some(partial) => Box::new(BufWriter::new(partial.file.try_clone()?)),
            None => Box::new(BufWriter::new(io::stdout())),
        };
        Ok(Self::Stream(Writer::new(to, stream), partial))
    }

    fn write(&mut self, game: &GameRecord) -> Result<(), tochki_records::WriteError> {
        match self {
            Self::Stream(writer, _) => writer.write(game),
            Self::Wthor(writer, ..) => writer.write(game),
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stream(writer, partial) => {
                writer.finish()?;
                if let Some(partial) = partial {
                    partial.complete()?;
                }
            }
            Self::Wthor(writer, partial, path) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
                let (games, players, tournaments) = writer.finish(now)?;
                drop(games);
                for (ending, bytes) in [("jou", players), ("trn", tournaments)] {
                    let mut names = PartialFile::create(&path.with_extension(ending), 0o644)?;
                    names.file.write_all(&bytes)?;
                    names.complete()?;
                }
                partial.complete()?;
            }
        }
        Ok(())
    }
}

/// Replays records by the rules and prints the result of each as a line of JSON (`tochki_rules::replay`).
pub(crate) fn replay(args: &ReplayArgs) -> anyhow::Result<()> {
    replay_to(args, BufWriter::new(io::stdout().lock()))
}

fn replay_to(args: &ReplayArgs, mut output: impl Write) -> anyhow::Result<()> {
    let ReplayArgs { input, quiet } = args;
    // Lines on standard input are those of JSON unless something else is said, as ever.
    if input.file.is_none() && input.from.is_none_or(|form| form == Form::Json) {
        let lines = io::stdin().lock();
        return Ok(tochki_rules::replay::replay(lines, output, *quiet)?);
    }
    let (form, bytes) = input.open()?;
    if form == Form::Json {
        return Ok(tochki_rules::replay::replay(bytes, output, *quiet)?);
    }
    let name = input.name();
    for game in input.games(form, bytes)? {
        let fault = match game {
            Err(error) => {
                eprintln!("{name}: {error}");
                Some((0, error.kind.code()))
            }
            Ok(game) => {
                tell(&name, &game);
                match game.stop {
                    Some(Stop { number, why, .. }) => {
                        // Dots before the first move are among the moves.
                        Some((game.start.len() + number.saturating_sub(1), why.code()))
                    }
                    None => {
                        let mut line = Writer::new(Form::Json, Vec::new());
                        line.write(&game)?;
                        let line = line.finish()?;
                        tochki_rules::replay::replay(&*line, &mut output, *quiet)?;
                        None
                    }
                }
            }
        };
        if let Some((ply, reason)) = fault {
            writeln!(output, r#"{{"error":{{"ply":{ply},"reason":"{reason}"}}}}"#)?;
        }
    }
    output.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Convert {
        #[command(flatten)]
        args: ConvertArgs,
    }

    #[derive(Parser)]
    struct Replay {
        #[command(flatten)]
        args: ReplayArgs,
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a folder"))
        }

        fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
            fs::write(self.0.path().join(name), bytes).expect("a file");
        }

        fn read(&self, name: &str) -> String {
            let bytes = fs::read(self.0.path().join(name)).expect("a file");
            String::from_utf8(bytes).expect("a text")
        }

        /// The words of a command line. Those with a dot are names of files here.
        fn words(&self, line: &str) -> Vec<PathBuf> {
            let word = |word: &str| {
                if word.contains('.') {
                    self.0.path().join(word)
                } else {
                    word.into()
                }
            };
            std::iter::once("tochki".into())
                .chain(line.split(' ').map(word))
                .collect()
        }

        fn convert(&self, line: &str) -> Result<(), String> {
            let parsed = Convert::try_parse_from(self.words(line)).expect("arguments");
            convert(&parsed.args).map_err(|error| format!("{error:#}"))
        }

        fn replay(&self, line: &str) -> String {
            let parsed = Replay::try_parse_from(self.words(line)).expect("arguments");
            let mut output = Vec::new();
            replay_to(&parsed.args, &mut output).expect("replayed");
            String::from_utf8(output).expect("a text")
        }

        /// The names of all files.
        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.0.path()).expect("a folder");
            let mut names: Vec<_> = entries
                .map(|entry| entry.expect("an entry").file_name())
                .map(|name| name.into_string().expect("a name"))
                .collect();
            names.sort();
            names
        }
    }

    #[test]
    fn games_go_through_three_files_of_wthor_and_come_back() {
        let folder = Folder::new();
        let ggf = "(;GM[Othello]PC[here]DT[1999-01-01]PB[Ann]PW[Béa]TY[8]RE[+4]B[F5]W[D6]B[C3];)\n";
        folder.write("a.ggf", ggf.repeat(2));
        assert_eq!(folder.convert("a.ggf --to wthor --out b.wtb"), Ok(()));
        assert_eq!(folder.names(), ["a.ggf", "b.jou", "b.trn", "b.wtb"]);
        let line = "b.wtb --players b.jou --tournaments b.trn --to json --out c.json";
        assert_eq!(folder.convert(line), Ok(()));
        let line = r#"{"game":"reversi","setup":{},"moves":["5,4","3,5","2,2"],"seats":[1,2,1],"players":["Ann","Béa"],"date":"1999","result":"B+4"}"#;
        assert_eq!(folder.read("c.json"), format!("{line}\n{line}\n"));
        assert_eq!(folder.convert("c.json --to transcript --out d.txt"), Ok(()));
        assert_eq!(folder.read("d.txt"), "f5d6c3\nf5d6c3\n");
    }

    #[test]
    fn every_game_that_can_be_converted_is() {
        let folder = Folder::new();
        let sgf = "(;GM[4]SZ[15];B[hh];W[ii])(;GM[1]SZ[19];B[dd])(;GM[4]SZ[15];B[hh];B[ii])\n(;GM[4]SZ[15];B[aa];W[aa])";
        folder.write("a.txt", sgf);
        let told = folder.convert("a.txt --to points --out b.txt");
        assert_eq!(told, Err("2 games were left out".to_owned()));
        assert_eq!(folder.read("b.txt"), "h8i7\na15\n");
        assert_eq!(folder.names(), ["a.txt", "b.txt"]);
    }

    #[test]
    fn a_file_of_before_stays_where_nothing_is_converted() {
        let folder = Folder::new();
        folder.write("out.sgf", "mine");
        folder.write("a.txt", "dear friend");
        folder.write(
            "long.txt",
            vec![b'x'; tochki_records::MAX_GAME_LEN + 100_000],
        );
        for (line, fault) in [
            (
                "a.txt --from psq --to sgf --out out.sgf",
                "none of 1 games could be converted",
            ),
            (
                "long.txt --from points --to sgf --out out.sgf",
                "the game is too long",
            ),
            ("none.sgf --to sgf --out out.sgf", "No such file"),
            (
                "a.txt --to sgf --out out.sgf",
                "no known form; name it by --from",
            ),
            (
                "a.txt --from points --to renlib --out out.sgf",
                "the form renlib is only read",
            ),
            ("a.txt --from points --to wthor", "WTHOR is three files"),
            (
                "a.txt --from transcript --to wthor --out out.jou",
                "cannot end in .jou",
            ),
            (
                "a.txt --from points --size 3 --to sgf --out out.sgf",
                "size",
            ),
        ] {
            let told = folder.convert(line).expect_err(line);
            assert!(told.contains(fault), "{line}: {told}");
        }
        assert_eq!(folder.read("out.sgf"), "mine");
        assert_eq!(folder.names(), ["a.txt", "long.txt", "out.sgf"]);
    }

    #[test]
    fn a_replay_has_a_line_for_each_game() {
        let folder = Folder::new();
        folder.write("a.txt", "f5d6\nf5f5\n\nF5 D6 C3\n");
        assert_eq!(
            folder.replay("a.txt --quiet"),
            "3:3\n{\"error\":{\"ply\":1,\"reason\":\"occupied\"}}\n5:2\n"
        );
        folder.write("b.sgf", "(;GM[1]SZ[19])(;GM[4]SZ[15]AB[aa]AW[bb];B[aa])");
        assert_eq!(
            folder.replay("b.sgf"),
            "{\"error\":{\"ply\":0,\"reason\":\"other_game\"}}\n{\"error\":{\"ply\":2,\"reason\":\"occupied\"}}\n"
        );
        folder.write("c.json", "{\"game\":\"dots\",\"moves\":[]}\nno\n");
        assert_eq!(
            folder.replay("--quiet c.json"),
            "0:0\n{\"error\":{\"ply\":0,\"reason\":\"malformed_record\"}}\n"
        );
    }
}
