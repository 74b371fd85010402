import { describe, expect, it } from "vitest";
import {
  seedAssignment,
  seedDashboard as boardAt,
  seedDenylist,
  seedCatalogItem as itemAt,
  seedMonitor as monitorAt,
  seedPrimaryMonitor as primaryAt,
} from "../../src/emulator/seed.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { previewRollback } from "../../src/operations/rollback.ts";
import type { Urn } from "../../src/model/urn.ts";
import { rollback } from "../operations/rollback/support.ts";
import {
  configurePrimary,
  instanceOf,
  monitorBody,
  seedDashboard,
  seedFolder,
  seedMonitor,
  seedRule,
  seedTerm,
} from "./support/content.ts";
import { written } from "./support/log.ts";
import {
  apply,
  changeOf,
  diff,
  expectAtRest,
  expectChange,
  type Stage,
  stage,
  twinOf,
} from "./support/run.ts";
import { editMonitor, editTerm, removeItem, removeMonitor, removeRule, removeTerm } from "./support/web.ts";
import { seedSqlItem } from "../kinds/support/catalog.ts";

/** What people at the target have made of what this tool moved there: a reference from what no plan here selects. */

const terms = { select: { kinds: ["terms"] } };
const rules = { select: { kinds: ["rules"] } };
const monitors = { select: { kinds: ["rules", "monitors"] } };
const allowDelete = { allowDelete: true };

function attributeOf(side: Stage["target"]): NonNullable<ReturnType<typeof side.tenant.attributes.get>> {
  const attribute = side.tenant.attributes.get(side.attribute("CUSTOMER", "EMAIL"));
  if (attribute === undefined) throw new Error("there is no such attribute");
  return attribute;
}

function parentOf(side: Stage["target"]): Urn {
  const found = side.tenant.items.get(side.item("CUSTOMER"));
  if (found === undefined) throw new Error("there is no such item");
  return found.parentUrn;
}

function assign({ target }: Stage, term: Urn, source: "MANUAL" | "TERM_DETECTION"): void {
  const attribute = attributeOf(target);
  const termAssignments = [...attribute.termAssignments, { termUrn: term, source }];
  target.tenant.attributes.put({ ...attribute, termAssignments });
}

function relate(side: Stage["target"], kind: "term-assignments" | "term-denylist", term: Urn): void {
  if (kind === "term-assignments")
    seedAssignment(side.tenant, { attributeUrn: side.attribute("CUSTOMER", "EMAIL"), termUrn: term });
  else seedDenylist(side.tenant, { attributeUrn: side.attribute("CUSTOMER", "EMAIL"), termUrn: term });
}

interface Use {
  readonly what: string;
  readonly plan: object;
  /** Something at the source that is moved. */
  readonly seed: (at: Stage) => Urn;
  readonly drop: (at: Stage, urn: Urn) => void;
  /** What a colleague does with its twin. */
  readonly use: (at: Stage, twin: Urn) => void;
  readonly said: string;
}

