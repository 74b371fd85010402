import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the service would have answered. */
export interface Given {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Of the request. */
  readonly url: string;
  readonly asked: string;
  /** How many requests of this place came before, in this row. */
  readonly before: number;
}

/** Writes an answer in place of the service's own, once it has handled the request. */
export type Answer = (given: Given, out: ServerResponse) => void;

/** One way in: `dev GET /api/data-quality/v1/rules`, where a star is one part of a path. */
export interface Hostile {
  readonly at: string;
  readonly answer: Answer;
  /** Whether the request reaches the service at all; it does unless this says otherwise. */
  readonly unheard?: boolean;
}

/** Stands before both environments of a row, and answers what the row says in the place that it names. */
export class Front {
  upstream = "";
  readonly #server: Server;
  #hostile: readonly { readonly pattern: RegExp; readonly rule: Hostile; count: number }[] = [];
  /** Places of which an answer was tampered with. */
  #met = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Front> {
    const server = createServer();
    const front = new Front(server);
    server.on("request", (incoming, outgoing) => {
      const { method = "GET", url = "/", headers } = incoming;
      const handle = async (): Promise<void> => {
        const body = await text(incoming);
        await front.#handle({ method, url, headers, body }, outgoing);
      };
      handle().catch(() => outgoing.destroy());
    });
    await new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", done);
    });
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  set hostile(rules: readonly Hostile[]) {
    this.#met = new Set();
    this.#hostile = rules.map((rule) => ({ pattern: patternOf(rule.at), rule, count: 0 }));
  }

  /** A row whose fault never happened would prove nothing. */
  get unmet(): readonly string[] {
    return this.#hostile.map(({ rule }) => rule.at).filter((at) => !this.#met.has(at));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => {
      this.#server.close(done);
    });
  }

  async #handle(request: Request, out: ServerResponse): Promise<void> {
    const { method, url, body } = request;
    const [, tenant = "", path = ""] = /^\/([^/]*)([^?]*)/.exec(url) ?? [];
    const found = this.#hostile.find(({ pattern }) => pattern.test(`${tenant} ${method} ${path}`));
    const given =
      found?.rule.unheard === true ? { status: 0, type: "", body: "" } : await this.#pass(request);
    if (found === undefined) {
      plainly(given, out);
      return;
    }
    this.#met.add(found.rule.at);
    const before = found.count;
    found.count += 1;
    found.rule.answer({ ...given, url, asked: body, before }, out);
  }

  async #pass({ method, url, headers, body }: Request): Promise<Pick<Given, "status" | "type" | "body">> {
    const { "content-type": type = "application/json", authorization = "" } = headers;
    const answer = await fetch(`${this.upstream}${url}`, {
      method,
      headers: { "content-type": type, authorization },
      redirect: "manual",
      ...(body === "" ? {} : { body }),
    });
    const answered = answer.headers.get("content-type") ?? "text/plain";
    return { status: answer.status, type: answered, body: await answer.text() };
  }
}

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** As the service gave it. */
export function plainly(
  { status, type, body }: Pick<Given, "status" | "type" | "body">,
  out: ServerResponse,
): void {
  out.writeHead(status, { "content-type": type });
  out.end(status === 204 ? undefined : body);
}

function patternOf(at: string): RegExp {
  const escaped = at.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]+");
  return new RegExp(`^${escaped}$`, "u");
}
