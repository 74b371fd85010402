import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import type { Urn } from "../../src/model/urn.ts";
import { stopAfter } from "../diff/support/approved.ts";
import { seedFolder, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { movedMonitor, plan as monitors } from "../diff/support/monitors.ts";
import type { Stage } from "../diff/support/run.ts";
import { apply, diff, expectAtRest, expectChange, refusal, stage, twinOf } from "../diff/support/run.ts";
import {
  addInput,
  mapInput,
  moved,
  movedWithPhone,
  refuseMonitors,
  replaceInput,
  takeOutInput,
} from "../diff/support/inputs.ts";
import { bare, seedTable, writeOver } from "../diff/support/metadata.ts";
import { editItem, seedProduct, seedSqlItem } from "../kinds/support/catalog.ts";
import { names, type Side, wanted } from "../diff/support/side.ts";
import { editMonitor, editTerm, removeRule, removeTerm } from "../diff/support/web.ts";
import type { PlanChanges, WorldOptions } from "../support/world.ts";
import { applyWith, killedAt, terms } from "./support.ts";

describe("an approved diff that was interrupted", () => {
  const mine = { name: "mine", select: { kinds: ["terms", "rules"] }, limits: { concurrency: 1 } };
  const other = { name: "other", select: { kinds: ["dashboards"] } };

  it.each([{ times: 0 }, { times: 1 }, { times: 2 }])(
    "can be continued after another plan of the same pair ran $times times",
    async ({ times }) => {
      const at = await stage();
      seedTerm(at.source, "One");
      seedRule(at.source, "Email");
      const out = join(at.world.folder, "approved.json");
      await diff(at, mine, out);
      const stop = stopAfter(at, 1, "POST", "terms/bulk");
      expect((await applyWith(at, mine, { stop }, { diff: out })).exitCode).toBe(5);
      expect(written(at.world)).toEqual(["POST terms/bulk"]);
      for (let run = 0; run < times; run += 1) expect((await apply(at, other)).exitCode).toBe(0);

      expect((await apply(at, mine, { diff: out })).exitCode).toBe(0);
      expect(written(at.world)).toEqual(["POST rules/batch/create"]);
      expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
      expect(names(at.target.tenant.rules.values())).toEqual(["Email"]);
    },
  );
});

describe("a run that is not confirmed", () => {
  const confirm = async (): Promise<boolean> => false;

  it("says that nothing was written", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    const error = await refusal(async () => applyPlan(at.world.migration(terms), { confirm }));
    expect(error).toMatchObject({ code: "not-confirmed", message: "not confirmed; nothing was written" });
    expect(written(at.world)).toEqual([]);
  });

  it("publishes nothing of what an interrupted one left, either", async () => {
    const { at, urn, twin } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    await applyWith(at, monitors, { stop: stopAfter(at, 1, "PATCH") });
    seedRule(at.source, "Another");
    const error = await refusal(async () => applyWith(at, monitors, {}, { confirm }));
    expect(error).toMatchObject({ code: "not-confirmed", message: "not confirmed; nothing was written" });
    expect(at.target.body(twin)["name"]).not.toBe("Ours");
    expect(written(at.world)).toEqual([]);
  });
});

describe("what was first met by a run that died as it had written to it", () => {
  it("and which a colleague emptied before the next run looked, is told as changed there", async () => {
    const at = await stage();
    const plan = { select: { kinds: ["item-metadata"] } };
    for (const side of [at.source, at.target]) bare(side);
    const [item, twin] = [at.source, at.target].map((side) => seedTable(side, "TABLE"));
    writeOver(at.source, wanted(item, "table"), { description: "What is in it" });
    writeOver(at.target, wanted(twin, "table"), { extraProperties: { businessName: "Theirs" } });
    await killedAt(at, plan, "outcome:before");
    writeOver(at.target, wanted(twin, "table"), {
      description: null,
      extraProperties: { businessName: null },
    });
    const done = await apply(at, plan);
    expectChange(done, wanted(item, "table"), "drift", "it was changed at the target since the last apply");
    expect(done.exitCode).toBe(4);
    expect(written(at.world)).toEqual([]);
  });
});

const ahead = { now: (): number => Date.now() + 3_600_000 };

/** A run is killed, and its journal is not there until it is found again: elsewhere nothing is known of that run. */
async function lostAt(
  at: Stage,
  plan: PlanChanges,
  point: "mapping:before-rename" | "send:after",
  clock: Partial<typeof ahead> = {},
): Promise<() => void> {
  await killedAt(at, plan, point, 1, {}, clock);
  const { journal } = at.world.places(plan);
  const old = readFileSync(journal);
  rmSync(journal);
  return () => {
    writeFileSync(journal, old);
  };
}

