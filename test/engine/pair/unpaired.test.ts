import { describe, expect, test } from "vitest";
import type { Unpaired } from "../../../src/engine/pair/pairing.ts";
import { attributes } from "../../../src/kinds/attributes.ts";
import { catalogItems } from "../../../src/kinds/catalog-items.ts";
import { groups } from "../../../src/kinds/groups.ts";
import type { Found, GivenKind } from "../../../src/kinds/kind.ts";
import { sources } from "../../../src/kinds/sources.ts";
import type { Pairing } from "../../../src/model/plan.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import { dev, found, pair, prod } from "../read/given.ts";

/** The real kinds with listings of their own: what is told when something has no twin, and what it has in common. */
const withList = (kind: GivenKind, list: readonly Found[]): GivenKind =>
  Object.assign({}, kind, { candidates: async () => list });

const item = (urn: string, source: string, originPath: string): Found =>
  found(urn, originPath.split("/").at(-1) ?? "", { source: { urn: source }, originPath });
const column = (urn: string, catalogItemUrn: string, name: string): Found =>
  found(urn, name, { catalogItemUrn });

interface World {
  readonly sources?: readonly [readonly Found[], readonly Found[]];
  readonly items?: readonly [readonly Found[], readonly Found[]];
  readonly columns?: readonly [readonly Found[], readonly Found[]];
  readonly pairing?: Partial<Pairing>;
}

async function unpaired(world: World): Promise<(urn: string) => Unpaired> {
  const none = [[], []] as const;
  const { sources: s = none, items: i = none, columns: c = none, pairing = {} } = world;
  const pairs = await pair(
    [withList(sources, s[1]), withList(catalogItems, i[1]), withList(attributes, c[1]), groups],
    { sources: s[0], "catalog-items": i[0], attributes: c[0] },
    { pairing },
  );
  return (urn) => {
    const entry = pairs.unpaired.get(urn);
    if (entry === undefined) throw new Error(`${urn} has a twin`);
    return entry;
  };
}

const bothSources = [
  [found(dev(1), "Snowflake DEV"), found(dev(2), "Shop")],
  [found(prod(1), "Snowflake PROD"), found(prod(2), "Shop")],
] as const;

test("URNs in what is advised are words of a shell: they come from a service", async () => {
  const hostile = dev(1).replace("urn:data:", () => "urn:$(id):");
  const of = await unpaired({
    sources: [[found(dev(2), "Shop")], [found(prod(2), "Shop")]],
    items: [
      [item(hostile, dev(2), "SALES/ORDERS")],
      [item(prod(3), prod(2), "SALES/ORDERS"), item(prod(4), prod(2), "SALES/ORDERS")],
    ],
  });
  expect(of(hostile).suggestion).toContain(`ferry mappings PLAN set '${hostile}' <target urn>`);
});

