import { describe, expect, test } from "vitest";
import { ledToBy, LiveLookup, type LedTo } from "../../../src/engine/apply/live-lookup.ts";
import type { MovedKind, OverlayKind } from "../../../src/kinds/kind.ts";
import type { Births } from "../../../src/engine/apply/births.ts";
import type { Inside } from "../../../src/engine/pair/pairing.ts";
import type { TargetState } from "../../../src/engine/read/target.ts";
import { registry } from "../../../src/kinds/index.ts";
import type { Change } from "../../../src/model/change.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { FoundTable } from "../../../src/model/packed/found-table.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import type { SnapshotReader } from "../../../src/store/index.ts";
import { planOf } from "../../support/plan.ts";
import { dev, found, prod } from "../read/given.ts";

/** Where references lead while changes are applied. */

const key = (number: number): string => uuidOf(dev(number));

interface Known {
  /** By number, at either side. */
  readonly rows?: Readonly<Record<number, number>>;
  /** Parts of the first row. */
  readonly keys?: Readonly<Record<number, number>>;
  readonly twins?: Readonly<Record<number, number>>;
  readonly led?: Partial<LedTo>;
  readonly inside?: Inside;
  readonly born?: Readonly<Record<number, number>>;
  readonly overlays?: Readonly<Record<number, number>>;
  readonly unpaired?: { readonly mayDrop: boolean };
  /** What the source says, by URN. */
  readonly bodies?: (urn: string) => JsonObject;
  readonly births?: Partial<Births>;
}

const urns = (numbers: Readonly<Record<number, number>> = {}): ReadonlyMap<string, string> =>
  new Map(Object.entries(numbers).map(([from, to]) => [dev(Number(from)), prod(to)]));

function keysOf(numbers: Readonly<Record<number, number>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(numbers).map(([from, to]) => [key(Number(from)), key(to)]));
}

const nothing = { kinds: () => [], urns: () => [], has: () => false } as unknown as SnapshotReader;

function live(known: Known): LiveLookup {
  const mapping = new MappingTable();
  const row = (target: string): MappingEntry => ({
    name: "",
    target,
    origin: "created",
    keys: keysOf(known.keys),
  });
  for (const [source, target] of urns(known.rows)) mapping.set("terms", source, row(target));
  const records = new FoundTable();
  records.set(found(prod(99), "any"));
  const { inside, unpaired, led, born, bodies, births: more } = known;
  const target = {
    snapshot: nothing,
    overlays: { named: (urn: string) => urns(known.overlays).get(urn) },
    pairs: {
      twins: urns(known.twins),
      inside: new Map(inside === undefined ? [] : [[dev(1), inside]]),
      unpaired: new Map(unpaired === undefined ? [] : [[dev(1), unpaired]]),
      records,
    },
  } as unknown as TargetState;
  const births = {
    twin: (urn: string) => urns(born).get(urn),
    missing: () => "it has none of that name",
    ...more,
  };
  return new LiveLookup({
    registry,
    mapping,
    target,
    plan: planOf(),
    source: bodies === undefined ? nothing : { ...nothing, body: (_kind, urn) => bodies(urn) },
    ...(born === undefined && more === undefined ? {} : { births: births as unknown as Births }),
    ledTo: { twins: new Map(), keys: new Map(), former: new Set(), renewed: new Map(), ...led },
  });
}

describe("a reference to an object", () => {
  test.each([
    ["is where its row says", { rows: { 1: 1 } }, 1],
    ["is where what was paired now goes before its row", { rows: { 1: 1 }, twins: { 1: 2 } }, 2],
    [
      "is where the diff led it, whatever its row says",
      { rows: { 1: 1 }, led: { twins: urns({ 1: 2 }) } },
      2,
    ],
    ["is where what it lies over has it, where nothing else is known", { overlays: { 1: 3 } }, 3],
    ["is where its row says, whatever it lies over", { rows: { 1: 1 }, overlays: { 1: 3 } }, 1],
    ["is nowhere where nothing is known of it", {}, undefined],
    ["is nowhere where the plan drops it", { unpaired: { mayDrop: true } }, undefined],
  ] as const)("%s", (_what, known, there) => {
    expect(live(known).target(dev(1))).toBe(there === undefined ? undefined : prod(there));
  });
});

