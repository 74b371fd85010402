import { writeFileSync } from "node:fs";
import type { Emulator } from "../../../src/emulator/index.ts";
import { startEmulator } from "../../../src/emulator/index.ts";
import { scenario } from "../../../src/emulator/scenarios/index.ts";
import { bareRequests } from "./bare-requests.ts";
import { callsOf, isToken } from "./calls-of.ts";
import { growToDemo, putColumns, putRecords, putRows, putTerms } from "./content.ts";
import { leastOf } from "./least.ts";
import type { Content, Order, Orders, Prepared, Reply } from "./orders.ts";

/** The emulated service in a process of its own, so that its time and memory are not in what is measured. */
const emulator: Emulator = await startEmulator({ tokenLifetimeSeconds: 3_600, masterData: {} });
const [source, target] = [emulator.tenant("dev"), emulator.tenant("prod")];
const received = new Map<string, number>();
emulator.on(({ phase, entry: { tenant, route } }) => {
  if (phase !== "received" || isToken(route)) return;
  const key = `${tenant} ${route}`;
  received.set(key, (received.get(key) ?? 0) + 1);
});
let undelay = (): void => {};

const orders: Orders = {
  prepare(content: Content): Prepared {
    emulator.log.keepEntries = content.keepLog;
    const { objects } = content;
    if (typeof objects === "object") {
      scenario("empty")?.prepare(emulator);
      if ("terms" in objects) putTerms(source, objects.terms);
      else if ("columns" in objects) putColumns(source, target, objects.columns);
      else if ("rows" in objects) putRows(source, target, objects.rows);
      else putRecords(emulator.masterData("dev"), objects.records);
    } else {
      // large:N makes two and a half N objects.
      scenario(typeof objects === "number" ? `large:${Math.round(objects / 2.5)}` : objects)?.prepare(
        emulator,
      );
      if (typeof objects === "number") growToDemo(source);
    }
    const { terms, rules, monitors, dashboards } = source.counts();
    const masterDataUrl = emulator.masterDataUrl("dev").slice(0, -"/dev".length);
    const all = terms + rules + monitors + dashboards + besides(objects);
    return { url: emulator.url, masterDataUrl, objects: all };
  },
  delay(ms) {
    undelay();
    undelay = ms > 0 ? emulator.faults.add({ effect: { type: "delay", ms } }) : () => {};
    return null;
  },
  least: (run) => leastOf(source, target, run),
  counts: () => Object.fromEntries(received),
  calls: () => callsOf(emulator.log.entries, target),
  record(file) {
    const lines = bareRequests(emulator);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    emulator.log.keepEntries = false;
    return lines.length;
  },
  clear() {
    received.clear();
    emulator.log.clear();
    return null;
  },
};

process.on("message", (message: Order) => {
  process.send?.(reply(message));
});
process.on("disconnect", () => process.exit());
process.send?.({ id: 0, done: null } satisfies Reply);

/** What is to be moved and is no object of the first four kinds. */
function besides(objects: Content["objects"]): number {
  if (typeof objects !== "object") return 0;
  if ("rows" in objects) return objects.rows;
  if ("records" in objects) return objects.records;
  return "columns" in objects ? objects.columns : 0;
}

function reply({ id, name, argument }: Order): Reply {
  try {
    const order = orders[name] as (argument: unknown) => unknown;
    return { id, done: order(argument) };
  } catch (error) {
    return { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
