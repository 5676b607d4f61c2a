//! The reading end of an event stream. It reads only when it is asked to.

use super::app::PATIENCE;
use serde_json::Value;
use std::collections::VecDeque;
use tokio::time::timeout;

/// An open stream.
pub(crate) struct Stream {
    response: reqwest::Response,
    /// Bytes that are no whole frame yet.
    rest: Vec<u8>,
    read: VecDeque<Frame>,
    /// What was said of what goes on round a match and not asked for yet.
    notices: VecDeque<Event>,
}

/// What goes on round a match is told between its events, whenever it is noticed.
const NOTICES: [&str; 4] = ["present", "watching", "rematch", "next_match"];

/// What stands between two blank lines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    Event(Event),
    /// A comment, or how soon to come back.
    Comment(String),
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// The version, on a match.
    pub(crate) id: Option<u32>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Stream {
    pub(super) fn new(response: reqwest::Response) -> Self {
        Self {
            response,
            rest: Vec::new(),
            read: VecDeque::new(),
            notices: VecDeque::new(),
        }
    }

    /// The next frame; `None` when the server has ended the stream or the line is broken.
    pub(crate) async fn frame(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.read.pop_front() {
                return Some(frame);
            }
            let bytes = timeout(PATIENCE, self.response.chunk())
                .await
                .expect("the stream says something before long")
                .ok()??;
            self.rest.extend(bytes);
            while let Some(end) = self.rest.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.rest.drain(..end + 2).collect();
                let block = String::from_utf8(block).expect("streams are UTF-8");
                self.read.push_back(read_frame(&block));
            }
        }
    }

    /// The next event; `None` at the end of the stream. Notices are kept until they are asked for.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        let reading = async {
            loop {
                match self.frame().await? {
                    Frame::Event(event) if NOTICES.contains(&event.name.as_str()) => {
                        self.notices.push_back(event);
                    }
                    Frame::Event(event) => return Some(event),
                    Frame::Comment(_) => {}
                }
            }
        };
        timeout(PATIENCE, reading)
            .await
            .expect("an event comes before long")
    }

    /// The next notice of what goes on round a match; events that come before it are passed over.
    pub(crate) async fn notice(&mut self) -> (String, Value) {
        let reading = async {
            loop {
                if let Some(Event { id, name, data }) = self.notices.pop_front() {
                    assert_eq!(id, None, "{name} is no event of the match");
                    return (name, data);
                }
                match self.frame().await.expect("the stream goes on") {
                    Frame::Event(event) if NOTICES.contains(&event.name.as_str()) => {
                        self.notices.push_back(event);
                    }
                    _ => {}
                }
            }
        };
        timeout(PATIENCE, reading)
            .await
            .expect("a notice comes before long")
    }

    /// The next notice, which is this one; its body.
    pub(crate) async fn notices(&mut self, name: &str) -> Value {
        let (noticed, data) = self.notice().await;
        assert_eq!(noticed, name, "{data}");
        data
    }

    /// The next event of a stream that goes on.
    pub(crate) async fn next(&mut self) -> Event {
        self.event().await.expect("the stream goes on")
    }

    /// The next event, which has this name; its body.
    pub(crate) async fn expect(&mut self, name: &str) -> Value {
        let event = self.next().await;
        assert_eq!(event.name, name, "{event:?}");
        event.data
    }

    /// The next event of this name, whatever comes before it; its body.
    pub(crate) async fn next_named(&mut self, name: &str) -> Value {
        let reading = async {
            loop {
                let event = self.next().await;
                if event.name == name {
                    return event.data;
                }
            }
        };
        timeout(PATIENCE, reading)
            .await
            .unwrap_or_else(|_| panic!("no {name} came"))
    }

    /// Everything up to and including the next event of this name.
    pub(crate) async fn all_until(&mut self, name: &str) -> Vec<Event> {
        let mut all = Vec::new();
        loop {
            all.push(self.next().await);
            if all.last().is_some_and(|event| event.name == name) {
                return all;
            }
        }
    }

    /// As many events as asked for, as version and body.
    pub(crate) async fn take(&mut self, count: usize) -> Vec<Event> {
        let mut taken = Vec::new();
        while taken.len() < count {
            taken.push(self.next().await);
        }
        taken
    }

    /// Reads on until the server ends the stream; what came before that.
    pub(crate) async fn rest(mut self) -> Vec<Event> {
        let mut rest = Vec::new();
        while let Some(event) = self.event().await {
            rest.push(event);
        }
        rest
    }
}

fn read_frame(block: &str) -> Frame {
    let field = |name: &str| {
        block
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    match (field("event"), field("data")) {
        (Some(name), Some(data)) => Frame::Event(Event {
            id: field("id").map(|id| id.parse().expect("ids are versions")),
            name: name.to_owned(),
            data: serde_json::from_str(data).expect("bodies are JSON"),
        }),
        (None, None) => Frame::Comment(block.trim().to_owned()),
        _ => panic!("half an event: {block:?}"),
    }
}
