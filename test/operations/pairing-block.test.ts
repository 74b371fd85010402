import { expect, test } from "vitest";
import { parse } from "yaml";
import { pairingBlock } from "../../src/operations/doctor/pairing-block.ts";
import { registry } from "../../src/kinds/index.ts";
import { planForm } from "../../src/plan/schema.ts";

const pairing = {
  sources: { "Shop DEV": "Shop PROD" },
  connections: {},
  paths: [{ pattern: "^DEV_", replace: "PROD_" }],
  queries: [],
  parentProperties: {},
  groups: { "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a01": "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a01" },
};
const uuid = "b3e9d7f4-52c8-4e10-8f6d-21a4c90e7a02";
const loose = [
  { section: "sources", name: "Snowflake DEV", nearest: "Snowflake PROD" },
  { section: "connections", name: "dev-wh" },
  { section: "groups", name: "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a02" },
] as const;

/** As the plan's reader takes it. */
const read = (block: string): unknown => {
  const { pairing: found } = parse(block) as { pairing: unknown };
  return planForm(registry.sections()).schema.shape.pairing.parse(found);
};

test("pasted as it stands it says what the plan said", () => {
  const block = pairingBlock(pairing, loose, "prod");
  expect(read(block)).toEqual(pairing);
  expect(block).toContain('    # "Snowflake DEV": "Snowflake PROD",  # a guess by name\n');
  expect(block).toContain('    # "dev-wh": "<name>",  # as it is called at "prod"\n');
  expect(block).toContain('    # "6f0c1a52-0d7b-4f4e-9a34-5d1b7c1e0a02": "<uuid>",');
});

test("a guess counts when its # is taken away", () => {
  const block = pairingBlock(pairing, loose, "prod").replace('# "Snowflake', '"Snowflake');
  expect(read(block)).toMatchObject({
    sources: { "Shop DEV": "Shop PROD", "Snowflake DEV": "Snowflake PROD" },
  });
});

test("sections with nothing in them are empty, and names cannot leave their line", () => {
  const none = { sources: {}, connections: {}, paths: [], queries: [], parentProperties: {}, groups: {} };
  expect(read(pairingBlock(none, [], "prod"))).toEqual(none);
  const hostile = '"\n} # x: y\u001b[0m';
  const block = pairingBlock(
    { ...none, sources: { [hostile]: hostile } },
    [{ section: "sources", name: hostile }],
    hostile,
  );
  expect(read(block)).toEqual({ ...none, sources: { [hostile]: hostile } });
  expect(block.replaceAll("\n", "")).toMatch(/^[\u0020-\u007e]*$/u);
});

test("it is a plan's section with every # taken away, also of namesakes and of what finds no twin", () => {
  const written = { ...pairing, sources: { "Shop DEV": "Shop PRDO" } };
  const block = pairingBlock(
    written,
    [
      { section: "sources", name: "Shop DEV", nearest: "Shop PROD" },
      ...loose,
      { section: "sources", name: "Snowflake DEV", nearest: "Snowflake PROD" },
      { section: "connections", name: "dev-wh", nearest: "prod-wh" },
    ],
    "prod",
  );
  expect(read(block)).toEqual(written);
  expect(block).toContain(
    '"Shop DEV": "Shop PRDO",  # finds no twin at "prod"; a guess by name: "Shop PROD"',
  );
  const uncommented = block.replaceAll(/^( +)# /gm, "$1").replaceAll('"<uuid>"', `"${uuid}"`);
  expect(read(uncommented)).toMatchObject({
    sources: { "Shop DEV": "Shop PRDO", "Snowflake DEV": "Snowflake PROD" },
    connections: { "dev-wh": "prod-wh" },
  });
});
