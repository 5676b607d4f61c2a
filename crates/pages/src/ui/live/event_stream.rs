//! The one event stream of a page, reopened when it fails, until the document is closed. The tabs of a browser share their
//! connection (`public/event_stream.js`).

use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tochki_protocol::{backoff, event_names, limits};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, CustomEventInit, Event, EventTarget, MessageEvent};

/// The events that are passed on to scripts such as `public/chat.js`, whatever the page: chat messages, the spectators of a match, the
/// annulment of the match or of another match of the reader, vacations, halved clocks, and the release of the server.
const FORWARDED: [&str; 7] = [
    event_names::SAID,
    event_names::WATCHERS,
    event_names::ANNULLED,
    event_names::RATING_CORRECTED,
    event_names::VACATION_CHANGED,
    event_names::BERSERKED,
    event_names::RELEASE,
];

/// Those of them that set the clocks of the match, so that its island follows them, too.
const SETS_CLOCKS: [&str; 2] = [event_names::VACATION_CHANGED, event_names::BERSERKED];

#[wasm_bindgen]
extern "C" {
    /// The stream of a topic, with the interface of an `EventSource`.
    #[wasm_bindgen(extends = EventTarget)]
    type TopicStream;

    /// Fails where the script is missing.
    #[wasm_bindgen(constructor, catch)]
    fn new(topic: &str) -> Result<TopicStream, JsValue>;

    #[wasm_bindgen(method, getter, js_name = readyState)]
    fn ready_state(this: &TopicStream) -> u16;

    #[wasm_bindgen(method)]
    fn close(this: &TopicStream);
}

/// The [`TopicStream::ready_state`] of a stream that is not reopened by itself.
const CLOSED: u16 = 2;

/// An event on a stream.
pub(crate) enum StreamEvent {
    /// The connection is established, possibly again.
    Connected,
    /// The connection is lost; it is being reopened.
    Disconnected,
    /// A server-sent event with one of the subscribed names.
    Message {
        /// The `event:` name.
        name: String,
        /// The `id:`. An event without an id has that of the event before it.
        version: Option<u32>,
        /// The `data:`.
        data: String,
    },
}

/// Subscribes until the document is closed. For effects and event handlers; the server opens no stream.
///
/// `topic` is called for each connection, so that a stream resumes where it was cut: `match:7@12`.
pub(crate) fn subscribe(
    topic: impl Fn() -> String + 'static,
    names: &[&'static str],
    on_event: impl Fn(StreamEvent) + 'static,
) -> Subscription {
    let stream = Rc::new(EventStream {
        topic: Box::new(topic),
        names: names.to_vec(),
        on_event: Box::new(on_event),
        connection: RefCell::new(None),
        failures: Cell::new(0),
    });
    stream.connect();
    let subscription = Subscription(StoredValue::new_local(stream));
    // The browser reports a lost network sooner than the connection times out.
    let _ = window_event_listener(leptos::ev::offline, move |_| subscription.on_offline());
    let _ = window_event_listener(leptos::ev::online, move |_| subscription.reconnect());
    subscription
}

/// A handle of the stream.
#[derive(Clone, Copy)]
pub(crate) struct Subscription(StoredValue<Rc<EventStream>, LocalStorage>);

impl Subscription {
    /// Closes the connection and opens a new one.
    pub(crate) fn reconnect(self) {
        self.0.with_value(EventStream::connect);
    }

    fn on_offline(self) {
        self.0
            .with_value(|stream| (stream.on_event)(StreamEvent::Disconnected));
    }
}

struct EventStream {
    topic: Box<dyn Fn() -> String>,
    names: Vec<&'static str>,
    on_event: Box<dyn Fn(StreamEvent)>,
    /// The connection, whose callbacks keep the stream alive.
    connection: RefCell<Option<Connection>>,
    /// Failed connections in a row.
    failures: Cell<u32>,
}

/// An open stream with its callbacks, which must live as long as it does.
struct Connection {
    events: TopicStream,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _change: Closure<dyn FnMut(Event)>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.events.close();
    }
}

impl EventStream {
    fn connect(self: &Rc<Self>) {
        let Ok(events) = TopicStream::new(&(self.topic)()) else {
            self.connect_later();
            return;
        };
        let stream = Rc::clone(self);
        let message = Closure::new(move |message: MessageEvent| stream.on_message(&message));
        let listen = |name| {
            let _ = events.add_event_listener_with_callback(name, message.as_ref().unchecked_ref());
        };
        self.names.iter().copied().for_each(listen);
        FORWARDED.into_iter().for_each(listen);
        listen(event_names::SIGNED_OUT);
        let stream = Rc::clone(self);
        let change = Closure::new(move |event: Event| stream.on_state_change(&event));
        for name in ["open", "error"] {
            let _ = events.add_event_listener_with_callback(name, change.as_ref().unchecked_ref());
        }
        self.connection.replace(Some(Connection {
            events,
            _message: message,
            _change: change,
        }));
    }

    fn on_message(&self, message: &MessageEvent) {
        if FORWARDED.contains(&&*message.type_()) {
            forward(message);
            if !SETS_CLOCKS.contains(&&*message.type_()) {
                return;
            }
        }
        if message.type_() == event_names::SIGNED_OUT {
            // The page shows so when it is loaded again.
            let _ = window().location().reload();
            return;
        }
        (self.on_event)(StreamEvent::Message {
            name: message.type_(),
            version: message.last_event_id().parse().ok(),
            data: message.data().as_string().unwrap_or_default(),
        });
    }

    /// Handles a connection or its loss. The script reconnects by itself, unless the topic has ended; then this stream does.
    fn on_state_change(self: &Rc<Self>, event: &Event) {
        if event.type_() == "open" {
            self.failures.set(0);
            (self.on_event)(StreamEvent::Connected);
            return;
        }
        (self.on_event)(StreamEvent::Disconnected);
        let closed = |connection: &Connection| connection.events.ready_state() == CLOSED;
        if self.connection.borrow().as_ref().is_none_or(closed) {
            self.connect_later();
        }
    }

    fn connect_later(self: &Rc<Self>) {
        let failures = self.failures.get();
        self.failures.set(failures + 1);
        let stream = Rc::clone(self);
        set_timeout(move || stream.connect(), retry_delay(failures));
    }
}

/// Passes an event to the scripts of the page as a DOM event.
fn forward(message: &MessageEvent) {
    let init = CustomEventInit::new();
    init.set_detail(&message.data());
    // If the event cannot be made, its content is shown with the next page load.
    let _ = CustomEvent::new_with_event_init_dict(&message.type_(), &init)
        .map(|event| document().dispatch_event(&event));
}

/// Returns the delay after so many failures: [`limits::MIN_STREAM_BACKOFF`], doubled up to [`limits::MAX_STREAM_BACKOFF`].
pub(crate) fn retry_delay(failures: u32) -> Duration {
    backoff(
        failures,
        limits::MIN_STREAM_BACKOFF,
        limits::MAX_STREAM_BACKOFF,
    )
}
