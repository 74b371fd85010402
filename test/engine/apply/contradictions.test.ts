import { expect, test } from "vitest";
import type { Built } from "../../../src/engine/apply/built.ts";
import type { Stood } from "../../../src/engine/apply/contradictions.ts";
import {
  believed,
  disbelieved,
  otherObject,
  stoodAt,
  wrongUrn,
} from "../../../src/engine/apply/contradictions.ts";
import type { Task } from "../../../src/engine/apply/task.ts";
import { newTask } from "../../../src/engine/apply/task.ts";
import type { MovedKind, StepAnswer } from "../../../src/kinds/kind.ts";
import type { StepEffect } from "../../../src/model/journal.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";

const id = (digit: number | string): string => `00000000-0000-4000-8000-00000000000${digit}`;
const urnOf = (digit: number, { tenant = "prod", type = "catalog:term" } = {}): string =>
  `urn:data:${tenant}:${type}:${id(digit)}`;
const source = urnOf(1, { tenant: "dev" });

const kind = { name: "terms", mode: "entity", urnTypes: ["catalog:term"] } as unknown as MovedKind;
const link = { ...kind, mode: "link" } as unknown as MovedKind;

const stood: Stood = { has: (urn) => urn === urnOf(9), tenants: new Set(["prod"]), isSeen: true };
const mapping = new MappingTable();
mapping.set("terms", "urn:other", { name: "Other", target: urnOf(8), origin: "created" });
mapping.set("terms", source, { name: "Own", target: urnOf(7), origin: "created" });

interface Sent {
  readonly effect?: StepEffect;
  readonly of?: MovedKind;
  readonly from?: string;
  readonly body?: JsonObject;
  readonly target?: string;
}

function sent({ effect = "creates", of = kind, from = source, body = {}, target }: Sent = {}): {
  task: Task;
  built: Built;
} {
  const change = { id: `terms:${from}`, source: { urn: from, name: "One" } } as never;
  const task = newTask(change, of, "main", [{ name: "step", effect } as never], []);
  const item = { source: from, name: "One", body, ...(target === undefined ? {} : { target }) };
  return { task, built: { item, intent: item } as unknown as Built };
}

const done = (target: string | undefined, keys?: Readonly<Record<string, string>>): StepAnswer => ({
  state: "done",
  ...(target === undefined ? {} : { target }),
  ...(keys === undefined ? {} : { keys }),
});

/** Why each of these answers is not believed. */
function reasons(
  all: readonly (readonly [Sent, StepAnswer | undefined])[],
  known = { stood, mapping },
): readonly string[] {
  const answers = all.flatMap(([, answer]) => (answer === undefined ? [] : [answer]));
  return believed(
    all.map(([one]) => sent(one)),
    answers,
    known,
  ).map(({ answer }) => (answer.state === "unknown" ? answer.reason : answer.state));
}

const why = (answer: StepAnswer, one: Sent = {}, known = { stood, mapping }): string =>
  reasons([[one, answer]], known)[0] ?? "";

test("what was created has a URN of its own, of its type and of this tenant", () => {
  expect(why(done(urnOf(2)))).toBe("done");
  expect(why(done("x"))).toMatch(/which is no URN/);
  expect(why(done(undefined))).toMatch(/names "", which is no URN/);
  expect(why(done(urnOf(2, { type: "data-quality:rule" })))).toMatch(/not one of the terms/);
  for (const tenant of ["dev", "else"]) expect(why(done(urnOf(2, { tenant })))).toMatch(/of another tenant/);
  expect(why(done(urnOf(9)))).toMatch(/was there before/);
  expect(why(done(urnOf(8)))).toMatch(/is the twin of urn:other/);
  // Its own, which a run before this one has made.
  expect(why(done(urnOf(7)))).toBe("done");
  // Not every type is documented: what it is at the source, it is at the target.
  const odd = { from: urnOf(1, { tenant: "dev", type: "catalog:odd" }) };
  expect(why(done(urnOf(2, { type: "catalog:odd" })), odd)).toBe("done");
  expect(why(done(urnOf(2)), odd)).toBe("done");
});

test("where nothing of the target was seen only the tenant of the source is another one", () => {
  const unseen = { stood: { ...stood, isSeen: false }, mapping };
  expect(why(done(urnOf(2, { tenant: "else" })), {}, unseen)).toBe("done");
  expect(why(done(urnOf(2, { tenant: "dev" })), {}, unseen)).toMatch(/of another tenant/);
  const alike = { stood: { ...stood, isSeen: false, tenants: new Set(["dev"]) }, mapping };
  expect(why(done(urnOf(2, { tenant: "dev" })), {}, alike)).toBe("done");
});

test("of a request of an earlier run nothing is known of what stood there", () => {
  expect(wrongUrn(kind, source, urnOf(9), mapping)).toBeUndefined();
  expect(wrongUrn(kind, source, urnOf(2, { tenant: "dev" }), mapping)).toBeUndefined();
  expect(wrongUrn(kind, source, urnOf(8), mapping)).toMatch(/is the twin of/);
});

