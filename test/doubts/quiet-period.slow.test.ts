import { describe, expect, it } from "vitest";
import { seedTerm } from "../diff/support/content.ts";
import { apply, stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editTerm } from "../diff/support/web.ts";
import { applyWith, killedAt, lose, routes, terms } from "./support.ts";

const late = { type: "late-commit", ms: 120 } as const;
const quiet = { ...terms, limits: { quietPeriodMs: 450 } };
const anHour = 3_600_000;

describe("the quiet period", () => {
  it("holds for a patch that was under way when its run was killed", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "first" });
    lose(at, routes.patchTerm, late);
    await killedAt(at, quiet, "send:after");
    editTerm(at.source, urn, { description: "second" });
    const done = await apply(at, quiet, { verify: true });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("second");
  });

  it("is not shortened by a clock that somebody sets forward", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, late);
    let ahead = 0;
    const done = await applyWith(at, quiet, {
      now: () => Date.now() + ahead,
      hooks: { reached: (point) => void (point === "outcome:after" && (ahead = anHour)) },
    });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });

  it.each([
    ["between two runs", "outcome:after", 0],
    ["when the second run has begun to look", "send:after", 1],
    ["when the second run has looked", "send:after", 2],
  ] as const)("is not shortened by a clock that is set forward %s", async (_when, point, looks) => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, late);
    await killedAt(at, quiet, point);
    const { log } = at.world.emulator;
    const listing = { tenant: "prod", route: "GET /api/catalog/v1/terms" };
    const done = await applyWith(at, quiet, {
      now: () => Date.now() + (log.count(listing) >= looks ? anHour : 0),
    });
    await at.world.emulator.idle();
    expect(done.exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });
});
