import type { Json } from "../json.ts";

export interface LogEntry {
  readonly id: number;
  /** Wall time in milliseconds. */
  readonly at: number;
  readonly tenant: string;
  readonly method: string;
  /** Below the tenant. */
  readonly path: string;
  /** Method and template, for example `GET /api/data-quality/v1/rules`; "unknown" when there is none. */
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  /** Without the secret of a token request. */
  body: Json | undefined;
  /** 0 until it is answered, and when the socket was destroyed instead. */
  status: number;
  /** The type of the fault that took effect. */
  fault?: string;
}

export interface LogQuery {
  readonly tenant?: string;
  readonly method?: string;
  readonly route?: string;
}

/** Every request that arrived, in order. */
export class RequestLog {
  /** Off for long runs: only the counts are kept then. */
  keepEntries = true;
  #entries: LogEntry[] = [];
  #counts = new Map<string, LogQuery & { count: number }>();
  #lastId = 0;

  open(fields: Omit<LogEntry, "id" | "status" | "body">): LogEntry {
    this.#lastId += 1;
    const entry: LogEntry = { id: this.#lastId, ...fields, body: undefined, status: 0 };
    if (this.keepEntries) this.#entries.push(entry);
    const { tenant, method, route } = entry;
    const key = `${method} ${route} ${tenant}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { tenant, method, route, count: 1 });
    else known.count += 1;
    return entry;
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  count(query: LogQuery = {}): number {
    let total = 0;
    for (const known of this.#counts.values()) {
      const tenant = query.tenant === undefined || query.tenant === known.tenant;
      const method = query.method === undefined || query.method === known.method;
      const route = query.route === undefined || query.route === known.route;
      if (tenant && method && route) total += known.count;
    }
    return total;
  }

  /** Forgets entries and counts; ids go on. */
  clear(): void {
    this.#entries = [];
    this.#counts = new Map();
  }
}