test("one URN for several objects is nobody's", () => {
  const other = { from: urnOf(3, { tenant: "dev" }) };
  expect(
    reasons([
      [{}, done(urnOf(2))],
      [other, done(urnOf(2))],
    ]),
  ).toEqual([expect.stringContaining("for several objects"), expect.stringContaining("for several objects")]);
  expect(
    reasons([
      [{}, done(urnOf(2))],
      [other, done(urnOf(4))],
    ]),
  ).toEqual(["done", "done"]);
  // What was changed has its URN already, and may be named by each of its changes.
  const change = { effect: "changes", target: urnOf(2) } as const;
  expect(
    reasons([
      [change, done(urnOf(2))],
      [{ ...other, ...change }, done(urnOf(2))],
    ]),
  ).toEqual(["done", "done"]);
});

test("what has no answer is lost, and what was refused stays refused", () => {
  expect(
    reasons([
      [{}, done(urnOf(2))],
      [{}, undefined],
    ]),
  ).toEqual(["done", "the answer has no result for it"]);
  expect(why({ state: "refused", reason: "no" })).toBe("refused");
});

test("what an answer that is not believed has named is kept", () => {
  const known = { stood, mapping };
  expect(believed([sent()], [done(urnOf(9))], known)[0]?.answer).toMatchObject({
    state: "unknown",
    named: urnOf(9),
  });
  expect(believed([sent()], [done(undefined)], known)[0]?.answer).not.toHaveProperty("named");
  expect(disbelieved(sent(), done(urnOf(9)), known)).toMatch(/was there before/);
  expect(disbelieved(sent(), done(urnOf(2)), known)).toBeUndefined();
});

test("an answer about another object is none to a change or a publish; a relation may be answered with anything", () => {
  for (const effect of ["changes", "releases"] as const) {
    expect(why(done(urnOf(3)), { effect, target: urnOf(2) })).toMatch(/another object/);
    expect(why(done(urnOf(2)), { effect, target: urnOf(2) })).toBe("done");
    expect(why(done(undefined), { effect, target: urnOf(2) })).toBe("done");
  }
  expect(why(done(urnOf(3)), { effect: "changes", of: link, target: urnOf(2) })).toBe("done");
  expect(otherObject(link, "releases", { target: urnOf(2) } as never, urnOf(3))).toMatch(/another object/);
  expect(why(done(urnOf(3)), { effect: "removes", target: urnOf(2) })).toBe("done");
});

test("new parts have keys of their own, each one, and only those that were sent", () => {
  const body = { parts: { [`new_${id(1)}`]: {}, [`new_${id(2)}`]: {}, [id(3)]: {} } };
  const [fresh, other] = [id("a"), id("b")];
  const keyed = (keys: Readonly<Record<string, string>>): string => why(done(urnOf(2), keys), { body });
  expect(keyed({})).toBe("done");
  expect(keyed({ [id(1)]: fresh, [id(2)]: other })).toBe("done");
  expect(keyed({ [id(3)]: fresh })).toMatch(/never sent/);
  expect(keyed({ [id(1)]: fresh, [id(4)]: other })).toMatch(/0004, which was never sent/);
  expect(keyed({ [id(1)]: "x" })).toMatch(/"x" for a key/);
  expect(keyed({ [id(1)]: fresh, [id(2)]: fresh })).toMatch(/the key .*a twice/);
  const change = { body, effect: "changes", target: urnOf(2) } as const;
  const two = [done(urnOf(2), { [id(1)]: fresh }), done(urnOf(2), { [id(1)]: fresh })] as const;
  expect(
    reasons([
      [change, two[0]],
      [change, two[1]],
    ])[0],
  ).toMatch(/twice/);
});

test("what stood there is what was listed or is laid under, and the tenants that it names", () => {
  const snapshot = {
    kinds: () => ["terms"],
    has: (name: string, urn: string) => name === "terms" && urn === urnOf(1),
    urns: () => [urnOf(1)],
  };
  const pairs = {
    records: new Map([[urnOf(2, { tenant: "also" }), {}]]),
    twins: new Map(),
    unpaired: new Map(),
  };
  const there = stoodAt({ snapshot, pairs } as never, "realm");
  expect([urnOf(1), urnOf(2, { tenant: "also" }), urnOf(3)].map((urn) => there.has(urn))).toEqual([
    true,
    true,
    false,
  ]);
  expect([[...there.tenants].toSorted(), there.isSeen]).toEqual([["also", "prod", "realm"], true]);
  const bare = {
    snapshot: { kinds: () => [], has: () => false, urns: () => [] },
    pairs: { ...pairs, records: new Map() },
  };
  const none = stoodAt(bare as never, "realm");
  expect([[...none.tenants], none.isSeen]).toEqual([["realm"], false]);
});
