//! An SMTP server of a test, on loopback: takes every mail, and parses it as a mail program does.

use mail_parser::MessageParser;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// A mail that has come.
#[derive(Debug)]
pub(crate) struct Received {
    /// The recipients of the envelope.
    pub(crate) to: Vec<String>,
    pub(crate) subject: String,
    pub(crate) plain: String,
    pub(crate) html: String,
    /// The value of `List-Unsubscribe`, and of `List-Unsubscribe-Post`.
    pub(crate) unsubscribe: Option<(String, String)>,
    /// The headers as they came.
    pub(crate) headers: String,
}

impl Received {
    /// The link to this path that the text has; the HTML has it, too.
    pub(crate) fn link(&self, path: &str) -> String {
        let at = self.plain.find(path).expect("a link");
        let link: String = self.plain[at..]
            .chars()
            .take_while(|c| !c.is_whitespace())
            .collect();
        assert!(self.html.contains(&link), "{}", self.html);
        link
    }
}

/// The server. It ends with the test.
pub(crate) struct SmtpServer {
    pub(crate) url: String,
    mails: mpsc::UnboundedReceiver<Received>,
    /// How many mails it refuses for now.
    refusals: Arc<AtomicU32>,
}

impl SmtpServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let (sender, mails) = mpsc::unbounded_channel();
        let refusals = Arc::new(AtomicU32::new(0));
        tokio::spawn({
            let refusals = refusals.clone();
            async move {
                while let Ok((connection, _)) = listener.accept().await {
                    tokio::spawn(talk(connection, sender.clone(), refusals.clone()));
                }
            }
        });
        Self {
            url,
            mails,
            refusals,
        }
    }

    /// Refuses this many mails, each with an error that passes.
    pub(crate) fn refuse(&self, count: u32) {
        self.refusals.store(count, Ordering::SeqCst);
    }

    /// The next mail.
    pub(crate) async fn next(&mut self) -> Received {
        let next = timeout(super::app::TIMEOUT, self.mails.recv()).await;
        next.expect("a mail").expect("the server runs")
    }

    /// The mails that have come and were not read.
    pub(crate) fn rest(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.mails.try_recv().ok()).collect()
    }
}

/// One session. A dialogue that is none fails the test by its mails missing.
async fn talk(
    connection: TcpStream,
    mails: mpsc::UnboundedSender<Received>,
    refusals: Arc<AtomicU32>,
) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    connection.write_all(b"220 test\r\n").await?;
    let mut to = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        if connection.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.get(..4).unwrap_or_default().to_ascii_uppercase();
        let answer = match &*verb {
            "EHLO" => "250-test\r\n250 8BITMIME\r\n",
            "MAIL"
                if refusals
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                        left.checked_sub(1)
                    })
                    .is_ok() =>
            {
                "451 later\r\n"
            }
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1).unwrap_or_default();
                to.push(address.to_owned());
                "250 ok\r\n"
            }
            "DATA" => {
                connection.write_all(b"354 go on\r\n").await?;
                let text = read_data(&mut connection).await?;
                // Nobody reads any more when the test is over.
                let _ = mails.send(parse(std::mem::take(&mut to), &text));
                "250 ok\r\n"
            }
            "QUIT" => {
                connection.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => "250 ok\r\n",
        };
        connection.write_all(answer.as_bytes()).await?;
    }
}

async fn read_data(connection: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        match &*line {
            "" | ".\r\n" => return Ok(text),
            line => text.push_str(line.strip_prefix('.').unwrap_or(line)),
        }
    }
}

fn parse(to: Vec<String>, text: &str) -> Received {
    let message = MessageParser::default().parse(text).expect("a mail");
    let raw = |name: &'static str| Some(message.header_raw(name)?.trim().to_owned());
    Received {
        to,
        subject: message.subject().unwrap_or_default().to_owned(),
        plain: message.body_text(0).unwrap_or_default().into_owned(),
        html: message.body_html(0).unwrap_or_default().into_owned(),
        unsubscribe: raw("List-Unsubscribe").zip(raw("List-Unsubscribe-Post")),
        headers: text.split("\r\n\r\n").next().unwrap_or_default().to_owned(),
    }
}
