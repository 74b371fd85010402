import { expect, test } from "vitest";
import { Settler } from "../../../src/engine/settle/settler.ts";
import type { Doubt } from "../../../src/engine/settle/subtraction.ts";
import type { EntityKind, Feed } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { text } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Shape } from "../../../src/model/shape.ts";
import { uuidOf } from "../../../src/model/urn.ts";

const shape: Shape = { known: ["name", "note"], serverOwned: ["/urn"] };
const urnOf = (digit: string): string =>
  `urn:data:prod:catalog:thing:00000000-0000-4000-8000-00000000000${digit}`;
const thing = (digit: string, name: string, note = name): JsonObject => ({ urn: urnOf(digit), name, note });

/** What one look after the other shows, and the last of it from then on. */
function feedOf(looks: readonly (readonly JsonObject[])[], looked = (): void => undefined): Feed {
  let at = 0;
  return {
    name: "things",
    async *pages() {
      looked();
      yield looks[Math.min(at++, looks.length - 1)] ?? [];
    },
  };
}

function kindOf(feed: Feed, more: object = {}): EntityKind {
  return {
    name: "things",
    mode: "entity",
    feed,
    shape,
    accept: (body: JsonObject) => ({ urn: text(body, "urn") ?? "", name: text(body, "name") ?? "", body }),
    naturalKey: (body: JsonObject) => [body["name"] ?? ""],
    ...more,
  } as unknown as EntityKind;
}

function sent(source: string, note = source, more: Partial<Doubt> = {}): Doubt {
  const body = { name: source, note };
  const item = { source, name: source, fingerprint: fingerprint(body, shape), body };
  return {
    op: "run/1",
    run: "run",
    kind: "things",
    step: "create",
    item,
    at: 0,
    reason: "no answer",
    ...more,
  };
}

interface World {
  readonly before?: readonly string[];
  readonly mapped?: readonly string[];
}

function settlerOf({ before, mapped = [] }: World, waits: number[]): Settler {
  const mapping = new MappingTable();
  for (const target of mapped)
    mapping.set("things", `source of ${target}`, { name: "", target, origin: "created" });
  return new Settler({
    client: {} as never,
    registry: {} as never,
    mapping,
    baseline: (run, kind) =>
      run === "run" && kind === "things" && before !== undefined ? new Set(before.map(uuidOf)) : undefined,
    quietPeriodMs: 60_000,
    now: () => 0,
    sleep: async (ms) => void waits.push(ms),
    report: () => undefined,
  });
}

/** Of each what became of it, and how often it was waited and looked. */
async function settled(
  doubts: readonly Doubt[],
  looks: readonly (readonly JsonObject[])[],
  { more, ...where }: World & { readonly more?: object } = {},
) {
  const waits: number[] = [];
  let looked = 0;
  const feed = feedOf(looks, () => {
    looked += 1;
  });
  const found = await settlerOf(where, waits).creates(kindOf(feed, more), "run", doubts);
  const told = doubts.map((doubt) => {
    const verdict = found.get(doubt);
    if (verdict === undefined) return "untold";
    if (verdict.state === "done") return `done ${verdict.target?.at(-1) ?? ""}`;
    return "reason" in verdict ? `${verdict.state}: ${verdict.reason}` : verdict.state;
  });
  return { told, waits: waits.length, looked };
}

const [one, two] = [thing("1", "One"), thing("2", "Two")];

test("what shows at once is taken without waiting", async () => {
  expect(await settled([sent("One")], [[one]])).toEqual({ told: ["done 1"], waits: 0, looked: 1 });
});

test("what was there before the run, or is mapped, is nothing that was sent", async () => {
  const nothing = { told: ["again"], waits: 1, looked: 3 };
  expect(await settled([sent("One")], [[one]], { before: [urnOf("1")] })).toEqual(nothing);
  expect(await settled([sent("One")], [[one]], { mapped: [urnOf("1")] })).toEqual(nothing);
  expect(await settled([sent("One")], [[one, two]], { before: [urnOf("2")] })).toEqual({
    told: ["done 1"],
    waits: 0,
    looked: 1,
  });
});

test("what does not show is sent again after the quiet period and two equal listings, and not before", async () => {
  expect(await settled([sent("One")], [[]])).toEqual({ told: ["again"], waits: 1, looked: 3 });
  expect(await settled([sent("One")], [[], [one]])).toEqual({ told: ["done 1"], waits: 1, looked: 2 });
  // The two after it are not equal: it is listed anew.
  expect((await settled([sent("One")], [[], [two], [], [one]])).told).toEqual(["done 1"]);
  expect((await settled([sent("One")], [[], [], [two], [one]])).told).toEqual(["done 1"]);
  expect((await settled([sent("One")], [[], [two], [thing("4", "Three")], [one]])).told).toEqual(["done 1"]);
});

test("where the listing does not come to rest a later look tells", async () => {
  const moving = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? [] : [two]));
  expect((await settled([sent("One")], moving)).told).toEqual([
    "later: the listing at the target does not come to rest",
  ]);
});