describe("a source without a twin", () => {
  test("names the nearest, with the line of the plan", async () => {
    const of = await unpaired({ sources: bothSources });
    expect(of(dev(1))).toMatchObject({
      reason: `nothing at the target fits it: looked for name "Snowflake DEV"; the nearest there is "Snowflake PROD" (${prod(1)})`,
      suggestion:
        'In the plan, under pairing.sources, add `"Snowflake DEV": "Snowflake PROD"` (a guess by name: check it)',
      nearest: "Snowflake PROD",
      cause: { key: dev(1), summary: 'source "Snowflake DEV" has no twin at the target' },
    });
  });

  test("that the plan pairs with what is not there has its line corrected", async () => {
    const of = await unpaired({
      sources: bothSources,
      pairing: { sources: { "Snowflake DEV": "Snowflake PRD" } },
    });
    expect(of(dev(1)).reason).toContain('looked for name "Snowflake PRD" ("Snowflake DEV" at the source)');
    expect(of(dev(1)).suggestion).toMatch(
      /^In the plan, under pairing\.sources, correct `"Snowflake DEV": "Snowflake PROD"`/,
    );
  });

  test("is not led to what is the twin of another one, by its name or by the plan's word", async () => {
    const there = [found(prod(1), "Shop PROD"), found(prod(2), "Shop"), found(prod(3), "Lakehouse")];
    const shops = [found(dev(1), "Shop 2"), found(dev(2), "Shop")];
    const of = await unpaired({
      sources: [shops, there],
      pairing: { sources: { "Shop 2": "Shop TEST", "Shop 3": "Shop PROD" } },
    });
    expect(of(dev(1)).nearest).toBeUndefined();
    expect(of(dev(1)).reason).toMatch(/nothing there comes near it; what has no twin there: "Lakehouse"$/);
    expect(of(dev(1)).suggestion).toContain('correct `"Shop 2": "<name at the target>"`');
    const taken = await unpaired({ sources: [shops, [found(prod(2), "Shop")]] });
    expect(taken(dev(1)).reason).toMatch(/comes near it, and all of it is the twin of something else$/);
  });

  test("where nothing comes near says what there is", async () => {
    const of = await unpaired({ sources: [[found(dev(1), "Kafka")], bothSources[1]] });
    expect(of(dev(1)).reason).toMatch(/nothing there comes near it; there are "Snowflake PROD", "Shop"$/);
    expect(of(dev(1)).suggestion).toContain('`"Kafka": "<name at the target>"`');
  });
});

describe("a catalog item without a twin", () => {
  test("is not led to one that is the twin of another item: who took it would take it from that", async () => {
    const of = await unpaired({
      sources: [[found(dev(2), "Shop")], [found(prod(2), "Shop")]],
      items: [
        [item(dev(10), dev(2), "SALES/2024/ORDERS"), item(dev(11), dev(2), "SALES/2023/ORDERS")],
        [item(prod(11), prod(2), "SALES/2023/ORDERS"), item(prod(12), prod(2), "ARCHIVE/ORDERS")],
      ],
    });
    expect(of(dev(10)).reason).toContain(`the nearest there is "ORDERS" (${prod(12)})`);
  });
  const orders = item(dev(10), dev(1), "DEV_SALES/ORDERS");
  const refunds = item(dev(11), dev(1), "DEV_SALES/REFUNDS");
  const there = [
    item(prod(10), prod(1), "PROD_SALES/ORDERS"),
    item(prod(11), prod(1), "PROD_SALES/REFUNDS"),
    item(prod(12), prod(2), "ELSEWHERE/ORDERS"),
  ];

  test("says what was looked for, with the plan's renames, and in what the nearest differs", async () => {
    const of = await unpaired({
      sources: bothSources,
      items: [[orders], there],
      pairing: {
        sources: { "Snowflake DEV": "Snowflake PROD" },
        paths: [{ pattern: "SALES", replace: "SALE" }],
      },
    });
    expect(of(dev(10)).reason).toBe(
      `nothing at the target fits it: looked for source "Snowflake PROD" ("Snowflake DEV" at the source), path "DEV_SALE/ORDERS" ("DEV_SALES/ORDERS" at the source), name "ORDERS"; the nearest there is "ORDERS" (${prod(10)}), with another path: "PROD_SALES/ORDERS"`,
    );
  });

  test("shares its cause, one rename, with all that differ alike", async () => {
    const of = await unpaired({ sources: bothSources, items: [[orders, refunds], there] });
    expect(of(dev(10)).reason).toContain('any source (its own, "Snowflake DEV", has no twin)');
    expect(of(dev(10)).cause).toMatchObject({
      summary: 'catalog items have another path at the target: "DEV_" there is "PROD_"',
      suggestion:
        'In the plan, under pairing.paths, add `- { pattern: "^DEV_", replace: "PROD_" }` (a guess: check it)',
    });
    expect(of(dev(11)).cause.key).toBe(of(dev(10)).cause.key);
  });

  test("that is not there at all shares its cause with those of its folder", async () => {
    const lost = ["LOST/A", "LOST/B", "OTHER/C"].map((path, index) => item(dev(20 + index), dev(2), path));
    // What the names of others brought is not near.
    const of = await unpaired({ sources: bothSources, items: [lost, there] });
    expect(of(dev(20)).reason).toMatch(/name "A"; nothing there has that name$/);
    expect(of(dev(20)).suggestion).toContain("Import the item at the target");
    expect(of(dev(20)).suggestion).toContain(dev(20));
    expect(of(dev(20)).cause.summary).toBe(
      'catalog items of source "Shop" under "LOST" are not at the target',
    );
    expect(of(dev(21)).cause.key).toBe(of(dev(20)).cause.key);
    expect(of(dev(22)).cause.key).not.toBe(of(dev(20)).cause.key);
  });
});

