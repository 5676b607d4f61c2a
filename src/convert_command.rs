//! `tochki convert` and `tochki replay`: records of games in the forms that other programs use.

use crate::partial_file::PartialFile;
use anyhow::Context as _;
use clap::Args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tochki_records::wthor::{self, Names};
use tochki_records::{Form, GameRecord, Games, Options, Stop, Writer};

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
/// If a game was left out, or the input or the output fails.
pub(crate) fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let ConvertArgs { input, to, out } = args;
    anyhow::ensure!(!to.is_read_only(), "the form {to} is only read");
    let (form, bytes) = input.open()?;
    let games = input.games(form, bytes)?;
    let mut output = Output::create(*to, out.as_deref())?;
    let name = input.name();
    let (mut written, mut left_out) = (0_u64, 0_u64);
    for game in games {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                eprintln!("{name}: {error}");
                left_out += 1;
                continue;
            }
        };
        tell(&name, &game);
        match output.write(&game) {
            Ok(()) => written += 1,
            Err(error) if error.is_of_game() => {
                eprintln!("{name}: game {}: {error}", written + left_out + 1);
                left_out += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    output.finish()?;
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
    let ReplayArgs { input, quiet } = args;
    let mut output = BufWriter::new(io::stdout().lock());
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