describe("a journal that is found again beside a mapping of other machines", () => {
  /** A run has made the term and died; elsewhere the mapping went on without its journal, as version control has it. */
  async function found(elsewhere: (at: Stage, urn: Urn) => Promise<void>): Promise<{ at: Stage; urn: Urn }> {
    const at = await stage({ kept: "files" });
    const urn = seedTerm(at.source, "One");
    await killedAt(at, terms, "mapping:before-rename");
    const { journal } = at.world.places(terms);
    const old = readFileSync(journal);
    rmSync(journal);
    await apply(at, terms);
    await elsewhere(at, urn);
    writeFileSync(journal, old);
    return { at, urn };
  }

  it("tells no conflict where another run has changed the object since", async () => {
    const { at, urn } = await found(async (there, one) => {
      editTerm(there.source, one, { description: "second" });
      await apply(there, terms);
    });
    editTerm(at.source, urn, { description: "third" });
    expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    await expectAtRest(at, terms);
  });

  it("settles no change that another run has gone over since: what a colleague took back stays theirs", async () => {
    const at = await stage({ kept: "files" });
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "second" });
    await killedAt(at, terms, "send:after");
    const { journal } = at.world.places(terms);
    const old = readFileSync(journal);
    rmSync(journal);
    expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { unchanged: 1 } });
    editTerm(at.source, urn, { description: "third" });
    expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    writeFileSync(journal, old);

    const twin = (await twinOf(at, urn)) as Urn;
    editTerm(at.target, twin, { description: "second" });
    const done = await apply(at, terms);
    expectChange(done, urn, "drift", "it was changed at the target since the last apply");
    expect(at.target.body(twin)).toHaveProperty("description", "second");
  });

  it.each(["mapping:before-rename", "send:after"] as const)(
    "brings no pair back that a person has taken away since (killed at %s)",
    async (point) => {
      const at = await stage({ kept: "files" });
      const urn = seedTerm(at.source, "One");
      await apply(at, terms);
      const twin = (await twinOf(at, urn)) as Urn;
      editTerm(at.source, urn, { description: "second" });
      await killedAt(at, terms, point);
      const { journal } = at.world.places(terms);
      const old = readFileSync(journal);
      rmSync(journal);
      await removeMappings(at.world.migration(terms), [urn]);
      editTerm(at.target, twin, { name: "Theirs" });
      writeFileSync(journal, old);

      editTerm(at.source, urn, { description: "third" });
      expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { create: 1, drift: 0 } });
      expect(at.target.body(twin)).toMatchObject({ name: "Theirs", description: "second" });
      await expectAtRest(at, terms);
    },
  );

  it.each(["mapping:before-rename", "send:after"] as const)(
    "brings no pair back that a person had set and has taken away since (killed at %s)",
    async (point) => {
      const at = await stage({ kept: "files" });
      const plan: PlanChanges = { ...terms, policy: { conflict: "source-wins" } };
      const urn = seedTerm(at.source, "One");
      const theirs = seedTerm(at.target, "Theirs");
      await setMappings(at.world.migration(plan), [{ source: urn, target: theirs }]);
      await killedAt(at, plan, point);
      const { journal } = at.world.places(plan);
      const old = readFileSync(journal);
      rmSync(journal);
      await removeMappings(at.world.migration(plan), [urn]);
      editTerm(at.target, theirs, { name: "Theirs" });
      writeFileSync(journal, old);

      editTerm(at.source, urn, { description: "third" });
      expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
      expect(at.target.body(theirs)).toMatchObject({ name: "Theirs", description: "What One means" });
    },
  );

  it.each([
    ["mapping:before-rename", "is right", {}],
    ["send:after", "is right", {}],
    ["mapping:before-rename", "is ahead", ahead],
    ["send:after", "is ahead", ahead],
  ] as const)(
    "asks about what it has made where another run has made one as well since (killed at %s, its clock %s)",
    async (point, _clock, clock) => {
      const at = await stage({ kept: "files" });
      const plan: PlanChanges = { ...terms, policy: { adopt: "never" } };
      seedTerm(at.source, "Zero");
      await apply(at, plan);
      const urn = seedTerm(at.source, "One");
      const backAgain = await lostAt(at, plan, point, clock);
      const made = at.target.term("One");
      expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { create: 1 } });
      const twin = (await twinOf(at, urn)) as Urn;
      backAgain();

      expect((await resolveDoubts(at.world.migration(plan), { decisions: [] })).exitCode).toBe(6);
      const done = await apply(at, plan);
      expect(done.exitCode).toBe(6);
      expect(done.diagnostics.map(({ summary }) => summary).join()).toContain(
        `it was made (${made}), and by a later run elsewhere its twin is another one (${twin})`,
      );
      expect(await twinOf(at, urn)).toBe(twin);
      removeTerm(at.target, made);
      await expectAtRest(at, plan);
      expect(await twinOf(at, urn)).toBe(twin);
    },
  );

  it("leaves what a person has paired otherwise since", async () => {
    let former: Urn | undefined;
    const { at, urn } = await found(async (there, one) => {
      former = (await twinOf(there, one)) as Urn;
      const theirs = seedTerm(there.target, "Theirs");
      await removeMappings(there.world.migration(terms), [one]);
      await setMappings(there.world.migration(terms), [{ source: one, target: theirs }]);
    });
    editTerm(at.source, urn, { description: "second" });
    await apply(at, terms);
    expect(await twinOf(at, urn)).not.toBe(former);
    expect(at.target.body(wanted(former, "twin"))).toHaveProperty("description", "What One means");
    await expectAtRest(at, terms);
  });
});