const uses: readonly Use[] = [
  {
    what: "a term that a colleague assigned to an attribute",
    plan: terms,
    seed: ({ source }) => seedTerm(source, "Customer"),
    drop: ({ source }, urn) => removeTerm(source, urn),
    use: (at, twin) => assign(at, twin, "MANUAL"),
    said: 'term-assignments "EMAIL" at the target still refers to it',
  },
  {
    what: "a term that a colleague assigned to a table",
    plan: terms,
    seed: ({ source }) => seedTerm(source, "Customer"),
    drop: ({ source }, urn) => removeTerm(source, urn),
    use: ({ target }, twin) => {
      const item = target.tenant.items.get(target.item("CUSTOMER"));
      if (item !== undefined) target.tenant.items.put({ ...item, termUrns: [twin] });
    },
    said: 'catalog item "CUSTOMER" at the target still refers to it',
  },
  {
    what: "a term that another one names in its text",
    plan: terms,
    seed: ({ source }) => seedTerm(source, "Customer"),
    drop: ({ source }, urn) => removeTerm(source, urn),
    use: ({ target }, twin) => {
      const gid = twin.split(":").at(-1) ?? "";
      const text = [{ type: "p", children: [{ type: "entityReference", gid, children: [] }] }];
      seedTerm(target, "Theirs", { description: JSON.stringify(text) });
    },
    said: 'terms "Theirs" at the target still refers to it',
  },
  {
    what: "a rule that a monitor outside the selection uses",
    plan: rules,
    seed: ({ source }) => seedRule(source, "Email"),
    drop: ({ source }, urn) => removeRule(source, urn),
    use: ({ target }, twin) => void seedMonitor(target, twin, "Theirs"),
    said: 'monitors "Theirs" at the target still refers to it',
  },
  {
    what: "a rule that the primary monitor of a table uses",
    plan: rules,
    seed: ({ source }) => seedRule(source, "Email"),
    drop: ({ source }, urn) => removeRule(source, urn),
    use: ({ target }, twin) =>
      configurePrimary(target, "CUSTOMER", {
        manualRuleInstances: { theirs: instanceOf(target, twin, "Theirs") },
      }),
    said: 'primary-monitors "CUSTOMER (primary)" at the target still refers to it',
  },
  {
    what: "a rule that only a term brings to a monitor",
    plan: rules,
    seed: ({ source }) => seedRule(source, "Email"),
    drop: ({ source }, urn) => removeRule(source, urn),
    use: ({ target }, twin) => {
      const urn = target.primary("CUSTOMER");
      const row = target.tenant.monitors.get(urn);
      if (row?.published === undefined) throw new Error("there is no primary monitor");
      const termRuleInstances = { [target.tenant.newUuid()]: { ruleUrn: twin, terms: [] } };
      target.tenant.monitors.put({ ...row, published: { ...row.published, termRuleInstances } });
    },
    said: 'primary-monitors "CUSTOMER (primary)" at the target still refers to it',
  },
  {
    what: "a monitor that a colleague put on a dashboard",
    plan: monitors,
    seed: ({ source }) => seedMonitor(source, seedRule(source, "Email"), "Customers"),
    drop: ({ source }, urn) => removeMonitor(source, urn),
    use: ({ target }, twin) => void boardAt(target.tenant, { name: "Theirs", dqMonitorUrns: [twin] }),
    said: 'dashboards "Theirs" at the target still refers to it',
  },
  {
    what: "a rule that a primary monitor uses which no list shows",
    plan: rules,
    seed: ({ source }) => seedRule(source, "Email"),
    drop: ({ source }, urn) => removeRule(source, urn),
    use: ({ target }, twin) => {
      target.tenant.quirks.listsPrimaries = false;
      configurePrimary(target, "CUSTOMER", {
        manualRuleInstances: { theirs: instanceOf(target, twin, "Theirs") },
      });
    },
    said: 'primary-monitors "CUSTOMER (primary)" at the target still refers to it',
  },
  {
    what: "a rule that the primary monitor of an item uses which only the target has, where no list shows them",
    plan: monitors,
    seed: ({ source }) => seedRule(source, "Email"),
    drop: ({ source }, urn) => removeRule(source, urn),
    use: ({ target }, twin) => {
      target.tenant.quirks.listsPrimaries = false;
      const { item } = itemAt(target.tenant, {
        name: "THEIRS",
        parentUrn: parentOf(target),
        attributes: ["EMAIL"],
      });
      primaryAt(target.tenant, item.urn, {
        manualRuleInstances: { theirs: { ruleUrn: twin, ruleInstanceName: "Theirs", enabled: true } },
      });
    },
    said: 'primary-monitors "THEIRS (primary)" at the target still refers to it',
  },
  ...[false, true].flatMap((isHidden) =>
    [[], ["monitors", "dashboards"]].map((more): Use => ({
      what: `an SQL item whose primary monitor is on a dashboard${isHidden ? ", and that no list shows" : ""}, selected with ${more.join(", ") || "nothing else"}`,
      plan: { select: { kinds: ["folders", "sql-items", ...more] } },
      seed: ({ source }) => seedSqlItem(source, "Open orders", seedFolder(source, "Reports")),
      drop: ({ source }, urn) => removeItem(source, urn),
      use: ({ target: { tenant } }, twin) => {
        tenant.quirks.listsPrimaries = !isHidden;
        const primary = tenant.items.get(twin)?.primaryMonitorUrn;
        boardAt(tenant, { name: "Theirs", dqMonitorUrns: primary === undefined ? [] : [primary] });
      },
      said: 'dashboards "Theirs" at the target still refers to it',
    })),
  ),
];