describe("a column without a twin", () => {
  const items = [[item(dev(10), dev(2), "S/ORDERS")], [item(prod(10), prod(2), "S/ORDERS")]] as const;

  test("is compared with the columns of its item's twin, and with no other's", async () => {
    const of = await unpaired({
      sources: bothSources,
      items,
      columns: [
        [column(dev(30), dev(10), "EMAIL")],
        [column(prod(30), prod(10), "EMAIL_ADDRESS"), column(prod(31), prod(99), "EMAIL")],
      ],
    });
    expect(of(dev(30))).toMatchObject({
      reason: `nothing at the target fits it: looked for catalog item "ORDERS", name "EMAIL"; the nearest there is "EMAIL_ADDRESS" (${prod(30)})`,
      suggestion: expect.stringContaining(
        `If that is the one, run \`ferry mappings PLAN set ${dev(30)} ${prod(30)}\``,
      ),
      cause: { summary: 'attributes of catalog item "ORDERS" are not at the target' },
    });
  });

  test("of an item without one has the item's cause", async () => {
    const of = await unpaired({
      sources: bothSources,
      items: [items[0], []],
      columns: [[column(dev(30), dev(10), "EMAIL")], []],
    });
    expect(of(dev(30)).reason).toBe('its catalog item "ORDERS" has no twin at the target');
    expect(of(dev(30)).cause).toEqual(of(dev(10)).cause);
  });
});

test("a group without an entry says that only the plan can pair it, with the line", async () => {
  const { unpaired: none } = await pair([groups], { groups: [found(dev(5), uuidOf(dev(5)))] });
  expect(none.get(dev(5))).toMatchObject({
    reason: expect.stringContaining("the plan has no entry for it under pairing.groups"),
    suggestion: `In the plan, under pairing.groups, add \`"${uuidOf(dev(5))}": "<uuid at the target>"\`; or set policy.missingGroup to drop, which leaves the reference out`,
  });
});

test("a name full of marks stays one line that can be pasted", async () => {
  const of = await unpaired({ sources: [[found(dev(1), 'a`b"\n# {')], []] });
  expect(of(dev(1)).suggestion).toContain('`"a\'b\\"\\n# {": "<name at the target>"`');
});

describe("a rule of the plan that makes the wrong path", () => {
  const items = [
    [item(dev(11), dev(1), "DEV_SALES/ORDERS")],
    [item(prod(11), prod(1), "PROD_SALES/ORDERS")],
  ] as const;
  const named = { "Snowflake DEV": "Snowflake PROD" };

  test("is corrected, not doubled", async () => {
    const paths = [
      { pattern: "^SHOP_", replace: "PRD_" },
      { pattern: "^DEV_", replace: "PRD_" },
    ];
    const of = await unpaired({ sources: bothSources, items, pairing: { sources: named, paths } });
    expect(of(dev(11)).suggestion).toBe(
      'In the plan, under pairing.paths, correct `- { pattern: "^DEV_", replace: "PRD_" }` to `- { pattern: "^DEV_", replace: "PROD_" }` (a guess: check it)',
    );
  });

  test("where none has a hand in it one is added", async () => {
    const paths = [{ pattern: "^SHOP_", replace: "PRD_" }];
    const of = await unpaired({ sources: bothSources, items, pairing: { sources: named, paths } });
    expect(of(dev(11)).suggestion).toContain(
      'under pairing.paths, add `- { pattern: "^DEV_", replace: "PROD_" }`',
    );
  });
});
