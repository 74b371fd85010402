/**
 * Request and answer as far as the client, its library and the emulator's router know them. The platform's own ones
 * cost as much as all the rest of a history.
 */

interface Init {
  readonly method?: string;
  readonly headers?: HeadersInit;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** In place of the platform's `Request`: its body is a text, and its signal is the one that it was made with. */
export class SimulatedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
  /** There is nothing to cancel. */
  readonly body: null = null;
  readonly sent: string;

  constructor(input: string | URL, { method = "GET", headers, body = "", signal }: Init = {}) {
    if (typeof body !== "string") throw new Error("only a text can be sent in the simulation");
    this.method = method.toUpperCase();
    this.url = new URL(input).href;
    this.headers = headers instanceof Headers ? headers : new Headers(headers);
    this.signal = signal;
    this.sent = body;
  }

  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

/** In place of the platform's `Response`; its body is a stream of the platform, made when somebody reads it. */
export class SimulatedResponse {
  readonly status: number;
  readonly statusText = "";
  readonly type = "default";
  readonly headers: Headers;
  readonly #source: UnderlyingDefaultSource<Uint8Array> | undefined;
  #body: ReadableStream<Uint8Array> | undefined;

  constructor(
    status: number,
    headers: Readonly<Record<string, string>>,
    source: UnderlyingDefaultSource<Uint8Array> | undefined,
  ) {
    this.status = status;
    this.headers = new Headers(headers);
    this.#source = source;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (this.#source === undefined) return null;
    this.#body ??= new ReadableStream(this.#source);
    return this.#body;
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }
}