describe.each(uses)("$what", ({ what, plan, seed, drop, use, said }) => {
  it("is not deleted when it is gone at the source, and says by whom it is used", async () => {
    const at = await stage();
    const urn = seed(at);
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    use(at, twin);
    drop(at, urn);
    for (const result of [await diff(at, plan), await apply(at, plan, allowDelete)])
      expectChange(result, urn, "manual", said);
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(twin)).toBeTruthy();
  });

  it("is not deleted by a rollback, which says so before it is asked", async () => {
    const at = await stage();
    const urn = seed(at);
    await apply(at, plan);
    const twin = (await twinOf(at, urn)) as Urn;
    use(at, twin);
    const preview = await previewRollback(at.world.migration(plan));
    expect(changeOf(preview, urn)).toMatchObject({ action: "manual" });
    const done = await rollback(at, plan, allowDelete);
    expectChange(done, urn, "manual", said);
    expect(done.exitCode).toBe(4);
    expect(at.target.body(twin)).toBeTruthy();
  });

  // A second look goes by lists.
  const isListed = !/no list shows/.test(what);
  it.runIf(isListed).each(["an apply", "a rollback"])(
    "is not deleted by %s when somebody comes to use it while a person looks at what will be done",
    async (by) => {
      const at = await stage();
      const urn = seed(at);
      await apply(at, plan);
      const twin = (await twinOf(at, urn)) as Urn;
      const confirm = async (): Promise<boolean> => {
        use(at, twin);
        return true;
      };
      if (by === "an apply") drop(at, urn);
      const options = { ...allowDelete, confirm };
      const done = by === "an apply" ? await apply(at, plan, options) : await rollback(at, plan, options);
      const change = changeOf(done, urn);
      expect(change?.outcome).toBe("failed");
      expect(change?.diagnostics.map(({ summary }) => summary).join()).toContain(
        said.replace("still refers to it", "refers to it by now"),
      );
      expect(done.exitCode).toBe(4);
      expect(at.target.body(twin)).toBeTruthy();
    },
  );
});

describe.each(["an apply", "a rollback"])("what goes as well, by %s", (by) => {
  /** Two terms go, and somebody does this with their twins while a person looks at that: what comes of them, and how many stay. */
  async function beside(
    at: Stage,
    base: Urn,
    above: Urn,
    act: (base: Urn, above: Urn) => void,
  ): Promise<readonly unknown[]> {
    const twins = [await twinOf(at, base), await twinOf(at, above)] as readonly string[] as [Urn, Urn];
    const confirm = async (): Promise<boolean> => {
      act(...twins);
      return true;
    };
    if (by === "an apply") for (const urn of [base, above]) removeTerm(at.source, urn);
    const options = { ...allowDelete, confirm };
    const done = by === "an apply" ? await apply(at, terms, options) : await rollback(at, terms, options);
    expect(done.changes.map(({ action }) => action)).toEqual(["delete", "delete"]);
    return [...[base, above].map((urn) => changeOf(done, urn)?.outcome), at.target.tenant.terms.size];
  }

  it("and comes to refer to a term meanwhile, keeps it: it was changed, and stays itself", async () => {
    const at = await stage();
    const [base, above] = [seedTerm(at.source, "Base"), seedTerm(at.source, "Above")];
    await apply(at, terms);
    const ended = await beside(at, base, above, (twin, other) => {
      editTerm(at.target, other, { extraProperties: { relatedTerms: [twin] } });
    });
    expect(ended).toEqual(["failed", "failed", 2]);
  });

  it.each([
    ["is changed meanwhile, keeps it", "Theirs", ["failed", "failed", 2]],
    ["stays as it is, does not", undefined, ["done", "done", 0]],
  ])("and refers to a term that refers to it, and %s", async (_how, description, expected) => {
    const at = await stage();
    const [base, above] = [seedTerm(at.source, "Base"), seedTerm(at.source, "Above")];
    editTerm(at.source, base, { extraProperties: { relatedTerms: [above] } });
    editTerm(at.source, above, { extraProperties: { relatedTerms: [base] } });
    await apply(at, terms);
    const ended = await beside(at, base, above, (_twin, other) => {
      if (description !== undefined) editTerm(at.target, other, { description });
    });
    expect(ended).toEqual(expected);
  });
});

