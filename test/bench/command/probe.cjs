// Loaded into the command before itself: says at its end what it took. It needs nothing that the command could lack.
const { performance } = require("node:perf_hooks");
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");
const { subscribe } = require("node:diagnostics_channel");

const file = process.env.FERRY_BENCH_PROBE;
const milliseconds = ({ user, system }) => (user + system) / 1000;
let first;

if (isMainThread && file !== undefined) {
  for (const channel of ["undici:request:create", "http.client.request.created"])
    subscribe(channel, () => {
      first ??= {
        at: performance.now(),
        cpuMs: milliseconds(process.cpuUsage()),
        loop: performance.eventLoopUtilization(),
      };
    });
  process.once("exit", (exitCode) => {
    const now = performance.now();
    const cpuMs = milliseconds(process.cpuUsage());
    const idleMs = first === undefined ? 0 : performance.eventLoopUtilization(first.loop).idle;
    const report = {
      exitCode,
      startMs: first?.at ?? now,
      startCpuMs: first?.cpuMs ?? cpuMs,
      wallMs: now - (first?.at ?? now),
      cpuMs: cpuMs - (first?.cpuMs ?? cpuMs),
      idleMs,
      peakBytes: process.resourceUsage().maxRSS * 1024,
    };
    writeFileSync(file, JSON.stringify(report));
  });
}
