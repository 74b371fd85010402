import { describe, expect, test } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { wasKnownAs } from "../../src/engine/facets/known-before.ts";
import { monitors as kind } from "../../src/kinds/monitors.ts";
import { fingerprint } from "../../src/model/canonical.ts";
import type { Urn } from "../../src/model/urn.ts";
import { rollback } from "../operations/rollback/support.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { plan } from "./support/monitors.ts";
import { apply, expectAtRest, type Stage, stage } from "./support/run.ts";
import type { Side } from "./support/side.ts";
import { editMonitor, removeMonitor } from "./support/web.ts";

/** A service that keeps the start of a schedule in its own form: in UTC, with thousandths. */

const start = "2026-12-01T00:00:00+02:00";
const kept = "2026-11-30T22:00:00.000Z";

function inItsForm<Body extends JsonObject>(body: Body): Body {
  const schedule = child(body, "schedule");
  const startAt = schedule?.["startAt"];
  if (typeof startAt !== "string") return body;
  return { ...body, schedule: { ...schedule, startAt: new Date(startAt).toISOString() } };
}

function keepingItsForm({ tenant: { monitors } }: Side): void {
  const put = monitors.put.bind(monitors);
  monitors.put = ({ published, draft, ...monitor }) =>
    put({
      ...monitor,
      ...(published === undefined ? {} : { published: inItsForm(published) }),
      ...(draft === undefined ? {} : { draft: inItsForm(draft) }),
    });
}

async function withMonitor(startAt?: string): Promise<Stage & { readonly urn: Urn }> {
  const at = await stage();
  const urn = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  if (startAt !== undefined) editMonitor(at.source, urn, { schedule: { startAt } });
  keepingItsForm(at.target);
  return { ...at, urn };
}

function startThere({ target }: Stage): unknown {
  return child(target.body(target.monitor("Customers")), "schedule")?.["startAt"];
}

function loseAnswer({ world }: Stage, route: string): void {
  world.emulator.faults.add({
    match: { tenant: "prod", route },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
}

test("a start that changes is brought, and published", async () => {
  const at = await withMonitor();
  await apply(at, plan);
  editMonitor(at.source, at.urn, { schedule: { startAt: start } });
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(startThere(at)).toBe(kept);
  await expectAtRest(at, plan);
});

test.each([
  ["creation", "POST /api/data-quality/v1/dq-monitors/batch/create"],
  ["change", "PATCH /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor"],
])("a %s whose answer was lost is known again", async (what, route) => {
  const at = await withMonitor(what === "creation" ? start : undefined);
  if (what === "change") {
    await apply(at, plan);
    editMonitor(at.source, at.urn, { schedule: { startAt: start } });
  }
  loseAnswer(at, route);
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(startThere(at)).toBe(kept);
  await expectAtRest(at, plan);
});

describe("nobody has changed it there", () => {
  test("when it is gone at the source: it is deleted", async () => {
    const at = await withMonitor(start);
    await apply(at, plan);
    removeMonitor(at.source, at.urn);
    expect((await apply(at, plan, { allowDelete: true })).exitCode).toBe(0);
    expect(() => at.target.monitor("Customers")).toThrow();
  });

  test("when a run is taken back", async () => {
    const at = await withMonitor();
    await apply(at, plan);
    const before = startThere(at);
    editMonitor(at.source, at.urn, { schedule: { startAt: start } });
    await apply(at, plan);
    expect((await rollback(at, plan)).exitCode).toBe(0);
    expect(startThere(at)).toBe(before);
  });

  test("since a version that went by how it is written", () => {
    const body = { name: "Customers", schedule: { startAt: start } };
    const { instants: _by, ...shape } = kind.shape;
    const isKnown = (print: string): boolean => wasKnownAs(kind, body, print, () => undefined);
    expect(isKnown(fingerprint(body, shape))).toBe(true);
    expect(isKnown(fingerprint({ ...body, schedule: { startAt: kept } }, shape))).toBe(false);
  });
});