describe("what is held", () => {
  it("holds what it refers to as well", async () => {
    const at = await stage();
    const base = seedTerm(at.source, "Base");
    const above = seedTerm(at.source, "Above", { extraProperties: { relatedTerms: [base] } });
    await apply(at, terms);
    assign(at, at.target.term("Above"), "MANUAL");
    for (const urn of [above, base]) removeTerm(at.source, urn);
    const done = await apply(at, terms, allowDelete);
    expect(done.changes.map(({ action }) => action)).toEqual(["manual", "manual"]);
    expect(written(at.world)).toEqual([]);
  });

  it("is what a change of this run keeps referring to: a part that only the target has", async () => {
    const at = await stage();
    const rule = seedRule(at.source, "Email");
    const kept = seedRule(at.source, "Kept");
    const urn = seedMonitor(at.source, kept, "Customers");
    await apply(at, monitors);
    const twin = (await twinOf(at, urn)) as Urn;
    const ruleTwin = (await twinOf(at, rule)) as Urn;
    editMonitor(at.target, twin, {
      manualRuleInstances: { theirs: instanceOf(at.target, ruleTwin, "Theirs") },
    });
    editMonitor(at.source, urn, { name: "Renamed" });
    removeRule(at.source, rule);
    const done = await apply(
      at,
      { ...monitors, policy: { drift: "overwrite", conflict: "source-wins" } },
      allowDelete,
    );
    expectChange(done, rule, "manual", 'monitors "Customers" at the target still refers to it');
    expect(changeOf(done, urn)?.outcome).toBe("done");
    expect(at.target.tenant.rules.has(ruleTwin)).toBe(true);
  });

  it("is deleted by a later run, when people have let go of it", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    const attribute = at.target.tenant.attributes.get(at.target.attribute("CUSTOMER", "EMAIL"));
    assign(at, at.target.term("Customer"), "MANUAL");
    removeTerm(at.source, urn);
    await apply(at, terms, allowDelete);
    expect(at.target.tenant.terms.size).toBe(1);
    if (attribute !== undefined) at.target.tenant.attributes.put(attribute);
    expect((await apply(at, terms, allowDelete)).exitCode).toBe(0);
    expect(at.target.tenant.terms.size).toBe(0);
    await expectAtRest(at, terms, allowDelete);
  });
});

it.each([
  ["assigned to an attribute", "term-assignments"],
  ["denied at an attribute", "term-denylist"],
] as const)("a term that a colleague %s stays, though the run adds another one there", async (_how, kind) => {
  const at = await stage();
  const plan = { select: { kinds: ["terms", kind] } };
  const [gone, more] = [seedTerm(at.source, "Customer"), seedTerm(at.source, "Contact")];
  await apply(at, plan);
  const twin = at.target.term("Customer");
  relate(at.target, kind, twin);
  relate(at.source, kind, more);
  removeTerm(at.source, gone);
  const done = await apply(at, plan, allowDelete);
  expectChange(done, gone, "manual", `${kind} "EMAIL" at the target still refers to it`);
  expect(at.target.tenant.terms.has(twin)).toBe(true);
  const { termAssignments, termDetectionDenylist } = attributeOf(at.target);
  const related = [...termAssignments.map(({ termUrn }) => termUrn), ...termDetectionDenylist];
  expect(related).toEqual([twin, at.target.term("Contact")]);
});

