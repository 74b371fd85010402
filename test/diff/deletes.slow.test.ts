import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FaultEffect } from "../../src/emulator/index.ts";
import type { Surroundings } from "../support/world.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { ServiceError } from "../../src/service/index.ts";
import { createSnapshot, openSnapshot } from "../../src/store/files/index.ts";
import type { Selection } from "../../src/model/plan.ts";
import type { Urn } from "../../src/model/urn.ts";
import { configurePrimary, seedDashboard, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { writes, written } from "./support/log.ts";
import { address } from "./support/monitors.ts";
import {
  apply,
  changeOf,
  diff,
  entryOf,
  expectAtRest,
  expectChange,
  refusal,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { editMonitor, editTerm, removeItem, removeMonitor, removeRule, removeTerm } from "./support/web.ts";

const all = { select: { kinds: ["terms", "rules", "monitors", "dashboards"] } };
const allowDelete = { allowDelete: true };

interface Moved {
  readonly at: Stage;
  readonly rule: Urn;
  readonly monitor: Urn;
  readonly term: Urn;
}

/** Two of each, one of which will go. */
async function moved(surroundings: Surroundings = {}): Promise<Moved> {
  const at = await stage(surroundings);
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  const term = seedTerm(at.source, "Customer");
  const kept = seedRule(at.source, "Phone");
  seedMonitor(at.source, kept, "Calls");
  seedTerm(at.source, "Order");
  await apply(at, all);
  return { at, rule, monitor, term };
}

function dropAll({ at, rule, monitor, term }: Moved): void {
  removeMonitor(at.source, monitor);
  removeRule(at.source, rule);
  removeTerm(at.source, term);
}

describe("what is gone at the source", () => {
  it("is withheld without allowDelete, run after run, and named", async () => {
    const moved_ = await moved();
    const { at } = moved_;
    dropAll(moved_);
    for (let run = 0; run < 2; run += 1) {
      const done = await apply(at, all);
      expect(done.changes.map(({ kind, action, outcome }) => [kind, action, outcome])).toEqual([
        ["terms", "delete", "withheld"],
        ["rules", "delete", "withheld"],
        ["monitors", "delete", "withheld"],
      ]);
      expect(written(at.world)).toEqual([]);
      expect(done.next?.join()).toContain("--allow-delete");
    }
  });

  it("is deleted with it: last, and what refers to another before that one", async () => {
    const moved_ = await moved();
    const { at, rule, monitor } = moved_;
    const twins = { rule: await twinOf(at, rule), monitor: await twinOf(at, monitor) };
    dropAll(moved_);
    seedTerm(at.source, "New");
    const fresh = seedRule(at.source, "New");
    seedMonitor(at.source, fresh, "New");
    const done = await apply(at, all, allowDelete);
    expect(done.exitCode).toBe(0);
    const routes = written(at.world);
    const creates = routes.filter((route) => route.startsWith("POST"));
    expect(routes.slice(0, creates.length)).toEqual(creates);
    const deletes = routes.slice(creates.length);
    expect([...deletes].sort()).toEqual(
      [`DELETE ${address}`, "DELETE rules/:urn", "DELETE terms/:urn"].sort(),
    );
    expect(deletes.indexOf(`DELETE ${address}`)).toBeLessThan(deletes.indexOf("DELETE rules/:urn"));
    expect(at.target.tenant.rules.has(twins.rule)).toBe(false);
    expect(at.target.tenant.monitors.has(twins.monitor)).toBe(false);
    for (const source of [rule, monitor]) expect(await entryOf(at, source)).toBeUndefined();
    await expectAtRest(at, all, allowDelete);
  });

  it("goes after the update that lets go of it", async () => {
    const { at, rule, monitor } = await moved();
    const other = at.source.rule("Phone");
    const body = JSON.stringify(at.source.body(monitor))
      .replaceAll(rule, other)
      .replaceAll(at.source.part(rule, "email"), at.source.part(other, "email"))
      .replaceAll(at.source.part(rule, "pattern"), at.source.part(other, "pattern"));
    at.source.tenant.monitors.put({ urn: monitor, published: JSON.parse(body) as never, draftType: "NONE" });
    removeRule(at.source, rule);
    const done = await apply(at, all, allowDelete);
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual([`PATCH ${address}`, `POST ${address}/publish`, "DELETE rules/:urn"]);
    await expectAtRest(at, all, allowDelete);
  });

  it("is left when what refers to it could not be deleted", async () => {
    const { at, rule, monitor } = await moved();
    const twin = await twinOf(at, rule);
    removeMonitor(at.source, monitor);
    removeRule(at.source, rule);
    at.world.emulator.faults.add({
      match: { tenant: "prod", method: "DELETE", path: "/api/data-quality/v1/catalog-items/" },
      effect: { type: "status", code: 409 },
    });
    const done = await apply(at, all, allowDelete);
    expect(changeOf(done, monitor)?.outcome).toBe("failed");
    expect(changeOf(done, rule)?.outcome).toBe("blocked");
    expect(done.exitCode).toBe(4);
    expect(at.target.tenant.rules.has(twin)).toBe(true);
  });
});

describe("maxDeletes", () => {
  it("refuses everything when more would be deleted", async () => {
    const moved_ = await moved();
    const { at } = moved_;
    dropAll(moved_);
    seedTerm(at.source, "New");
    const refused = await refusal(async () => apply(at, all, { ...allowDelete, maxDeletes: 2 }));
    expect(refused.code).toBe("too-many-deletes");
    expect(refused.message).toContain("3 deletes");
    expect(written(at.world)).toEqual([]);
  });

  it("lets as many through as it says", async () => {
    const moved_ = await moved();
    dropAll(moved_);
    const done = await apply(moved_.at, all, { ...allowDelete, maxDeletes: 3 });
    expect(done.exitCode).toBe(0);
    expect(written(moved_.at.world)).toHaveLength(3);
  });
});

describe("a source that was emptied", () => {
  const many = async (): Promise<Stage> => {
    const at = await stage();
    for (let number = 0; number < 11; number += 1) seedTerm(at.source, `Term ${number}`);
    await apply(at, all);
    for (const { urn } of [...at.source.tenant.terms.values()].slice(0, 10)) removeTerm(at.source, urn);
    return at;
  };

  it("empties the target where somebody has said how many, and not before", async () => {
    const at = await many();
    const refused = await refusal(async () => apply(at, all, allowDelete));
    expect([refused.code, refused.message]).toEqual([
      "too-many-deletes",
      expect.stringMatching(
        /^10 of 15 objects that were moved would be deleted, since they are gone at dev: is .* as it should be\? \(nothing was written\)/,
      ),
    ]);
    expect(written(at.world)).toEqual([]);
    const done = await apply(at, all, { ...allowDelete, maxDeletes: 10 });
    expect([done.exitCode, at.target.tenant.terms.size]).toEqual([0, 1]);
  });

  it("is told, and nothing else, where deletes are not allowed", async () => {
    const at = await many();
    const told = await apply(at, all);
    expect(told.changes.filter(({ outcome }) => outcome === "withheld")).toHaveLength(10);
  });
});

describe("never deleted", () => {
  it("is what this tool neither created nor adopted", async () => {
    const at = await stage();
    seedRule(at.target, "Theirs");
    seedTerm(at.target, "Theirs");
    seedMonitor(at.target, at.target.rule("Theirs"), "Theirs");
    await expectAtRest(at, all, allowDelete);
    expect(at.target.rule("Theirs")).toBeTruthy();
  });

  it("is a primary monitor, even when its item is gone at the source", async () => {
    const at = await stage();
    configurePrimary(at.source, "CUSTOMER", { schedule: { cronExpression: "0 0 5 * * ?", enabled: true } });
    await apply(at, all);
    removeItem(at.source, at.source.item("CUSTOMER"));
    await expectAtRest(at, all, allowDelete);
    expect(at.target.body(at.target.primary("CUSTOMER"))).toMatchObject({ schedule: { enabled: true } });
  });

  it("is a dashboard: the service offers no way", async () => {
    const at = await stage();
    const urn = seedDashboard(at.source, "Overview");
    await apply(at, all);
    at.source.tenant.dashboards.delete(urn);
    const done = await apply(at, all, allowDelete);
    expect(
      expectChange(done, urn, "manual", "no way to delete one").diagnostics.map(({ code }) => code),
    ).toEqual(["orphan"]);
    expect(written(at.world)).toEqual([]);
  });

  it("is what was changed at the target since", async () => {
    const { at, monitor, rule } = await moved();
    editMonitor(at.target, (await twinOf(at, monitor)) as Urn, { name: "Theirs now" });
    removeMonitor(at.source, monitor);
    const done = await apply(at, all, allowDelete);
    expectChange(done, monitor, "manual", "it was changed at the target since the last apply");
    expect(changeOf(done, rule)).toBeUndefined();
    expect(written(at.world)).toEqual([]);
  });

  it("is an adopted object before it was adopted, but afterwards it may be", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    const twin = seedTerm(at.target, "Customer");
    await apply(at, all, allowDelete);
    expect(writes(at.world)).toEqual([]);
    removeTerm(at.source, urn);
    expectChange(await diff(at, all), urn, "delete", "it is gone at the source");
    await apply(at, all, allowDelete);
    expect(at.target.tenant.terms.has(twin)).toBe(false);
  });
});

describe("a selection", () => {
  const selections: readonly { readonly what: string; readonly select: Partial<Selection> }[] = [
    { what: "of other kinds", select: { kinds: ["terms"], exclude: [{ kind: "terms", name: "Customer" }] } },
    {
      what: "that includes others by name",
      select: {
        ...all.select,
        include: ["rules", "monitors", "terms"].map((kind) => ({
          kind,
          name: kind === "rules" ? "Phone" : kind === "monitors" ? "Calls" : "Order",
        })),
      },
    },
    {
      what: "that pulls rules in as dependencies only",
      select: {
        kinds: ["monitors"],
        include: [{ kind: "monitors", name: "Calls" }],
        dependencies: "include",
      },
    },
  ];

  it.each(selections)("$what does not speak for what it leaves out", async ({ select }) => {
    const moved_ = await moved();
    const { at } = moved_;
    if (select.exclude === undefined) dropAll(moved_);
    else {
      removeMonitor(at.source, moved_.monitor);
      removeRule(at.source, moved_.rule);
    }
    const done = await apply(at, { select }, allowDelete);
    expect(done.changes).toEqual([]);
    expect(written(at.world)).toEqual([]);
    expect(at.target.rule("Email")).toBeTruthy();
  });
});

describe("two terms that refer to each other and are gone at the source", () => {
  it("are deleted, and the run rests", async () => {
    const at = await stage();
    const one = seedTerm(at.source, "One");
    const other = seedTerm(at.source, "Other", { extraProperties: { relatedTerms: [one] } });
    editTerm(at.source, one, { extraProperties: { relatedTerms: [other] } });
    await apply(at, all);
    const twins = [at.target.term("One"), at.target.term("Other")] as const;
    expect(at.target.body(twins[0])["extraProperties"]).toEqual({ relatedTerms: [twins[1]] });
    expect(at.target.body(twins[1])["extraProperties"]).toEqual({ relatedTerms: [twins[0]] });
    removeTerm(at.source, other);
    removeTerm(at.source, one);
    const done = await apply(at, all, allowDelete);
    expect(done.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["delete", "done"],
      ["delete", "done"],
    ]);
    expect(done.exitCode).toBe(0);
    expect(at.target.tenant.terms.size).toBe(0);
  });
});

