import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../../src/emulator/index.ts";
import { bareRequests } from "../service/bare-requests.ts";
import type { BareReport, BareRequest } from "./bare.ts";
import { spawned } from "./process.ts";
import type { RunReport } from "./run.ts";

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Answers after a moment; notes when requests come and when they are answered. */
const notes: string[] = [];
const server = createServer((request, response) => {
  notes.push(`${request.url} came`);
  setTimeout(() => {
    notes.push(`${request.url} answered`);
    response.end("{}");
  }, 20);
});
let url: string;
let folder: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "bench-"));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function sendBare(requests: readonly BareRequest[], concurrency: number): Promise<BareReport> {
  const file = join(folder, "requests.ndjson");
  writeFileSync(file, requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  const input = JSON.stringify({ file, concurrency, tokens: {} });
  return JSON.parse(await spawned(process.execPath, [at("bare.ts")], { input })) as BareReport;
}

test("a bare client sends all there is, so many at once for each tenant, and a page after the one before it", async () => {
  notes.length = 0;
  const get = (tenant: string, path: string, after?: number): BareRequest => ({
    method: "GET",
    tenant,
    url: `${url}/${tenant}${path}`,
    ...(after === undefined ? {} : { after }),
  });
  const chain = [get("dev", "/page1"), get("dev", "/page2", 0), get("dev", "/page3", 1)];
  const others = ["dev", "prod"].flatMap((tenant) =>
    Array.from({ length: 9 }, (_, index) => get(tenant, `/${index}`)),
  );
  const report = await sendBare([...chain, ...others], 3);
  expect(report).toMatchObject({ requests: 21, failed: 0 });
  expect(notes.filter((note) => note.endsWith("came"))).toHaveLength(21);
  for (const tenant of ["dev", "prod"]) {
    let [inFlight, most] = [0, 0];
    for (const note of notes.filter((note) => note.startsWith(`/${tenant}/`))) {
      inFlight += note.endsWith("came") ? 1 : -1;
      most = Math.max(most, inFlight);
    }
    expect(most).toBe(3);
  }
  for (const page of [1, 2])
    expect(notes.indexOf(`/dev/page${page + 1} came`)).toBeGreaterThan(
      notes.indexOf(`/dev/page${page} answered`),
    );
});

test("what was sent is recorded with the page that comes before, and without sign-ins", async () => {
  const emulator = await startEmulator();
  try {
    const base = emulator.baseUrl("dev");
    const send = async (path: string, body?: object): Promise<void> => {
      await fetch(`${base}${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
    };
    await send("/auth/realms/dev/protocol/openid-connect/token", {});
    await send("/api/catalog/v1/terms?size=100");
    await send("/api/data-quality/v1/rules?size=100");
    await send("/api/catalog/v1/terms?size=100&after=one");
    await send("/api/catalog/v1/terms?size=100&after=two");
    await send("/api/catalog/v1/terms/bulk", { terms: [] });
    const recorded = bareRequests(emulator);
    expect(recorded.map(({ after }) => after)).toEqual([undefined, undefined, 0, 2, undefined]);
    expect(recorded[2]?.url).toBe(`${base}/api/catalog/v1/terms?size=100&after=one`);
    expect(recorded[4]).toMatchObject({ method: "POST", tenant: "dev", body: '{"terms":[]}' });
  } finally {
    await emulator.close();
  }
});

test("the probe parts what a command took before its first request from what came after, whatever its end", async () => {
  const run = async (script: string, code: number): Promise<RunReport & { readonly exitCode: number }> => {
    const file = join(folder, "probe.json");
    await spawned(process.execPath, ["--require", at("probe.cjs"), "-e", script], {
      env: { FERRY_BENCH_PROBE: file },
      fine: [code],
    });
    return JSON.parse(readFileSync(file, "utf8")) as RunReport & { readonly exitCode: number };
  };
  const asking = await run(
    `fetch("${url}/probe").then((answer) => answer.text()).then(() => process.exit(4))`,
    4,
  );
  expect(asking.exitCode).toBe(4);
  for (const took of [asking.startMs, asking.startCpuMs, asking.wallMs, asking.cpuMs, asking.idleMs])
    expect(took).toBeGreaterThan(0);
  expect(asking.idleMs).toBeLessThanOrEqual(asking.wallMs);
  expect(asking.peakBytes).toBeGreaterThan(1024 ** 2);
  const silent = await run("0", 0);
  expect(silent).toMatchObject({ exitCode: 0, wallMs: 0, cpuMs: 0, idleMs: 0 });
  expect(silent.startCpuMs).toBeGreaterThan(0);
});

test("a program that fails is an error that quotes it", async () => {
  const script = "process.stderr.write('no disk'); process.exit(3)";
  await expect(spawned(process.execPath, ["-e", script])).rejects.toThrow(/ended with 3: no disk/);
});
