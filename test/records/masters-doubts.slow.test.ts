import { describe, expect, test } from "vitest";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { allOr, isWhole } from "../support/whole.ts";
import { author, authored, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { diesAt, losses, untilDone } from "./support.ts";

const codes = Array.from({ length: 130 }, (_, index) => `C${index}`);

async function filled(some: readonly string[]): Promise<Stage> {
  const here = await stage([{ ...segment, activity: true }], true);
  for (const code of some) {
    const row = author(here.dev, { cmo_code: code, cmo_name: `Name of ${code}` });
    if (code.endsWith("1")) books.setActivity(here.dev, row, false);
  }
  author(here.prod, { cmo_code: "C0", cmo_name: "old" });
  author(here.prod, { cmo_code: "X", cmo_name: "only here" });
  return here;
}

const deleting = (here: Stage) => async () => here.apply({ allowDelete: true });

/** By the books of the server: each once, as at the source. */
async function expectOnce(here: Stage, some: readonly string[]): Promise<void> {
  expect(here.prod.masters("segment")?.size).toBe(some.length);
  expect(authored(here.prod)).toEqual(authored(here.dev));
  here.made.emulator.log.clear();
  expect((await here.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(here.writes()).toBe(0);
}

describe.each(allOr(["POST", "PUT", "DELETE"] as const, (method) => method === "POST"))(
  "an answer to %s that is lost",
  (method) => {
    test.each(losses)("%s: each master is there once", async (_, effect) => {
      const some = codes.slice(0, 6);
      const here = await filled(some);
      here.made.emulator.faults.add({
        match: { method, path: "/^\\/api\\/rest\\/master\\/codes\\/segment(?!\\/search)/" },
        when: { times: 2 },
        effect,
      });
      expect((await untilDone(deleting(here))).at(-1)).toBe(exitCodes.done);
      await expectOnce(here, some);
    });
  },
);

test("a create whose answer was lost, and that somebody has changed since, is for a person; nothing is sent again", async () => {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "A", cmo_name: "a" });
  here.made.emulator.faults.add({
    match: { method: "POST", path: "/segment$/" },
    when: { times: 1 },
    effect: { type: "drop-after-commit" },
  });
  const hooks = {
    reached(at: string): void {
      if (at !== "outcome:after") return;
      const [there] = books.findMasters(here.prod, "segment", "cmo_code", "A");
      if (there !== undefined) books.writeMaster(here.prod, there, { cmo_name: "somebody's" });
    },
  };
  const result = await here.apply({}, { hooks });
  expect([result.exitCode, result.summary.inDoubt]).toEqual([exitCodes.inDoubt, 1]);
  expect(result.changes[0]?.diagnostics[0]?.summary).toMatch(
    /^the row A: record \d+ at the target has its key and another cmo_name$/,
  );
  here.made.emulator.log.clear();
  expect((await here.apply()).exitCode).toBe(exitCodes.inDoubt);
  expect([here.writes(), here.prod.masters("segment")?.size]).toEqual([0, 1]);
  const decision = { decision: "abandon", source: "master-data:codes/segment" } as const;
  await resolveDoubts(here.made.migration({}, { plan: here.plan }), { decisions: [decision] });
  // Nobody goes on with it: it is as it stands there, at first contact.
  expect((await here.diff()).summary).toMatchObject({ create: 0, update: 1, blocked: 0 });
});

const mostDeaths = isWhole ? 8 : 3;

test.each(
  allOr(
    ["intent:before", "intent:after", "send:after", "outcome:before", "outcome:after"] as const,
    (point) => point === "intent:after",
  ),
)("a run that dies at %s, each time it comes by, leaves each master once", async (point: EnginePoint) => {
  let deaths = 0;
  for (let nth = 1; nth <= mostDeaths; nth += 1) {
    const here = await filled(codes);
    const isDead = await diesAt(point, nth, (hooks) => here.apply({ allowDelete: true }, { hooks }));
    if (isDead === undefined) break;
    expect(isDead).toBe(true);
    deaths += 1;
    expect((await untilDone(deleting(here))).at(-1)).toBe(exitCodes.done);
    await expectOnce(here, codes);
  }
  expect(deaths).toBeGreaterThanOrEqual(3);
});

test.each(["POST", "PUT"] as const)(
  "what died between a %s and the activity that belongs to it goes on",
  async (method) => {
    const here = await stage([{ ...segment, activity: true }]);
    const row = author(here.dev, { cmo_code: "A", cmo_name: "new" });
    books.setActivity(here.dev, row, false);
    if (method === "PUT") {
      author(here.prod, { cmo_code: "A", cmo_name: "old" });
    }
    here.made.emulator.faults.add({
      match: { path: "/deactivate$/" },
      when: { times: 1 },
      effect: { type: "status", code: 403 },
    });
    expect((await here.apply()).exitCode).not.toBe(exitCodes.done);
    expect(authored(here.prod)).toMatchObject({ A: { cmo_name: "new", active: true } });
    expect((await untilDone(deleting(here))).at(-1)).toBe(exitCodes.done);
    await expectOnce(here, ["A"]);
  },
);