describe("what something at the target still refers to", () => {
  it("is not deleted, and says by whom", async () => {
    const at = await stage();
    const gone = seedTerm(at.source, "Gone");
    const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [gone] } });
    await apply(at, all);
    const twins = { gone: at.target.term("Gone"), user: at.target.term("User") };
    // Somebody changed it at the target, so that the update that lets go of the other one is a conflict.
    editTerm(at.target, twins.user, { description: "theirs" });
    editTerm(at.source, user, { extraProperties: { relatedTerms: [] } });
    removeTerm(at.source, gone);
    const done = await apply(at, all, allowDelete);
    expect(done.changes.map(({ action, reason }) => [action, reason])).toEqual([
      ["conflict", "it changed on both sides since the last apply"],
      ["manual", 'it is gone at the source, but terms "User" at the target still refers to it'],
    ]);
    expect(written(at.world)).toEqual([]);
    expect(at.target.tenant.terms.has(twins.gone)).toBe(true);
  });

  it("stays when the update that lets go of it fails", async () => {
    const at = await stage();
    const gone = seedTerm(at.source, "Gone");
    const user = seedTerm(at.source, "User", { extraProperties: { relatedTerms: [gone] } });
    await apply(at, all);
    editTerm(at.source, user, { extraProperties: { relatedTerms: [] } });
    removeTerm(at.source, gone);
    at.world.emulator.faults.add({
      match: { tenant: "prod", method: "PATCH" },
      effect: { type: "status", code: 400 },
    });
    const done = await apply(at, all, allowDelete);
    expect(done.changes.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["update", "failed"],
      ["delete", "blocked"],
    ]);
    expect(at.target.tenant.terms.size).toBe(2);
    at.world.emulator.faults.clear();
    expect((await apply(at, all, allowDelete)).exitCode).toBe(0);
    expect(at.target.tenant.terms.size).toBe(1);
  });
});

