/** The global that `public/event_stream.js` defines for pages. */
declare class TopicStream extends EventTarget {
  constructor(address: string);
  readonly readyState: number;
  close(): void;
}