describe("a reference to a part", () => {
  const part = { rows: { 9: 9 }, keys: { 1: 5 } };
  const renewed = (known: number | undefined): LedTo["renewed"] =>
    new Map([[key(1), { known: known === undefined ? undefined : key(known), twin: key(7) }]]);

  test.each([
    ["has the key that the row of its owner knows", part, 5],
    ["has the one that the diff was led to", { ...part, led: { keys: new Map([[key(1), key(6)]]) } }, 6],
    [
      "has none where the row tells of another place",
      { ...part, led: { former: new Set([key(1)]) } },
      undefined,
    ],
    [
      "has the one that somebody made anew, as long as the row says the old one",
      { ...part, led: { renewed: renewed(5) } },
      7,
    ],
    ["has what the row says since", { ...part, led: { renewed: renewed(4) } }, 5],
    [
      "has the one that somebody added, where the row says none",
      { rows: { 9: 9 }, led: { renewed: renewed(undefined) } },
      7,
    ],
  ] as const)("%s", (_what, known, there) => {
    expect(live(known).target(dev(1))).toBe(there === undefined ? undefined : prod(there));
  });

  test("what is no URN leads nowhere", () => {
    expect(live({ led: { keys: new Map([["", key(1)]]) } }).target("no urn")).toBeUndefined();
  });
});

describe("a reference to what stands in a moved object", () => {
  const inside: Inside = {
    kind: "parts",
    name: "P",
    holder: dev(9),
    holderTwin: prod(9),
    twin: prod(2),
    unpaired: undefined,
  };

  test.each([
    ["is in its twin", { rows: { 9: 9 }, inside }, 2],
    ["whatever a row of its own says", { rows: { 9: 9, 1: 8 }, inside }, 2],
    ["is in what was born with another twin", { rows: { 9: 4 }, inside, born: { 1: 3 } }, 3],
    [
      "and in the right one where the diff led it there",
      { rows: { 9: 4 }, inside, led: { twins: urns({ 9: 9 }) } },
      2,
    ],
    ["is nowhere where it was looked for in another object", { rows: { 9: 4 }, inside }, undefined],
    [
      "is born where it was not there",
      { rows: { 9: 9 }, inside: { ...inside, twin: undefined }, born: { 1: 3 } },
      3,
    ],
    [
      "is nowhere where nothing was born",
      { rows: { 9: 9 }, inside: { ...inside, twin: undefined }, born: {} },
      undefined,
    ],
  ] as const)("%s", (_what, known, there) => {
    expect(live(known).target(dev(1))).toBe(there === undefined ? undefined : prod(there));
  });
});

describe("where the diff led references otherwise than the mapping does", () => {
  const blocked = {
    id: "1",
    kind: "terms",
    action: "blocked",
    source: { urn: dev(1), name: "A" },
    target: { urn: prod(2), name: "A" },
    work: { keys: { part: "there" } },
  } as unknown as Change;
  const [primary, there, elsewhere] = [dev(5), prod(5), prod(6)];

  function led(changes: readonly Change[], place?: string, row = there): LedTo {
    const mapping = new MappingTable((kind) => registry.owns(kind));
    mapping.set("primary-monitors", primary, {
      name: "",
      target: row,
      origin: "paired",
      keys: { old: "key" },
    });
    mapping.set("item-metadata", dev(7), { name: "", target: row, origin: "paired" });
    const overlays = { named: () => place } as unknown as TargetState["overlays"];
    return ledToBy({ changes, registry, mapping, target: { overlays }, renewed: new Map() });
  }

  test.each([
    ["of what is blocked the twin that was accepted", {}, true],
    ["of what is left to a person as well", { action: "manual" }, true],
    ["of what is written there is a row by then", { action: "update" }, false],
    ["of what has no twin there is none", { target: undefined }, false],
    ["of what is at the target alone there is no source", { source: undefined }, false],
    ["of what was not compared no twin was accepted", { work: {} }, false],
    ["to what lies over a thing no reference leads", { kind: "item-metadata" }, false],
  ] as const)("%s", (_what, more, isLed) => {
    const { twins, keys } = led([{ ...blocked, ...more } as Change]);
    expect([...twins]).toEqual(isLed ? [[dev(1), prod(2)]] : []);
    expect([...keys]).toEqual(
      isLed
        ? [
            [key(1), key(2)],
            ["part", "there"],
          ]
        : [],
    );
  });

  const awaited = {
    ...blocked,
    action: "update",
    kind: "primary-monitors",
    source: { urn: primary, name: "" },
    target: undefined,
  };

  test.each([
    ["has another place by now", [], elsewhere, elsewhere],
    ["is changed in another place", [{ ...awaited, target: blocked.target }], elsewhere, elsewhere],
    ["has the place of its row", [], there, undefined],
    ["has no place", [], undefined, undefined],
    ["gets its place with what this run makes", [awaited], elsewhere, undefined],
    [
      "was accepted elsewhere",
      [{ ...blocked, kind: "primary-monitors", source: awaited.source }],
      elsewhere,
      prod(2),
    ],
    ["is at the target alone", [{ ...awaited, source: undefined }], elsewhere, elsewhere],
  ] as const)("what lies over a thing and %s", (_what, changes, place, expected) => {
    const { twins, former } = led(changes as unknown as readonly Change[], place);
    expect(twins.get(primary)).toBe(expected);
    expect(former.has("old")).toBe(expected === elsewhere);
    expect(twins.has(dev(7))).toBe(false);
  });
});