describe("a listing that cannot be trusted", () => {
  const effects: readonly FaultEffect[] = [
    { type: "status", code: 403 },
    { type: "status", code: 404 },
    { type: "status", code: 400 },
    { type: "garbage" },
    { type: "truncate" },
    { type: "repeat-cursor" },
  ];
  const cases = ["dev", "prod"].flatMap((tenant) =>
    effects.map((effect) => ({ tenant, effect, said: JSON.stringify(effect) })),
  );

  it.each(cases)("of $tenant ($said) deletes nothing", async ({ tenant, effect }) => {
    const at = await stage();
    const urns = Array.from({ length: 104 }, (_, index) => seedTerm(at.source, `Term ${index}`));
    await apply(at, all);
    for (const urn of urns.slice(0, 3)) removeTerm(at.source, urn);
    at.world.emulator.faults.add({ match: { tenant, method: "GET", path: "/api/catalog/v1/terms" }, effect });
    // What is worth another try is tried again for minutes: the run is stopped after the second try.
    const stop = new AbortController();
    let tries = 0;
    at.world.emulator.on(({ phase, entry }) => {
      if (phase === "answered" && entry.fault !== undefined && (tries += 1) > 1) stop.abort();
    });
    at.world.emulator.log.clear();
    const migration = at.world.migration(all, { stop: stop.signal });
    await expect(applyPlan(migration, { confirm: async () => true, ...allowDelete })).rejects.toBeInstanceOf(
      ServiceError,
    );
    expect(tries).toBeGreaterThan(0);
    expect(writes(at.world)).toEqual([]);
    expect(at.target.tenant.terms.size).toBe(104);
  });

  it("in a snapshot that says it is incomplete deletes nothing", async () => {
    const moved_ = await moved({ kept: "files" });
    const { at } = moved_;
    dropAll(moved_);
    await diff(at, all);
    const migration = at.world.migration(all);
    const whole = await openSnapshot(at.world.places(all).snapshot);
    const folder = join(at.world.folder, "partial");
    const { party, at: time } = whole.manifest;
    const writer = await createSnapshot(folder, { tool: migration.tool, party, at: time });
    for (const kind of whole.kinds()) for (const object of whole.stream(kind)) await writer.add(kind, object);
    const kinds = Object.fromEntries(whole.kinds().map((kind) => [kind, { complete: false }]));
    await writer.finish({ kinds, notes: whole.manifest.notes });
    whole.close();
    const done = await apply(at, all, { ...allowDelete, snapshot: folder });
    expect(done.changes).toEqual([]);
    expect(written(at.world)).toEqual([]);
  });
});