it("a term that only detection assigned is deleted, and that is said", async () => {
  const at = await stage();
  const urn = seedTerm(at.source, "Customer");
  await apply(at, terms);
  assign(at, at.target.term("Customer"), "TERM_DETECTION");
  removeTerm(at.source, urn);
  const done = await apply(at, terms, allowDelete);
  expect(changeOf(done, urn)?.outcome).toBe("done");
  const said = done.diagnostics.find(({ code }) => code === "looked-for-users");
  expect(said?.summary).toContain("term-assignments");
  expect(said?.detail).toContain("term detection");
});

it("what a run itself assigned or showed is no hindrance to taking that run back", async () => {
  const at = await stage();
  const plan = { select: { kinds: ["terms", "rules", "monitors", "dashboards", "term-assignments"] } };
  const term = seedTerm(at.source, "Customer");
  const { tenant } = at.source;
  const attribute = tenant.attributes.get(at.source.attribute("CUSTOMER", "EMAIL"));
  if (attribute !== undefined)
    tenant.attributes.put({ ...attribute, termAssignments: [{ termUrn: term, source: "MANUAL" }] });
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  seedDashboard(at.source, "Board", { dqMonitorUrns: [monitor] });
  expect((await apply(at, plan)).exitCode).toBe(0);
  await rollback(at, plan, allowDelete);
  expect(at.target.tenant.counts()).toMatchObject({ terms: 0, rules: 0, dashboards: 1 });
});

it("a dashboard of the run that somebody changed since holds the monitor that it shows", async () => {
  const at = await stage();
  const plan = { select: { kinds: ["rules", "monitors", "dashboards"] } };
  const monitor = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  seedDashboard(at.source, "Board", { dqMonitorUrns: [monitor] });
  await apply(at, plan);
  const board = at.target.dashboard("Board");
  at.target.tenant.dashboards.put({
    urn: board,
    published: { ...at.target.body(board), description: "theirs", urn: board },
    draftType: "NONE",
  });
  const done = await rollback(at, plan, allowDelete);
  expectChange(done, monitor, "manual", 'dashboards "Board" at the target still refers to it');
});

describe("where it cannot be known", () => {
  const cases = [
    {
      plan: terms,
      route: "GET /api/catalog/v1/attributes",
      seed: uses[0],
      what: "term-assignments and term-denylist",
    },
    { plan: terms, route: "POST /api/catalog/v1/catalog-items/filter", seed: uses[0], what: "catalog items" },
    {
      plan: rules,
      route: "GET /api/data-quality/v1/dq-monitors",
      seed: uses[3],
      what: "monitors and primary-monitors",
    },
    { plan: monitors, route: "GET /api/data-quality/v1/dq-dashboards", seed: uses[6], what: "dashboards" },
  ];

  it.each(cases)("$what: it is said and not deleted, and the rest of the run goes on", async (one) => {
    const at = await stage();
    const { plan, seed: use } = one;
    if (use === undefined) throw new Error("there is no such use");
    const urn = use.seed(at);
    await apply(at, plan);
    const twin = await twinOf(at, urn);
    use.drop(at, urn);
    const fresh = plan === terms ? seedTerm(at.source, "Fresh") : seedRule(at.source, "Fresh");
    const faults = at.world.emulator.faults;
    const skip = one.route.endsWith("filter") ? { skip: 0 } : {};
    faults.add({
      match: { tenant: "prod", route: one.route },
      when: skip,
      effect: { type: "status", code: 403 },
    });
    const done = await apply(at, plan, allowDelete);
    const change = expectChange(done, urn, "manual", `${one.what} could not be read`);
    expect(change.diagnostics.map(({ code }) => code)).toContain("users-unknown");
    expect(changeOf(done, fresh)?.outcome).toBe("done");
    expect(at.target.body(twin)).toBeTruthy();
    faults.clear();
    expect((await apply(at, plan, allowDelete)).exitCode).toBe(0);
    expect(() => at.target.body(twin)).toThrow();
  });
});