describe("a journal of a machine whose clock is ahead, found again beside a mapping that went on elsewhere", () => {
  it("knows what another run has brought since: what a colleague makes of that is theirs", async () => {
    const at = await stage({ kept: "files" });
    const plan: PlanChanges = { ...terms, policy: { conflict: "source-wins" } };
    const urn = seedTerm(at.source, "One");
    await apply(at, plan);
    editTerm(at.source, urn, { description: "second" });
    const backAgain = await lostAt(at, plan, "mapping:before-rename", ahead);
    editTerm(at.source, urn, { description: "third" });
    expect(await apply(at, plan)).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    backAgain();

    const twin = (await twinOf(at, urn)) as Urn;
    editTerm(at.target, twin, { description: "theirs" });
    const done = await apply(at, plan);
    expectChange(done, urn, "drift", "it was changed at the target since the last apply");
    expect(at.target.body(twin)).toHaveProperty("description", "theirs");
  });
});

describe("a pair of a journal that is found again beside a mapping that went on elsewhere", () => {
  const never: PlanChanges = { ...terms, policy: { adopt: "never" } };

  /** A person pairs while an interrupted run waits; elsewhere the mapping goes on without its journal, until that is found again. */
  async function found(
    at: Stage,
    plan: PlanChanges,
    pair: (clock: WorldOptions) => Promise<unknown>,
    clock: WorldOptions = {},
  ): Promise<() => void> {
    seedTerm(at.source, "Another");
    await killedAt(at, plan, "intent:after", 1, {}, clock);
    await pair(clock);
    const { journal } = at.world.places(plan);
    const old = readFileSync(journal);
    rmSync(journal);
    return () => {
      writeFileSync(journal, old);
    };
  }

  it.each([
    ["is right", {}],
    ["is ahead", ahead],
  ] as const)(
    "does not take the place of what a run has known of it since (its clock %s)",
    async (_clock, clock) => {
      const at = await stage({ kept: "files" });
      const urn = seedTerm(at.source, "One");
      const theirs = seedTerm(at.target, "Theirs");
      const only: PlanChanges = {
        select: { kinds: ["terms"], include: [{ kind: "terms", name: "Another" }] },
      };
      const set = async (by: WorldOptions): Promise<unknown> =>
        setMappings(at.world.migration(only, by), [{ source: urn, target: theirs }]);
      const backAgain = await found(at, only, set, clock);
      expect((await apply(at, terms)).exitCode).toBe(0);
      editTerm(at.target, theirs, { description: "theirs" });
      backAgain();
      const done = await apply(at, terms);
      expectChange(done, urn, "drift", "it was changed at the target since the last apply");
      expect(at.target.body(theirs)).toHaveProperty("description", "theirs");
    },
  );

  it.each([
    ["is right", {}],
    ["is ahead", ahead],
  ] as const)(
    "that was taken away does not take away the one that came after it (its clock %s)",
    async (_clock, clock) => {
      const at = await stage({ kept: "files" });
      const urn = seedTerm(at.source, "One");
      await apply(at, never);
      const remove = async (by: WorldOptions): Promise<unknown> =>
        removeMappings(at.world.migration(never, by), [urn]);
      const backAgain = await found(at, never, remove, clock);
      expect(await apply(at, never)).toMatchObject({ exitCode: 0, summary: { create: 2 } });
      const twin = await twinOf(at, urn);
      backAgain();
      await apply(at, never);
      expect(await twinOf(at, urn)).toBe(twin);
      expect(names(at.target.tenant.terms.values())).toEqual(["Another", "One", "One"]);
    },
  );

  it("of an SQL item, which is known as one since, does not count as another one", async () => {
    const at = await stage({ kept: "files" });
    const queries = { pairing: { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] } };
    const plan: PlanChanges = { select: { kinds: ["terms", "folders", "sql-items"] }, ...queries };
    seedFolder(at.source, "F");
    seedFolder(at.target, "F");
    const urn = seedSqlItem(at.source, "View", at.source.folder("F"));
    const theirs = seedSqlItem(at.target, "View", at.target.folder("F"), { description: "before" });
    const set = async (by: WorldOptions): Promise<unknown> =>
      setMappings(at.world.migration(terms, by), [{ source: urn, target: theirs }]);
    const backAgain = await found(at, terms, set);
    expect((await apply(at, plan)).exitCode).toBe(0);
    editItem(at.target, theirs, { description: "theirs" });
    backAgain();
    const done = await apply(at, plan);
    expectChange(done, urn, "drift", "it was changed at the target since the last apply");
  });
});

