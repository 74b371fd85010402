import { readFileSync } from "node:fs";

/** A request as the emulator received it. */
export interface BareRequest {
  readonly method: string;
  readonly url: string;
  /** Of the tenant that it goes to. */
  readonly tenant: string;
  readonly body?: string;
}

export interface BareTask {
  readonly type: "bare";
  /** A file with one request a line, in the order in which they came. */
  readonly file: string;
  readonly concurrency: number;
  /** By tenant. */
  readonly tokens: Readonly<Record<string, string>>;
}

export interface BareReport {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly requests: number;
  readonly failed: number;
}

/** Sends requests with the global fetch and nothing else: no retries, no journal, no thoughts about the answers. */
export async function sendBare({ file, concurrency, tokens }: BareTask): Promise<BareReport> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const requests = lines.map((line) => JSON.parse(line) as BareRequest);
  let next = 0;
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let request = requests[next]; request !== undefined; request = requests[next]) {
      next += 1;
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
    }
  };
  const began = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const wallMs = performance.now() - began;
  const used = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (used.user + used.system) / 1000, requests: requests.length, failed };
}
