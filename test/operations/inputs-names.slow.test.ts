import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, Tenant } from "../../src/emulator/index.ts";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import {
  seedDashboard,
  seedMetadataProperty,
  seedMonitor,
  seedRule,
  seedTerm,
} from "../../src/emulator/seed.ts";
import { ServiceError } from "../../src/service/index.ts";
import { differences } from "../support/meaning.ts";
import { world, type World } from "../support/world.ts";
import { filesBelow, refusal, run, writes } from "./support.ts";

/** Names come from the service, and so from anybody: none may lead anywhere but into a name. */
const hostile: Record<string, string> = {
  "the prototype": "__proto__",
  "a member of every object": "constructor",
  "another member": "toString",
  "a path upwards": "../../../etc/x",
  "a path of Windows": "..\\..\\x:y",
  "an absolute path": "/dev/null",
  "control characters": "a\u0000b\u0007c\u001b[31md\r\ne\u007f\u0085",
  "5,000 characters": "x".repeat(5000),
  "an emoji of several parts": "👩‍👩‍👧‍👦 \u{1F9EA}",
  "a right-to-left override": "invoice\u202Egpj.exe",
  "half a surrogate pair": "half \uD83D of one",
  "line separators": "one\u2028two\u2029\uFEFFthree",
  "signs of private use": "\uE000urn:data:dev:catalog:term:\uE001 \uE000",
  "a pattern of replacement": "$& $1 $` $' ${HOME} %s %00",
  "a JSON pointer": "/a~1b~0c/*/-",
  markup: '<script>alert(1)</script> & "quotes" \'',
  "a new key": "new_0b7e7a1e-0000-4000-8000-000000000000",
  "white space": " padded ",
  "a number": "0",
};

let bare: World;
let source: Tenant;
let target: Tenant;
beforeEach(async () => {
  bare = await world("empty");
  source = bare.emulator.tenant("dev");
  target = bare.emulator.tenant("prod");
});
afterEach(async () => bare.close());

const left = (): readonly string[] => differences(source, target, { renames: demoPairing });

/** One of each kind under the same name, the later referring to the earlier. */
function seedAll(name: string): void {
  const [dimension] = [...source.dimensions.values()];
  const [attribute] = [...source.attributes.values()];
  if (dimension === undefined || attribute === undefined) throw new Error("the scenario lacks given things");
  const first = seedTerm(source, { name, description: name, extraProperties: { owner: name } });
  seedTerm(source, { name: `${name}~`, extraProperties: { partOf: first.urn } });
  const resultUrn = dimension.results[0]?.urn ?? "";
  const rule = seedRule(source, {
    name,
    description: name,
    inputGroups: { main: { joined: false, inputs: { value: { name, dataType: "STRING" } } } },
    parameters: { limit: { name, dataType: "STRING", defaultValue: name } },
    implementation: {
      dqDimensionUrn: dimension.urn,
      conditions: { only: { order: 0, stringExpression: name, resultUrn, explanation: name } },
      otherwiseResultUrn: resultUrn,
    },
  });
  const monitor = seedMonitor(source, {
    catalogItemUrn: attribute.catalogItemUrn,
    name,
    manualRuleInstances: {
      one: {
        ruleUrn: rule.urn,
        ruleInstanceName: name,
        enabled: true,
        mappings: {
          one: { catalogItemAttributeUrn: attribute.urn, ruleAttributeUrn: rule.urns["value"] ?? "" },
        },
        parameterValues: { one: { value: name, ruleParameterUrn: rule.urns["limit"] ?? "" } },
      },
    },
    exportDefinitions: { one: { name, type: "INVALID_RECORDS", format: "CSV", enabled: true } },
  });
  seedDashboard(source, { name, description: name, dqMonitorUrns: [monitor.urn] });
}

describe("names of objects", () => {
  test.each(Object.keys(hostile))("%s", async (what) => {
    seedAll(hostile[what] ?? "");
    const result = await run(bare, {}, { verify: true });
    expect(result.summary).toMatchObject({ create: 5, failed: 0, blocked: 0, inDoubt: 0 });
    expect(result.exitCode).toBe(0);
    expect(left()).toEqual([]);
    // Names of files come from kinds alone.
    const files = [...filesBelow(bare.folder).keys()].filter(
      (file) => !/^plans\/test\/runs\/[\dTZa-f-]+\.ndjson$/.test(file),
    );
    expect(files.filter((file) => !/^[a-z/-]+\.(json|ndjson)$/.test(file))).toEqual(["mappings/.gitignore"]);
    const before = filesBelow(`${bare.folder}/mappings`);
    bare.emulator.log.clear();
    const again = await run(bare, {}, { verify: true });
    expect(writes(bare.emulator, "prod")).toEqual([]);
    expect(again.summary).toMatchObject({ create: 0, update: 0 });
    expect(filesBelow(`${bare.folder}/mappings`)).toEqual(before);
    expect(Object.prototype).not.toHaveProperty("name");
  });

  test("all of them at once stay apart", async () => {
    for (const name of Object.values(hostile)) seedAll(name);
    const result = await run(bare, {}, { verify: true });
    expect(result.summary).toMatchObject({ create: 5 * Object.keys(hostile).length, failed: 0, blocked: 0 });
    expect(left()).toEqual([]);
  });
});

