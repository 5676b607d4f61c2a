//! A client of event streams (SSE), which reads only when asked to.

use super::app::TIMEOUT;
use super::described::check_event;
use serde_json::Value;
use std::collections::VecDeque;
use tokio::time::timeout;

/// An open stream.
pub(crate) struct Stream {
    response: reqwest::Response,
    /// Bytes of an incomplete frame.
    rest: Vec<u8>,
    read: VecDeque<Frame>,
    /// Status events that were read and not asked for yet.
    status_events: VecDeque<Event>,
    /// Numbers of unread notifications that were read and not asked for yet.
    notified: VecDeque<Value>,
}

/// The names of the status events, which come between the events of a match, at any time.
const STATUS_EVENTS: [&str; 4] = ["present", "watching", "rematch", "next_match"];

/// The block between two blank lines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Frame {
    Event(Event),
    /// A comment, or a `retry` field.
    Comment(String),
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    /// The version, on a match.
    pub(crate) id: Option<u32>,
    /// The id on a shared stream: the topic, and the versions of all.
    pub(crate) shared_id: Option<String>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Event {
    /// Returns the topic of an event of a shared stream.
    pub(crate) fn topic(&self) -> Option<&str> {
        self.shared_id.as_deref()?.split(' ').next()
    }
}

impl Stream {
    pub(super) fn new(response: reqwest::Response) -> Self {
        Self {
            response,
            rest: Vec::new(),
            read: VecDeque::new(),
            status_events: VecDeque::new(),
            notified: VecDeque::new(),
        }
    }

    /// Returns the next frame; `None` at the end of the stream, or when the connection is broken.
    pub(crate) async fn frame(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.read.pop_front() {
                return Some(frame);
            }
            let bytes = timeout(TIMEOUT, self.response.chunk())
                .await
                .expect("the stream says something before long")
                .ok()??;
            self.rest.extend(bytes);
            while let Some(end) = self.rest.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.rest.drain(..end + 2).collect();
                let block = String::from_utf8(block).expect("streams are UTF-8");
                let frame = read_frame(&block);
                if let Frame::Event(event) = &frame {
                    let version = event.id.map(Value::from);
                    let id = version.or_else(|| event.shared_id.clone().map(Value::from));
                    let path = self.response.url().path();
                    check_event(path, &event.name, id, &event.data);
                }
                self.read.push_back(frame);
            }
        }
    }

    /// Returns the next event; `None` at the end of the stream. Status events and `notified` are kept until asked for. The
    /// release at the beginning of every stream and heartbeats are skipped.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        let reading = async {
            loop {
                match self.frame().await? {
                    Frame::Event(event) if STATUS_EVENTS.contains(&event.name.as_str()) => {
                        self.status_events.push_back(event);
                    }
                    Frame::Event(event) if event.name == "notified" => {
                        self.notified.push_back(event.data);
                    }
                    Frame::Event(event) if ["heartbeat", "release"].contains(&&*event.name) => {}
                    Frame::Event(event) => return Some(event),
                    Frame::Comment(_) => {}
                }
            }
        };
        timeout(TIMEOUT, reading)
            .await
            .expect("an event comes before long")
    }

    /// Returns the next status event; other events before it are skipped.
    pub(crate) async fn status_event(&mut self) -> (String, Value) {
        let reading = async {
            loop {
                if let Some(Event { id, name, data, .. }) = self.status_events.pop_front() {
                    assert_eq!(id, None, "{name} is no event of the match");
                    return (name, data);
                }
                match self.frame().await.expect("the stream goes on") {
                    Frame::Event(event) if STATUS_EVENTS.contains(&event.name.as_str()) => {
                        self.status_events.push_back(event);
                    }
                    _ => {}
                }
            }
        };
        timeout(TIMEOUT, reading)
            .await
            .expect("a notice comes before long")
    }

    /// Returns the next number of unread notifications; other events before it are skipped.
    pub(crate) async fn notified(&mut self) -> u64 {
        self.notified_counts().await.0
    }

    /// Returns the next numbers of unread notifications and of games on turn; other events before them are skipped.
    pub(crate) async fn notified_counts(&mut self) -> (u64, u64) {
        let reading = async {
            loop {
                if let Some(data) = self.notified.pop_front() {
                    let number = |name: &str| data[name].as_u64().expect("a number");
                    return (number("unread"), number("on_turn"));
                }
                match self.frame().await.expect("the stream goes on") {
                    Frame::Event(event) if event.name == "notified" => {
                        self.notified.push_back(event.data);
                    }
                    _ => {}
                }
            }
        };
        timeout(TIMEOUT, reading)
            .await
            .expect("a number comes before long")
    }

    /// Returns the body of the next status event, which must have this name.
    pub(crate) async fn expect_status(&mut self, name: &str) -> Value {
        let (noticed, data) = self.status_event().await;
        assert_eq!(noticed, name, "{data}");
        data
    }

    /// Returns the next event of a stream that goes on.
    pub(crate) async fn next(&mut self) -> Event {
        self.event().await.expect("the stream goes on")
    }

    /// Returns the body of the next event, which must have this name.
    pub(crate) async fn expect(&mut self, name: &str) -> Value {
        let event = self.next().await;
        assert_eq!(event.name, name, "{event:?}");
        event.data
    }

    /// Returns the body of the next event of this name; others before it are skipped.
    pub(crate) async fn next_named(&mut self, name: &str) -> Value {
        let reading = async {
            loop {
                let event = self.next().await;
                if event.name == name {
                    return event.data;
                }
            }
        };
        timeout(TIMEOUT, reading)
            .await
            .unwrap_or_else(|_| panic!("no {name} came"))
    }

    /// Returns everything up to and including the next event of this name.
    pub(crate) async fn collect_until(&mut self, name: &str) -> Vec<Event> {
        let mut all = Vec::new();
        loop {
            all.push(self.next().await);
            if all.last().is_some_and(|event| event.name == name) {
                return all;
            }
        }
    }

    /// Returns the next `count` events.
    pub(crate) async fn take(&mut self, count: usize) -> Vec<Event> {
        let mut taken = Vec::new();
        while taken.len() < count {
            taken.push(self.next().await);
        }
        taken
    }

    /// Returns all events up to the end of the stream.
    pub(crate) async fn collect_rest(mut self) -> Vec<Event> {
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
    let (versions, shared): (Vec<&str>, Vec<&str>) = field("id")
        .into_iter()
        .partition(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
    match (field("event"), field("data")) {
        (Some(name), Some(data)) => Frame::Event(Event {
            id: versions
                .first()
                .map(|id| id.parse().expect("ids are versions")),
            shared_id: shared.first().map(|id| (*id).to_owned()),
            name: name.to_owned(),
            data: serde_json::from_str(data).expect("bodies are JSON"),
        }),
        (None, None) => Frame::Comment(block.trim().to_owned()),
        _ => panic!("half an event: {block:?}"),
    }
}