describe("what the source says, in the target's words", () => {
  const kind = {
    name: "things",
    mode: "entity",
    shape: { known: [], serverOwned: ["/id"] },
  } as unknown as MovedKind;
  const said = (more: JsonObject = {}): JsonObject => ({ id: 1, name: "A", ownerUrn: dev(1), ...more });

  test.each([
    ["leads to the twin", { rows: { 1: 4 } }, { ownerUrn: prod(4) }, []],
    ["is without what the plan drops", { unpaired: { mayDrop: true } }, {}, []],
    ["tells what has no twin", { unpaired: { mayDrop: false } }, { ownerUrn: dev(1) }, [dev(1)]],
  ] as const)("%s", (_what, known, more, open) => {
    const found = live({ ...known, bodies: () => said() }).tree(kind, dev(9), {}, undefined);
    expect(found).toEqual({ tree: { name: "A", ...more }, said: { name: "A", ...more }, open });
  });

  test("is without what is to follow, and as its kind has it under the plan's policy", () => {
    const adapted = {
      ...kind,
      adapt: (tree: JsonObject) => ({ ...tree, adapted: true }),
    } as unknown as MovedKind;
    const found = live({ bodies: () => said() }).tree(adapted, dev(9), {}, undefined, ["ownerUrn"]);
    expect(found).toEqual({ tree: { name: "A", adapted: true }, said: { name: "A" }, open: [] });
  });

  test("has a print of its own where it refers to anything, each object its own", () => {
    const lookup = live({ bodies: (urn) => (urn === dev(8) ? { name: "B" } : said({ name: urn })) });
    expect(lookup.own(kind, dev(8))).toEqual({});
    const [one, other] = [lookup.own(kind, dev(9)), lookup.own(kind, dev(7))];
    expect(one.ownFingerprint).toBeTypeOf("string");
    expect(other).not.toEqual(one);
    // Two kinds may have something to say of one thing.
    expect(
      lookup.own({ ...kind, name: "others", shape: { known: [], serverOwned: ["/name"] } }, dev(7)),
    ).not.toEqual(other);
  });
});

describe("what lies over something that this run has made", () => {
  const over = { urn: () => dev(1) };
  const words = { name: "words", mode: "overlay", over } as unknown as OverlayKind;
  const monitors = {
    ...words,
    name: "monitors",
    locate: ({ name }: { name: string }) => (name === "" ? undefined : name),
  };
  const births: Partial<Births> = {
    wordsOf: () => ({ said: "by itself" }),
    record: (target) =>
      target === prod(4) ? found(target, prod(5)) : target === prod(6) ? found(target, "") : undefined,
    body: (kind, urn) => (kind === "monitors" && urn === prod(5) ? { was: "there" } : undefined),
  };

  test.each([
    ["has no place before that has one", words, undefined, undefined],
    [
      "goes by its URN, over what was born with it",
      words,
      4,
      { urn: prod(4), before: { said: "by itself" } },
    ],
    [
      "has the place that its record tells, and what was there",
      monitors,
      4,
      { urn: prod(5), before: { was: "there" } },
    ],
    ["has none where no record was read", monitors, 3, undefined],
    ["has none where the record tells of none", monitors, 6, undefined],
  ] as const)("%s", (_what, kind, there, expected) => {
    const rows = there === undefined ? {} : { 1: there };
    const lookup = live({ rows, births, bodies: () => ({}) });
    expect(lookup.laidOver(kind, dev(9))).toEqual(expected);
  });

  test("says why what should have come with it is not there", () => {
    expect([live({}).unborn(dev(1)), live({ born: {} }).unborn(dev(1))]).toEqual([
      undefined,
      "it has none of that name",
    ]);
  });
});