describe("names of extra properties", () => {
  const define = (name: string): void => {
    for (const tenant of [source, target]) seedMetadataProperty(tenant, "businessTerm", { name });
  };
  /** As the service would have stored it: nothing in between touches the name. */
  const put = (name: string): void => {
    const { urn } = seedTerm(source, { name: "Carrier" });
    const row = source.terms.get(urn);
    if (row?.published === undefined) throw new Error("no term");
    const extraProperties = JSON.parse(`{${JSON.stringify(name)}: "kept"}`) as JsonObject;
    source.terms.put({ ...row, published: { ...row.published, extraProperties } });
  };
  const refused = new Set(["white space", "half a surrogate pair", "a new key"]);

  test.each(Object.keys(hostile).filter((what) => !refused.has(what)))("%s", async (what) => {
    const name = hostile[what] ?? "";
    define(name);
    put(name);
    const result = await run(bare, {}, { verify: true });
    expect(result.summary).toMatchObject({ create: 1, failed: 0 });
    expect(left()).toEqual([]);
    const [term] = [...target.terms.values()];
    expect(Object.entries(term?.published?.extraProperties ?? {})).toEqual([[name, "kept"]]);
    bare.emulator.log.clear();
    await run(bare);
    expect(writes(bare.emulator, "prod")).toEqual([]);
  });

  // A list that is separated by commas cannot ask for these (document 1, "Extra properties").
  test.each(["a,b", ",", "white space", "half a surrogate pair"])(
    "%s cannot be asked for: refused, nothing done",
    async (what) => {
      const name = hostile[what] ?? what;
      define(name);
      put(name);
      const error = await refusal(run(bare));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error.message).toMatch(/is not an extra property|cannot be asked for in extraProperties/);
      expect(writes(bare.emulator, "prod")).toEqual([]);
      expect(target.counts().terms).toBe(0);
    },
  );
});

// Reserved for new sub-entities (document 2, "Sub-entity identifiers" 2): no stored object has such a key.
test("a temporary key where a name should be is refused, and what depends on it is not sent", async () => {
  seedAll("Plain");
  for (const row of source.rules.values()) {
    if (row.published === undefined) continue;
    source.rules.put({
      ...row,
      published: { ...row.published, options: { [hostile["a new key"] ?? ""]: "kept" } },
    });
  }
  const result = await run(bare);
  expect(result.summary.failed).toBe(1);
  const failed = result.changes.find((change) => change.outcome === "failed");
  expect(failed).toMatchObject({ kind: "rules", source: { name: "Plain" } });
  expect(failed?.diagnostics.map((diagnostic) => diagnostic.summary).join()).toContain("new_");
  expect(
    result.changes.filter((change) => change.outcome === "blocked").map((change) => change.kind),
  ).toEqual(["monitors", "dashboards"]);
  expect(target.counts()).toMatchObject({
    terms: 2,
    rules: 0,
    dashboards: 0,
    drafts: 0,
    monitors: target.counts().items,
  });
});

describe("names of fields that no document names", () => {
  test.each(Object.keys(hostile).filter((what) => what !== "a new key"))("%s", async (what) => {
    const name = hostile[what] ?? "";
    seedAll("Plain");
    const field = (value: unknown): JsonObject =>
      JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as JsonObject;
    for (const row of source.rules.values()) {
      if (row.published === undefined) continue;
      const extra = { options: { ...field({ deep: [1, field(true)] }) } };
      source.rules.put({ ...row, published: { ...row.published, ...extra, ...field("top") } });
    }
    const result = await run(bare, {}, { verify: true });
    expect(result.summary).toMatchObject({ create: 5, failed: 0, blocked: 0 });
    expect(left()).toEqual([]);
    expect(JSON.stringify(target.rules.get([...target.rules.values()][0]?.urn ?? "")?.published)).toContain(
      JSON.stringify(name),
    );
    bare.emulator.log.clear();
    await run(bare);
    expect(writes(bare.emulator, "prod")).toEqual([]);
  });
});