test("of more than were sent a person is asked, with what may be it", async () => {
  const { told, waits } = await settled([sent("One")], [[one, thing("3", "One")]]);
  expect(told[0]).toMatch(/^unknown: 2 objects .*: urn.*1, urn.*3$/);
  expect(waits).toBe(0);
});

test("what was taken at once is asked about where one more of it is there once the others were waited for", async () => {
  const doubts = [sent("One"), sent("Two")];
  const again = [one, thing("3", "One")];
  expect((await settled(doubts, [[one], [one, two]])).told).toEqual(["done 1", "done 2"]);
  const { told } = await settled(doubts, [[one], again]);
  expect(told[0]).toMatch(/^unknown: 2 objects .* like 1 that .*3, urn.*1$/);
  expect(told[1]).toBe("again");
  // It comes between the two looks after that.
  expect((await settled(doubts, [[one], [one], again, again])).told[0]).toMatch(/^unknown: 2 objects/);
});

test("what one was taken for is nobody else's, and no more of it", async () => {
  const alike = [sent("One"), sent("One")];
  expect((await settled(alike, [[one]])).told).toEqual(["done 1", "again"]);
  expect((await settled(alike, [[one], [one, thing("3", "One")]])).told).toEqual(["done 1", "done 3"]);
});

test("what was taken after the quiet period is ours, whatever comes then", async () => {
  const looks = [[], [one], [one, thing("3", "One")]];
  expect((await settled([sent("One"), sent("Two")], [...looks, ...looks.slice(2)])).told).toEqual([
    "done 1",
    "again",
  ]);
});

test("so it is where something else of its key is there by then that no other one may be", async () => {
  const doubts = [sent("One"), sent("Two")];
  const edited = thing("3", "One", "edited");
  const { told } = await settled(doubts, [[one], [one, edited]]);
  expect(told[0]).toMatch(/^unknown: something new .*same natural key.*3, urn.*1$/);
  // Of that key another one is looked for still.
  const alike = [sent("One"), sent("One", "other")];
  expect((await settled(alike, [[one], [one, edited]])).told[0]).toBe("done 1");
  expect((await settled(doubts, [[one], [one, thing("4", "Three")]])).told).toEqual(["done 1", "again"]);
});

test("what an answer named, and looks just like what was sent, is not sent again", async () => {
  const named = sent("One", "One", { named: urnOf("1"), reason: "the answer names what was there" });
  const before = [urnOf("1")];
  expect((await settled([named], [[one]], { before })).told).toEqual([
    "unknown: the answer names what was there, and has the content that was sent",
  ]);
  expect((await settled([named], [[thing("1", "One", "other")]], { before })).told).toEqual(["again"]);
  expect((await settled([named], [[]], { before })).told).toEqual(["again"]);
  // Another one that the list shows was not named.
  expect((await settled([sent("One")], [[one]], { before })).told).toEqual(["again"]);
});

test("what stands in another list by its type is looked for there, and nowhere where there is none", async () => {
  const elsewhere = feedOf([[one]]);
  const asked: (readonly JsonObject[])[] = [];
  const more = {
    alsoOf: (bodies: readonly JsonObject[]) => {
      asked.push(bodies);
      return { feed: elsewhere };
    },
  };
  expect(await settled([sent("One")], [[]], { more })).toEqual({ told: ["done 1"], waits: 0, looked: 0 });
  expect(asked[0]).toEqual([{ name: "One", note: "One" }]);
  const nowhere = { alsoOf: () => undefined };
  expect((await settled([sent("One")], [[one]], { more: nowhere })).told[0]).toMatch(
    /^later: no list .* such type/,
  );
  // What was sent is not on record.
  const { body: _body, ...item } = sent("One").item;
  expect((await settled([{ ...sent("One"), item }], [[one]], { more: nowhere })).told).toEqual(["done 1"]);
});

test("what may be one of these is what is new there and mapped to nothing, as far as a list shows it", async () => {
  const where = { before: [urnOf("2")], mapped: [urnOf("3")] };
  const shown = [one, two, thing("3", "Three")];
  const of = async (kind: EntityKind, more: readonly Doubt[] = []): Promise<readonly string[]> =>
    (await settlerOf(where, []).candidates(kind, "run", [sent("One"), ...more])).map(({ name }) => name);
  expect(await of(kindOf(feedOf([shown])))).toEqual(["One"]);
  expect(await of(kindOf(feedOf([[]]), { alsoOf: () => ({ feed: feedOf([shown]) }) }))).toEqual(["One"]);
  expect(await of(kindOf(feedOf([shown]), { alsoOf: () => undefined }))).toEqual(["One"]);
  const some = (bodies: readonly JsonObject[]): object | undefined =>
    bodies.some(({ name }) => name === "Nowhere") ? undefined : { feed: feedOf([shown]) };
  expect(await of(kindOf(feedOf([[]]), { alsoOf: some }), [sent("Nowhere")])).toEqual(["One"]);
});

test("what has no list of its own cannot be settled so", async () => {
  const overlay = { ...kindOf(feedOf([[]])), mode: "overlay" } as never;
  await expect(settlerOf({}, []).creates(overlay, "run", [])).rejects.toThrow("cannot be settled by listing");
});
