import { SimulatedHeaders } from "./headers.ts";

/**
 * Request and answer as far as the client, its library and the emulator's router know them. The platform's own ones
 * cost as much as all the rest of a history.
 */

export interface Init {
  readonly method?: string;
  readonly headers?: SimulatedHeaders | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** In place of the platform's `Request`: its body is a text, and its signal is the one that it was made with. */
export class SimulatedRequest {
  readonly method: string;
  readonly headers: SimulatedHeaders;
  readonly signal: AbortSignal | undefined;
  /** There is nothing to cancel. */
  readonly body: null = null;
  readonly sent: string;
  readonly #input: string | URL;
  #parsed: URL | undefined;

  constructor(input: string | URL, { method = "GET", headers, body = "", signal }: Init = {}) {
    if (typeof body !== "string") throw new Error("only a text can be sent in the simulation");
    this.method = method.toUpperCase();
    this.#input = input;
    this.headers = headers instanceof SimulatedHeaders ? headers : new SimulatedHeaders(headers);
    this.signal = signal;
    this.sent = body;
  }

  /** The client's library makes one of its own, and never looks. */
  get #address(): URL {
    this.#parsed ??= new URL(this.#input);
    return this.#parsed;
  }

  get url(): string {
    return this.#address.href;
  }

  get path(): string {
    return this.#address.pathname;
  }

  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

/** The pieces of a body, one after the other; undefined at its end. Throws where it breaks off. */
export type Pieces = () => Uint8Array | undefined | Promise<Uint8Array>;

/** In place of the platform's stream, as far as one reader reads it from its beginning. */
export class SimulatedBody {
  readonly #pieces: Pieces;
  #isOver = false;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  getReader(): this {
    return this;
  }

  async read(): Promise<{ readonly done: boolean; readonly value: Uint8Array | undefined }> {
    const value = this.#isOver ? undefined : await this.#pieces();
    this.#isOver ||= value === undefined;
    return { done: this.#isOver, value: this.#isOver ? undefined : value };
  }

  async cancel(): Promise<void> {
    this.#isOver = true;
  }
}

/** In place of the platform's `Response`. */
export class SimulatedResponse {
  readonly status: number;
  readonly statusText = "";
  readonly type = "default";
  readonly headers: SimulatedHeaders;
  readonly body: SimulatedBody | null;

  constructor(status: number, headers: Readonly<Record<string, string>>, pieces: Pieces | undefined) {
    this.status = status;
    this.headers = new SimulatedHeaders(headers);
    this.body = pieces === undefined ? null : new SimulatedBody(pieces);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }
}
