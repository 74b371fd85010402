import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

/** A request as the emulator received it. */
export interface BareRequest {
  readonly method: string;
  readonly url: string;
  /** Of the tenant that it goes to. */
  readonly tenant: string;
  readonly body?: string;
  /** The place in the file of the page before it, without which its cursor would not be known. */
  readonly after?: number;
  /** It came with the first write or later. */
  readonly writing?: true;
}

export interface BareTask {
  /** A file with one request a line, in the order in which they came. */
  readonly file: string;
  /** Most requests in flight for each tenant, as in a plan. */
  readonly concurrency: number;
  /** Nothing of what came with the first write or later is sent before all else is answered: a diff is confirmed whole. */
  readonly inOrder?: boolean;
  /** By tenant. */
  readonly tokens: Readonly<Record<string, string>>;
}

export interface BareReport {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly requests: number;
  readonly failed: number;
}

/**
 * A process that sends requests with the global fetch and nothing else: no retries, no journal, no thoughts about the
 * answers. A page waits for the one before it; nothing else waits for anything but a free place.
 */
async function send({ file, concurrency, inOrder, tokens }: BareTask): Promise<BareReport> {
  const lines = readFileSync(file, "utf8").split("\n");
  const requests = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as BareRequest);
  const first = requests.filter(({ after }) => after === undefined);
  const next = Map.groupBy(
    requests.filter(({ after }) => after !== undefined),
    ({ after }) => requests[after ?? 0],
  );
  let failed = 0;
  const one = async (request: BareRequest): Promise<void> => {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        authorization: `Bearer ${tokens[request.tenant] ?? ""}`,
        "content-type": "application/json",
      },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    await response.json().catch(() => null);
    if (response.status >= 500 || response.status === 401) failed += 1;
  };
  const began = performance.now();
  const cpu = process.cpuUsage();
  const isLate = ({ writing }: BareRequest): boolean => inOrder === true && writing === true;
  for (const wave of [first.filter((request) => !isLate(request)), first.filter(isLate)]) {
    const tenants = Map.groupBy(wave, ({ tenant }) => tenant);
    await Promise.all([...tenants.values()].map((waiting) => drain(waiting, next, concurrency, one)));
  }
  const wallMs = performance.now() - began;
  const used = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (used.user + used.system) / 1000, requests: requests.length, failed };
}

/** Works off what waits and what comes of it: as many at once as may be. */
async function drain(
  waiting: BareRequest[],
  next: ReadonlyMap<BareRequest | undefined, readonly BareRequest[]>,
  concurrency: number,
  one: (request: BareRequest) => Promise<void>,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  const begin = async (request: BareRequest): Promise<void> => {
    await one(request);
    // What was waited for goes first: a chain is what takes longest.
    waiting.unshift(...(next.get(request) ?? []));
  };
  while (waiting.length > 0 || inFlight.size > 0) {
    const request = inFlight.size < concurrency ? waiting.shift() : undefined;
    if (request === undefined) {
      await Promise.race(inFlight);
      continue;
    }
    const sent = begin(request).finally(() => inFlight.delete(sent));
    inFlight.add(sent);
  }
}

process.stdout.write(JSON.stringify(await send(JSON.parse(await text(process.stdin)) as BareTask)));
