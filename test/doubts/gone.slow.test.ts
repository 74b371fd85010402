import { describe, expect, it } from "vitest";
import type { PlanChanges } from "../support/world.ts";
import { seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitors } from "../diff/support/monitors.ts";
import { apply, expectAtRest, expectChange } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editMonitor, removeMonitor } from "../diff/support/web.ts";
import { foreign, killedAt, partNames, terms } from "./support.ts";

const both: PlanChanges = { select: { kinds: ["terms", "rules", "monitors"] } };
const create = "POST terms/bulk";

interface Interrupted {
  readonly what: string;
  readonly kill: readonly ["send:after" | "intent:before", number];
}

const interrupted: readonly Interrupted[] = [
  { what: "a patch that nobody knows the outcome of", kill: ["send:after", 1] },
  { what: "a patch that nobody came to publish", kill: ["intent:before", 2] },
  { what: "a publish that nobody knows the outcome of", kill: ["send:after", 2] },
];

/** A monitor that gets a part, its change interrupted, and something new to do that has nothing to do with it. */
async function left({ kill: [point, nth] }: Interrupted): Promise<Awaited<ReturnType<typeof movedMonitor>>> {
  const moved = await movedMonitor();
  const { at, urn } = moved;
  editMonitor(at.source, urn, foreign);
  await killedAt(at, monitors, point, nth);
  seedTerm(at.source, "One");
  return moved;
}

describe.each(interrupted)("$what", (state) => {
  it("of a monitor that is gone does not stop what else there is to do", async () => {
    const { at, urn, twin } = await left(state);
    removeMonitor(at.target, twin);
    for (const writes of [[create], []]) {
      const done = await apply(at, both);
      expect(done.exitCode).toBe(4);
      expect(written(at.world)).toEqual(writes);
      expectChange(done, urn, "manual", "its twin was removed at the target");
    }
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });

  it("does not stop a run that does not read monitors, and is finished by one that does", async () => {
    const { at, twin } = await left(state);
    const part = await apply(at, terms);
    expect([0, 4]).toContain(part.exitCode);
    expect(part.diagnostics).toEqual([]);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
    expect(written(at.world)).toEqual([create]);

    expect((await apply(at, both)).exitCode).toBe(0);
    expect(partNames(at.target.body(twin)["exportDefinitions"])).toEqual(["Invalid rows", "Theirs"]);
    await expectAtRest(at, both);
  });

  it("of a monitor that is gone does not stop a run that does not read monitors", async () => {
    const { at, twin } = await left(state);
    removeMonitor(at.target, twin);
    const part = await apply(at, terms);
    expect([0, 4]).toContain(part.exitCode);
    expect(part.diagnostics).toEqual([]);
    expect(written(at.world)).toEqual([create]);
  });
});