describe("an SQL item that a killed run has made, and a person elsewhere has paired with another one since", () => {
  it("is asked about, and stays paired with that one", async () => {
    const at = await stage({ kept: "files" });
    const queries = { pairing: { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] } };
    const plan: PlanChanges = { select: { kinds: ["folders", "sql-items"] }, ...queries };
    seedFolder(at.source, "F");
    await apply(at, plan);
    const urn = seedSqlItem(at.source, "View", at.source.folder("F"));
    const backAgain = await lostAt(at, plan, "send:after");
    const theirs = seedSqlItem(at.target, "Theirs", at.target.folder("F"));
    await setMappings(at.world.migration(plan), [{ source: urn, target: theirs }]);
    backAgain();
    expect((await apply(at, plan)).exitCode).toBe(6);
    expect(await twinOf(at, urn)).toBe(theirs);
  });
});

describe("what a killed run has made, and a person has paired with another object of the source since", () => {
  const queries = { pairing: { queries: [{ pattern: "DEV_SALES", replace: "PROD_SALES" }] } };

  interface Way {
    readonly plan: PlanChanges;
    readonly seed: (side: Side, name: string) => Urn;
    readonly there: (side: Side) => Iterable<{ readonly urn: Urn }>;
  }

  // Before a run has seen them the last two go by other kinds than those that move them.
  const ways: readonly (Way & { readonly kind: string })[] = [
    { kind: "terms", plan: terms, seed: seedTerm, there: ({ tenant }) => tenant.terms.values() },
    {
      kind: "entities",
      plan: { select: { kinds: ["entities"], entityTypes: ["dataProduct"] } },
      seed: seedProduct,
      there: ({ tenant }) => tenant.entities.values(),
    },
    {
      kind: "sql-items",
      plan: { select: { kinds: ["folders", "sql-items"] }, ...queries },
      seed: (side, name) => seedSqlItem(side, name, side.folder("F")),
      there: ({ tenant }) => tenant.items.values(),
    },
  ];

  it.each(ways)(
    "is that one's, and the other one is made once more ($kind)",
    async ({ plan, seed, there }) => {
      const at = await stage();
      seedFolder(at.source, "F");
      await apply(at, plan);
      const before = new Set(Array.from(there(at.target), ({ urn }) => urn));
      const urn = seed(at.source, "Made");
      await killedAt(at, plan, "send:after");
      const made = wanted(
        Array.from(there(at.target)).find(({ urn: one }) => !before.has(one)),
        "made",
      ).urn;
      const other = seed(at.source, "Other");
      await setMappings(at.world.migration(plan), [{ source: other, target: made }]);

      const take = [{ decision: "take", source: urn, target: made }] as const;
      const error = await refusal(async () => resolveDoubts(at.world.migration(plan), { decisions: take }));
      expect(error.message).toContain(`${made} cannot be the twin of ${urn}: it is that of ${other}`);
      expect((await diff(at, plan)).changes).toContainEqual(
        expect.objectContaining({ action: "blocked", source: { urn, name: "Made" } }),
      );
      await apply(at, plan);
      expect(await twinOf(at, other)).toBe(made);
      expect(await twinOf(at, urn)).not.toBe(made);
    },
  );
});