it("what goes more than ten seconds after somebody was looked for is looked for once more", async () => {
  const at = await stage();
  const base = seedTerm(at.source, "Base");
  const above = seedTerm(at.source, "Above", { extraProperties: { relatedTerms: [base] } });
  await apply(at, terms);
  const twin = (await twinOf(at, base)) as Urn;
  for (const urn of [above, base]) removeTerm(at.source, urn);
  let passed = 0;
  // "Above" goes first, and a colleague has a while for the other one, which is looked at once the outcome of that is known.
  const reached = (point: string): void => {
    if (point !== "send:after" || passed > 0) return;
    passed = 11_000;
    assign(at, twin, "MANUAL");
  };
  const now = (): number => Date.now() + passed;
  const migration = at.world.migration(terms, { now, hooks: { reached } });
  const done = await applyPlan(migration, { ...allowDelete, confirm: async () => true });
  expect([above, base].map((urn) => changeOf(done, urn)?.outcome)).toEqual(["done", "failed"]);
  expect([done.exitCode, at.target.tenant.terms.has(twin)]).toEqual([4, true]);
});

describe("where it cannot be known any more when it is to go", () => {
  it.each(["an apply", "a rollback"])("it is not deleted by %s, and a later one deletes it", async (by) => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    const twin = await twinOf(at, urn);
    const { faults } = at.world.emulator;
    const confirm = async (): Promise<boolean> => {
      faults.add({
        match: { tenant: "prod", route: "GET /api/catalog/v1/attributes" },
        when: {},
        effect: { type: "status", code: 403 },
      });
      return true;
    };
    if (by === "an apply") removeTerm(at.source, urn);
    const go = async (options: object): Promise<Awaited<ReturnType<typeof apply>>> =>
      by === "an apply" ? apply(at, terms, options) : rollback(at, terms, options);
    const done = await go({ ...allowDelete, confirm });
    expect(
      changeOf(done, urn)
        ?.diagnostics.map(({ summary }) => summary)
        .join(),
    ).toContain("refers to it by now is not known: term-assignments and term-denylist could not be read");
    expect({ outcome: changeOf(done, urn)?.outcome, exitCode: done.exitCode }).toEqual({
      outcome: "failed",
      exitCode: 4,
    });
    expect(at.target.body(twin)).toBeTruthy();
    faults.clear();
    expect((await go(allowDelete)).exitCode).toBe(0);
    expect(() => at.target.body(twin)).toThrow();
  });
});

describe("what it costs", () => {
  it("is nothing at all as long as nothing is to be deleted", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "Customer");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "new" });
    await apply(at, terms);
    const routes = at.world.emulator.log.entries.map(({ route }) => route);
    expect(routes.filter((route) => /attributes|filter/.test(route))).toEqual([]);
  });

  it("is each list once, and only of kinds that can refer to what goes", async () => {
    const at = await stage();
    const gone = ["One", "Two"].map((name) => seedTerm(at.source, name));
    await apply(at, terms);
    for (const urn of gone) removeTerm(at.source, urn);
    await diff(at, terms);
    const routes = at.world.emulator.log.entries
      .filter(({ tenant, route }) => tenant === "prod" && !route.endsWith("/token"))
      .map(({ route }) => route);
    expect(routes.filter((route) => route.endsWith("/attributes"))).toHaveLength(1);
    expect(routes.filter((route) => route.endsWith("/filter"))).toHaveLength(1);
    expect(routes.filter((route) => route.includes("data-quality"))).toEqual([]);
  });
});

it("a monitor of a colleague keeps its rule though the plan moves both kinds", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  await apply(at, monitors);
  const twin = at.target.rule("Email");
  monitorAt(at.target.tenant, monitorBody(at.target, twin, "Theirs"));
  removeRule(at.source, rule);
  expectChange(await apply(at, monitors, allowDelete), rule, "manual", 'monitors "Theirs"');
  expect(at.target.tenant.rules.has(twin)).toBe(true);
});
