import type { WorldOptions } from "../support/world.ts";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { registry } from "../../src/kinds/index.ts";
import type { StepAnswer } from "../../src/kinds/kind.ts";
import { Registry } from "../../src/kinds/registry.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Result } from "../../src/model/result.ts";
import type { WriteClient } from "../../src/service/index.ts";
import { seedDashboard, seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, entryOf, expectAtRest, type Stage, stage, twinOf } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { applyWith } from "./support.ts";

type Answer = Extract<StepAnswer, { state: "done" }>;
type Tampering = (answers: readonly Answer[], nth: number) => readonly Answer[];

/** Kinds, one of which is answered otherwise than by the truth; what is sent is done all the same. */
function answering(kindName: string, stepName: string, tamper: Tampering): WorldOptions {
  let nth = 0;
  const kinds = registry.moved().map((kind) => {
    if (kind.name !== kindName || kind.mode !== "entity") return kind;
    const tampered = <T extends (typeof kind.create)[number]>(step: T): T =>
      step.name !== stepName
        ? step
        : {
            ...step,
            send: async (client: WriteClient, items: Parameters<T["send"]>[1]) => {
              const answers = await step.send(client, items);
              nth += 1;
              return tamper(answers as readonly Answer[], nth);
            },
          };
    return {
      ...kind,
      create: kind.create.map(tampered) as unknown as typeof kind.create,
      ...(kind.update === undefined
        ? {}
        : { update: kind.update.map(tampered) as unknown as typeof kind.update }),
    };
  });
  return { registry: new Registry([...registry.given(), ...kinds]) };
}

/** As it was answered, but that the first time something else stands in it. */
const once =
  (change: (answer: Answer, answers: readonly Answer[]) => Answer): Tampering =>
  (answers, nth) =>
    nth === 1 ? answers.map((answer) => change(answer, answers)) : answers;

const plan = { select: { kinds: ["rules"] }, policy: { adopt: "never" } } as const;

/** No wrong reference, one object for each, and nothing left to do. */
async function expectRight(at: Stage, result: Result, urns: readonly Urn[]): Promise<void> {
  expect(result.exitCode).toBe(0);
  const twins = await Promise.all(urns.map(async (urn) => twinOf(at, urn)));
  expect(new Set(twins).size).toBe(urns.length);
  for (const [index, twin] of twins.entries())
    expect(at.target.body(twin)["name"]).toBe(at.source.body(urns[index] ?? "")["name"]);
  const { tenant } = at.target;
  for (const twin of twins) {
    const keys = keysOf(tenant.rules.get(twin)?.published);
    const known = Object.values((await entryOf(at, urns[twins.indexOf(twin)] ?? ""))?.keys ?? {});
    for (const key of known) expect(keys).toContain(key);
    expect(new Set(known).size).toBe(known.length);
  }
  await expectAtRest(at, plan);
}

