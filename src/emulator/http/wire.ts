/** The way to one client for the length of one request: a socket, or whatever a simulator puts in its place. */
export interface Wire {
  /** The whole body; undefined when the client left before it was there. */
  readonly body: () => Promise<string | undefined>;
  readonly send: (sent: Sent) => void;
  /** The connection ends, with no answer or in the middle of one. */
  readonly destroy: () => void;
  /** 0 until the head of an answer was sent. */
  readonly status: () => number;
}

export interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer;
  /** Half of the content arrives, and then the connection ends. */
  readonly isTruncated: boolean;
}
