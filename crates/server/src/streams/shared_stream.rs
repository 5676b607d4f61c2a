//! The stream of several topics, which all tabs of a browser share.
//!
//! The id of an event of a topic is the name of the topic and, after a blank, the version of each match that has one, as the
//! address of the stream has them: a client that reconnects with it misses nothing of any topic.
//!
//! A topic that cannot be opened, or breaks, ends alone and with an event: the page of a table that is gone must not end the
//! stream of a match. The presence of a topic ends with the stream. So a client that changes its topics opens the next
//! stream before it closes the last, and is present without a gap at every topic that both have.

use super::{
    Cursor, EventStream, FrameSource, StreamFailure, StreamTopic, TopicKind, Viewer, lobby_stream,
    match_stream, personal_stream, serve, table_stream, tournament_stream,
};
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::{Error, LogFailure as _, frame};
use bytes::Bytes;
use futures::stream::{self, BoxStream, SelectAll};
use futures::{FutureExt as _, StreamExt as _};
use std::collections::VecDeque;
use std::fmt::Write as _;
use tochki_protocol::{Code, limits};
use tracing::Span;

/// Opens the stream of these topics, for anybody: each topic says itself whom it is for.
pub async fn shared_stream(
    app: &AppState,
    topics: Vec<StreamTopic>,
    caller: Option<StreamCaller>,
) -> EventStream {
    let (viewer, session) = caller.map(Viewer::of).unzip();
    let viewer = viewer.as_ref();
    let mut opening = Vec::with_capacity(topics.len());
    for topic in &topics {
        opening.push(open(app, topic, viewer).boxed());
    }
    let opened: Vec<_> = stream::iter(opening)
        .buffered(limits::STREAM_TOPICS_OPENED_AT_ONCE)
        .collect()
        .await;
    let mut reader = Reader {
        topics: Vec::new(),
        frames: SelectAll::new(),
        ready: VecDeque::new(),
    };
    for (place, (topic, opened)) in topics.into_iter().zip(opened).enumerate() {
        match opened {
            Ok(frames) => {
                let frames = frames.map(Some).chain(stream::iter([None]));
                let frames = frames.map(move |frame| (place, frame));
                reader.frames.push(frames.boxed());
            }
            Err(error) => {
                let ended = frame::topic_ended(&topic.name, error.code());
                reader.ready.push_back(ended);
                Err::<(), _>(error).log_failure("opening a topic of a stream");
            }
        }
        reader.topics.push(topic);
    }
    let player = viewer.map(|viewer| viewer.account.id);
    serve(app, "shared", reader, player, session)
}

/// Opens a topic, which may make the viewer present.
async fn open(
    app: &AppState,
    topic: &StreamTopic,
    viewer: Option<&Viewer>,
) -> Result<BoxStream<'static, Bytes>, Error> {
    let request = Span::current();
    let player = || {
        let viewer = viewer.ok_or(Code::SignedOut)?;
        Ok::<_, Error>(viewer.account.clone())
    };
    Ok(match &topic.kind {
        TopicKind::Match(id) => {
            let from = Cursor {
                after: topic.after.unwrap_or_default(),
                // It may be, and costs such a page no more than fetching the match once.
                is_reconnect: topic.after.is_some(),
            };
            let reader = match_stream::open(app, *id, from, viewer).await?;
            reader.frames(request).boxed()
        }
        TopicKind::Lobby(game) => {
            if viewer.is_some_and(|viewer| !viewer.may_play) {
                return Err(Code::OutOfScope.into());
            }
            let reader = lobby_stream::open(app, *game, player()?).await?;
            reader.frames(request).boxed()
        }
        TopicKind::Personal => {
            let reader = personal_stream::open(app, &[], player()?).await?;
            reader.frames(request).boxed()
        }
        TopicKind::Table(link) => {
            let reader = table_stream::open(app, link, viewer).await?;
            reader.frames(request).boxed()
        }
        TopicKind::Tournament(id) => {
            let reader = tournament_stream::open(app, *id, viewer).await?;
            reader.frames(request).boxed()
        }
        TopicKind::Notified => {
            player()?;
            stream::pending().boxed()
        }
    })
}

struct Reader {
    /// All topics with the versions that the client has been sent.
    topics: Vec<StreamTopic>,
    /// The frames of all topics with their places in `topics`; `None` when a topic ends. Polls only those that have some.
    frames: SelectAll<BoxStream<'static, (usize, Option<Bytes>)>>,
    /// The frames that are known before the first read.
    ready: VecDeque<Bytes>,
}

impl FrameSource for Reader {
    fn heartbeat() -> Bytes {
        frame::heartbeat_event()
    }

    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        if let Some(frame) = self.ready.pop_front() {
            return Ok(Some(frame));
        }
        let Some((place, frame)) = self.frames.next().await else {
            // Its client knows that no topic is left, and that it may go.
            return std::future::pending().await;
        };
        let Some(frame) = frame else {
            // The cause is logged. The client asks for the topic again when it is time.
            let topic = &self.topics[place];
            return Ok(Some(frame::topic_ended(&topic.name, Code::Unavailable)));
        };
        let topic = &mut self.topics[place];
        topic.after = frame::version(&frame).or(topic.after);
        Ok(Some(frame::with_id(&frame, &self.id_at(place))))
    }
}

impl Reader {
    /// The id of an event of the topic at this place.
    fn id_at(&self, place: usize) -> String {
        let mut id = self.topics[place].name.clone();
        let mut separator = ' ';
        for topic in &self.topics {
            if let Some(version) = topic.after {
                // Writing to a string never fails.
                let _ = write!(id, "{separator}{}@{version}", topic.name);
                separator = ',';
            }
        }
        id
    }
}