function keysOf(body: unknown): readonly string[] {
  return JSON.stringify(body ?? null).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

async function twoRules(): Promise<{ readonly at: Stage; readonly urns: readonly [Urn, Urn] }> {
  const at = await stage();
  return { at, urns: [seedRule(at.source, "Email"), seedRule(at.source, "Phone")] };
}

test.each<[string, (answer: Answer, answers: readonly Answer[]) => Answer]>([
  ["names one URN for two", (answer, [first]) => ({ ...answer, target: first?.target ?? "" })],
  ["names what is no URN", (answer) => ({ ...answer, target: "rule-17" })],
  ["names nothing", (answer) => ({ ...answer, target: "" })],
  [
    "names a thing of another type",
    (answer) => ({
      ...answer,
      target: answer.target?.replace(":data-quality:rule:", ":catalog:term:") ?? "",
    }),
  ],
  [
    "names a thing of another tenant",
    (answer) => ({ ...answer, target: answer.target?.replace(":prod:", ":dev:") ?? "" }),
  ],
  [
    "maps keys that were never sent",
    (answer) => ({
      ...answer,
      keys: {
        ...answer.keys,
        "99999999-9999-4999-8999-999999999999": "88888888-8888-4888-8888-888888888888",
      },
    }),
  ],
  [
    "maps two keys to one",
    (answer) => {
      const [key = ""] = Object.values(answer.keys ?? {});
      return {
        ...answer,
        keys: Object.fromEntries(Object.keys(answer.keys ?? {}).map((from) => [from, key])),
      };
    },
  ],
  [
    "maps a key to what is no key",
    (answer) => ({
      ...answer,
      keys: Object.fromEntries(Object.keys(answer.keys ?? {}).map((from, index) => [from, `key ${index}`])),
    }),
  ],
  ["gives the keys of one to the other", (answer, [first]) => ({ ...answer, keys: first?.keys ?? {} })],
])("a create whose answer %s is in doubt, and settled by looking", async (_what, change) => {
  const { at, urns } = await twoRules();
  const result = await applyWith(at, plan, answering("rules", "create", once(change)));
  expect(written(at.world)).toEqual(["POST rules/batch/create"]);
  expect(names(at.target.tenant.rules.values())).toEqual(["Email", "Phone"]);
  await expectRight(at, result, urns);
});

test("a create that is answered with what was there before is in doubt", async () => {
  const { at, urns } = await twoRules();
  const old = seedRule(at.target, "Old");
  const change = (answer: Answer): Answer => ({ ...answer, target: old });
  const result = await applyWith(at, plan, answering("rules", "create", once(change)));
  expect(names(at.target.tenant.rules.values())).toEqual(["Email", "Old", "Phone"]);
  await expectRight(at, result, urns);
});

test("a create that is answered with what another kind has is in doubt", async () => {
  const { at, urns } = await twoRules();
  const term = seedTerm(at.target, "Old");
  const change = (answer: Answer): Answer => ({ ...answer, target: term });
  const result = await applyWith(at, plan, answering("rules", "create", once(change)));
  await expectRight(at, result, urns);
});

test("a create that is answered with what an earlier run made is in doubt", async () => {
  const at = await stage();
  const first = seedRule(at.source, "Email");
  await apply(at, plan);
  const twin = await twinOf(at, first);
  const second = seedRule(at.source, "Phone");
  const change = (answer: Answer): Answer => ({ ...answer, target: twin });
  const result = await applyWith(at, plan, answering("rules", "create", once(change)));
  await expectRight(at, result, [first, second]);
});

test("a term is answered in the place of another, under its name", async () => {
  const at = await stage();
  const urns = [seedTerm(at.source, "Email"), seedTerm(at.source, "Phone")];
  const change = (answer: Answer, [first]: readonly Answer[]): Answer => ({
    ...answer,
    target: first?.target ?? "",
  });
  const terms = { select: { kinds: ["terms"] } } as const;
  const result = await applyWith(at, terms, answering("terms", "create", once(change)));
  expect(result.exitCode).toBe(0);
  expect(written(at.world)).toEqual(["POST terms/bulk"]);
  const twins = await Promise.all(urns.map(async (urn) => twinOf(at, urn)));
  expect(twins.map((urn) => at.target.body(urn)["name"])).toEqual(["Email", "Phone"]);
  await expectAtRest(at, terms);
});

test("what was taken by an earlier answer of the run is not given to a later one", async () => {
  const at = await stage();
  const boards = [seedDashboard(at.source, "First"), seedDashboard(at.source, "Second")];
  let taken: string | undefined;
  // Dashboards are made one by one: the second is answered with the first.
  const tamper: Tampering = (answers, nth) => {
    taken ??= answers[0]?.target;
    return nth === 2 ? answers.map((answer) => ({ ...answer, target: taken ?? "" })) : answers;
  };
  const all = { select: { kinds: ["dashboards"] } } as const;
  const result = await applyWith(at, all, answering("dashboards", "create", tamper));
  expect(result.exitCode).toBe(0);
  expect(names(at.target.tenant.dashboards.values())).toEqual(["", "First", "Second"]);
  const twins = await Promise.all(boards.map(async (urn) => twinOf(at, urn)));
  expect(twins.map((urn) => at.target.body(urn)["name"])).toEqual(["First", "Second"]);
  expect(result.diagnostics.map(({ code }) => code)).toContain("draft-left");
  await expectAtRest(at, all);
});

test("an answer that stays impossible is not sent again for ever, and a person sees what it said", async () => {
  const at = await stage();
  const urn = seedRule(at.source, "Email");
  const old = seedRule(at.target, "Email");
  // As a service that gives out what it has under this name.
  const kept = registry.moved().map((kind) => {
    if (kind.name !== "rules" || kind.mode !== "entity") return kind;
    const [create, ...others] = kind.create;
    const send: typeof create.send = async (_client, items) =>
      items.map(() => ({ state: "done", target: old, keys: {} }));
    return { ...kind, create: [{ ...create, send }, ...others] as const };
  });
  const result = await applyWith(at, plan, { registry: new Registry([...registry.given(), ...kept]) });
  expect(result.exitCode).toBe(6);
  expect(JSON.stringify(result.changes)).toContain(old);
  expect(await entryOf(at, urn)).toBeUndefined();
  expect(names(at.target.tenant.rules.values())).toEqual(["Email"]);
});

/** Rules whose next change is made, and answered with another rule. */
function aboutAnother(stepName: string, other: string): WorldOptions {
  let isOver = false;
  const kinds = registry.moved().map((kind) => {
    if (kind.name !== "rules" || kind.mode !== "entity" || kind.update === undefined) return kind;
    const update = kind.update.map((step) => ({
      ...step,
      send: async (client: WriteClient, items: Parameters<typeof step.send>[1]) => {
        const instead = async (body: JsonObject | undefined): Promise<JsonObject> => {
          if (isOver) return body ?? {};
          isOver = true;
          return (await client.quality.rule(other)) ?? {};
        };
        const quality: WriteClient["quality"] = {
          ...client.quality,
          patchRule: async (urn, body) => {
            const answer = await client.quality.patchRule(urn, body);
            return Object.keys(body).length === 0 || stepName !== "patch" ? answer : instead(answer);
          },
          publishRule: async (urn) => {
            const answer = await client.quality.publishRule(urn);
            return stepName === "publish" ? instead(answer) : answer;
          },
        };
        return step.send({ ...client, quality }, items);
      },
    }));
    return { ...kind, update: update as unknown as typeof kind.update };
  });
  return { registry: new Registry([...registry.given(), ...kinds]) };
}

test.each(["patch", "publish"])("a %s that is answered with another object is looked at", async (step) => {
  const { at, urns } = await twoRules();
  await apply(at, plan);
  const other = await twinOf(at, urns[1]);
  const row = at.source.tenant.rules.get(urns[0]);
  at.source.tenant.rules.put({
    ...row,
    published: { ...row?.published, description: "Changed" },
  } as never);
  const result = await applyWith(at, plan, aboutAnother(step, other));
  expect(at.target.body(await twinOf(at, urns[0]))["description"]).toBe("Changed");
  await expectRight(at, result, urns);
});