describe("a run whose clock is behind that of the run before it", () => {
  const both: PlanChanges = {
    select: { kinds: ["rules", "terms"] },
    policy: { adopt: "never", missingTarget: "recreate" },
  };

  async function movedAhead(
    plan: PlanChanges,
    seed: (at: Stage) => readonly Urn[],
  ): Promise<{ at: Stage; urns: readonly Urn[] }> {
    const at = await stage({ kept: "files" });
    const urns = seed(at);
    await applyWith(at, plan, { now: () => Date.now() + 3_600_000 });
    return { at, urns };
  }

  it.each([1, 2])(
    "has made anew what it has made, also where it dies at file %i of the mapping",
    async (nth) => {
      const { at, urns } = await movedAhead(both, ({ source }) => [
        seedRule(source, "Email"),
        seedTerm(source, "One"),
      ]);
      const [rule, term] = urns as [Urn, Urn];
      removeRule(at.target, (await twinOf(at, rule)) as Urn);
      removeTerm(at.target, (await twinOf(at, term)) as Urn);
      await killedAt(at, both, "mapping:before-rename", nth);
      await expectAtRest(at, both);
      expect(at.target.tenant.counts()).toMatchObject({ rules: 1, terms: 1 });
    },
  );

  it("settles the change that it has in doubt, also where a person has paired another thing of that kind since", async () => {
    const { at, urns } = await movedAhead(terms, ({ source }) => [seedTerm(source, "One")]);
    const [urn] = urns as [Urn];
    editTerm(at.source, urn, { description: "second" });
    await killedAt(at, terms, "send:after");
    const [source, target] = [seedTerm(at.source, "Two"), seedTerm(at.target, "Two")];
    await setMappings(at.world.migration(terms), [{ source, target }]);
    editTerm(at.source, urn, { description: "third" });
    expect(await apply(at, terms)).toMatchObject({ exitCode: 0, summary: { update: 1, conflict: 0 } });
    await expectAtRest(at, terms);
  });
});

describe("a draft of a rule that an interrupted run left", () => {
  /** Its patch goes out, after the empty one that shows whether somebody has a draft. */
  const interruptedIn = async (at: Stage): Promise<void> => {
    expect((await applyWith(at, monitors, { stop: stopAfter(at, 2, "PATCH") })).exitCode).toBe(5);
    expect(written(at.world)).toEqual(["PATCH rules/:urn"]);
  };

  it("is not published while a colleague maps an input by now that it takes out", async () => {
    const at = await moved();
    addInput(at.source, at.rule, "phone");
    await apply(at, monitors);
    const theirs = seedMonitor(at.target, at.twin, "Theirs");
    takeOutInput(at.source, at.rule, "phone");
    await interruptedIn(at);
    const letGo = mapInput(at.target, theirs, at.target.part(at.twin, "phone"));
    const held = await apply(at, monitors);
    expect(held.exitCode).toBe(4);
    expect(held.diagnostics.map(({ summary }) => summary).join()).toContain(
      'takes out a part of it that monitors "Theirs" at the target refers to by now',
    );
    expect(written(at.world)).toEqual([]);
    letGo();
    expect((await apply(at, monitors)).exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST rules/:urn/publish"]);
    await expectAtRest(at, monitors);
  });

  it("is not published where nobody can look any more who maps that", async () => {
    const at = await moved();
    const rules: PlanChanges = { ...monitors, select: { kinds: ["rules"] } };
    addInput(at.source, at.rule, "phone");
    await apply(at, rules);
    takeOutInput(at.source, at.rule, "phone");
    expect((await applyWith(at, rules, { stop: stopAfter(at, 2, "PATCH") })).exitCode).toBe(5);
    refuseMonitors(at);
    const held = await apply(at, rules);
    expect(held.exitCode).toBe(4);
    expect(held.diagnostics.map(({ summary }) => summary).join()).toContain(
      "whether something at the target refers to that is not known: monitors and primary-monitors could not be read",
    );
    expect(written(at.world)).toEqual([]);
    at.world.emulator.faults.clear();
    expect((await apply(at, rules)).exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST rules/:urn/publish"]);
    await expectAtRest(at, rules);
  });

  it("is published before the monitor follows to the input that it has in that one's place", async () => {
    const at = await movedWithPhone();
    replaceInput(at);
    await interruptedIn(at);
    expect((await apply(at, monitors)).exitCode).toBe(0);
    await expectAtRest(at, monitors);
  });
});
