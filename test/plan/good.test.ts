import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planTemplate } from "../../src/cli/plan-template.ts";
import { registry } from "../../src/kinds/index.ts";
import { loadPlan } from "../../src/plan/load.ts";
import { planForm } from "../../src/plan/schema.ts";
import { load, least, problems } from "./support.ts";

describe("what a plan leaves out", () => {
  const { plan, secrets } = load(least);

  test("the environments are as they were written, and tokens come from baseUrl", () => {
    expect(plan.name).toBe("move");
    expect(plan.source).toEqual({
      name: "dev",
      baseUrl: "https://dev.example.com",
      authUrl: "https://dev.example.com",
      realm: "acme",
      clientId: "dev-id",
      clientSecret: "dev secret",
    });
    expect(plan.target).toEqual({
      name: "prod",
      baseUrl: "https://prod.example.com",
      authUrl: "https://prod.example.com",
      realm: "acme",
      clientId: "prod-id",
      clientSecret: "prod secret",
    });
  });

  test("every default is the one of the design", () => {
    expect(plan.select).toEqual({
      kinds: ["terms", "rules", "monitors", "dashboards"],
      include: [],
      exclude: [],
      dependencies: "include",
      entityTypes: [],
    });
    expect(plan.pairing).toEqual({
      sources: {},
      connections: {},
      paths: [],
      queries: [],
      parentProperties: {},
      groups: {},
    });
    expect(plan.policy).toEqual({
      adopt: "identical",
      drift: "report",
      ignoreFields: {},
      conflict: "report",
      missingTarget: "report",
      schedules: "keep",
      targetOnly: "keep",
      missingGroup: "block",
      replace: "manual",
      termLinks: "pending",
      missingProperty: "block",
      previousSteward: "viewMetadata",
    });
    expect(plan.limits).toEqual({
      concurrency: 8,
      requestTimeoutMs: 60_000,
      quietPeriodMs: 90_000,
      answerSizeBytes: 64 * 1_024 ** 2,
      attributesWaitMs: 30_000,
      workflowMs: 7_200_000,
      badRows: 1,
      publishWaitMs: 120_000,
    });
  });

  test("a section that is empty is as good as none", () => {
    const { plan: other } = load(`${least}select: {}\npairing: {}\npolicy: {}\nlimits: {}\n`);
    expect(other).toEqual(plan);
  });

  test("what must never be shown is both secrets", () => {
    expect(secrets).toEqual(["dev secret", "prod secret"]);
  });
});

test("the plan of the design loads, word for word", () => {
  const { plan } = load(`${least}  confirm: prod                            # typed by a person, or --yes
select:
  kinds: [terms, rules, monitors, dashboards]
  include: [ { kind: rules, name: "Email*" } ]
  exclude: [ { kind: monitors, name: "*sandbox*" } ]
  dependencies: include                    # or: mapped-only
pairing:
  sources: { "Snowflake DEV": "Snowflake PROD" }
  connections: { "dev-wh": "prod-wh" }
  paths: [ { pattern: "^DEV_", replace: "PROD_" } ]
  groups: { "0f8fad5b-d9cb-469f-a165-70867728950e": "7c9e6679-7425-40de-944b-e07fc1f90ae7" }
policy:
  adopt: by-name
  drift: overwrite
  conflict: source-wins
  missingTarget: recreate
  schedules: disable
  targetOnly: remove
  missingGroup: drop
limits:
  concurrency: 4
  requestTimeout: 2m
  quietPeriod: 500ms
`);
  expect(plan.target.confirm).toBe("prod");
  expect(plan.select.include).toEqual([{ kind: "rules", name: "Email*" }]);
  expect(plan.select.exclude).toEqual([{ kind: "monitors", name: "*sandbox*" }]);
  expect(plan.pairing.paths).toEqual([{ pattern: "^DEV_", replace: "PROD_" }]);
  expect(plan.policy).toMatchObject({ adopt: "by-name", targetOnly: "remove", replace: "manual" });
  expect(plan.limits).toEqual({
    concurrency: 4,
    requestTimeoutMs: 120_000,
    quietPeriodMs: 500,
    answerSizeBytes: 64 * 1_024 ** 2,
    attributesWaitMs: 30_000,
    workflowMs: 7_200_000,
    badRows: 1,
    publishWaitMs: 120_000,
  });
});

test("JSON is as good as YAML", () => {
  const side = (name: string): object => ({
    name,
    baseUrl: `https://${name}.example.com`,
    authUrl: "https://login.example.com",
    realm: name,
    clientId: "${DEV_ID}",
    clientSecret: "${DEV_SECRET}",
  });
  const text = JSON.stringify({ version: 1, source: side("dev"), target: side("prod") }, undefined, "\t");
  const { plan } = load(text, { name: "as-json.json" });
  expect(plan.name).toBe("as-json");
  expect(plan.source.authUrl).toBe("https://login.example.com");
  expect(plan.target.clientSecret).toBe("dev secret");
});

test.each([
  ["60s", 60_000],
  ["2m", 120_000],
  ["1h", 3_600_000],
  ["24h", 86_400_000],
  ["500ms", 500],
  ["1.5s", 1_500],
  ["0.25m", 15_000],
  ["30", 30_000],
  ["0.5", 500],
])("a time of %s is %d ms", (written, ms) => {
  const { plan } = load(`${least}limits:\n  requestTimeout: ${written}\n  quietPeriod: ${written}\n`);
  expect(plan.limits).toMatchObject({ requestTimeoutMs: ms, quietPeriodMs: ms });
});

test.each([
  ["64MB", 67_108_864],
  ["512KB", 524_288],
  ["1.5MB", 1_572_864],
  ["0.25GB", 268_435_456],
])("a size of %s is %d bytes", (written, bytes) => {
  const { plan } = load(`${least}limits:\n  answerSize: ${written}\n`);
  expect(plan.limits.answerSizeBytes).toBe(bytes);
});

test("a selector takes its URNs from a list and from a file beside the plan", () => {
  const { plan } = load(
    `${least}select:\n  include:\n    - kind: rules\n      urns: ["urn:a"]\n      file: rules.txt\n    - file: rules.txt\n`,
    { files: { "rules.txt": "# the first ones\r\nurn:b\r\n\r\n  urn:c  \n" } },
  );
  expect(plan.select.include).toEqual([
    { kind: "rules", urns: ["urn:a", "urn:b", "urn:c"] },
    { urns: ["urn:b", "urn:c"] },
  ]);
});

test("a plan is found by its path and by its name in the folder of plans", () => {
  const folder = join(import.meta.dirname, "plans");
  const named = { env: {}, selectable: registry.selectable(), sections: registry.sections(), folder };
  for (const plan of ["by-name", "by-name.yaml", "plans/by-name.yaml"]) {
    expect(loadPlan({ ...named, cwd: import.meta.dirname, plan }).path).toBe(join(folder, "by-name.yaml"));
  }
});

test("what ferry init writes is a plan with the defaults, but for the word to type", () => {
  const secret = { DEV_CLIENT_ID: "a", DEV_CLIENT_SECRET: "b", PROD_CLIENT_ID: "c", PROD_CLIENT_SECRET: "d" };
  const { plan } = load(planTemplate(), { env: secret });
  const { plan: bare } = load(least);
  expect(plan.target.confirm).toBe("prod");
  const { select, pairing, policy, limits } = plan;
  expect({ select, pairing, policy, limits }).toEqual({
    select: bare.select,
    pairing: bare.pairing,
    policy: bare.policy,
    limits: bare.limits,
  });
});

const examples = join(import.meta.dirname, "../../plans");
const files = existsSync(examples)
  ? readdirSync(examples).filter((file) => /\.(ya?ml|json)$/.test(file))
  : [];
test.runIf(files.length > 0).each(files)("the example plans/%s loads", (file) => {
  const text = readFileSync(join(examples, file), "utf8");
  const names = [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map((match) => match[1] ?? "");
  const filled = Object.fromEntries(names.map((name) => [name, "filled"]));
  const options = {
    plan: file,
    cwd: examples,
    folder: examples,
    env: filled,
    selectable: registry.selectable(),
    sections: registry.sections(),
  };
  expect(loadPlan(options).plan.source.clientSecret).toBe("filled");
});

test("the keys that are suggested are those that the schema takes, the kinds' own beside what they are like", () => {
  const selector = ["kind", "kinds", "name", "urns", "file"];
  const environment = ["name", "baseUrl", "authUrl", "realm", "clientId", "clientSecret", "masterData"];
  const masterData = ["baseUrl", "username", "password"];
  expect(planForm(registry.sections()).keys).toEqual({
    "": [
      "version",
      "source",
      "target",
      "select",
      "pairing",
      "policy",
      "acknowledged",
      "limits",
      "records",
      "flows",
    ],
    flows: ["before", "after"],
    "flows.before": ["configuration", "connection", "paths", "run"],
    "flows.after": ["configuration", "connection", "paths", "run"],
    acknowledged: ["kind", "name", "urn", "reason", "until", "print"],
    source: environment,
    "source.masterData": masterData,
    target: [...environment, "confirm"],
    "target.masterData": masterData,
    select: ["kinds", "entityTypes", "include", "exclude", "dependencies"],
    "select.include": selector,
    "select.exclude": selector,
    pairing: ["sources", "connections", "paths", "queries", "groups", "parentProperties"],
    "pairing.paths": ["pattern", "replace"],
    "pairing.queries": ["pattern", "replace"],
    policy: [
      "adopt",
      "drift",
      "conflict",
      "missingTarget",
      "schedules",
      "targetOnly",
      "missingGroup",
      "replace",
      "ignoreFields",
      "missingProperty",
      "termLinks",
      "previousSteward",
    ],
    limits: [
      "concurrency",
      "requestTimeout",
      "quietPeriod",
      "answerSize",
      "attributesWait",
      "workflow",
      "badRows",
      "publishWait",
    ],
    records: ["referenceData", "masterData", "remove"],
    "records.masterData": [
      "layer",
      "entity",
      "view",
      "origins",
      "columns",
      "filter",
      "relationships",
      "overrides",
      "activity",
      "key",
      "authored",
    ],
    "records.referenceData": ["table", "targetTable", "key", "publish"],
  });
});

test("what ferry init writes names every key that a plan may have", () => {
  for (const keys of Object.values(planForm(registry.sections()).keys))
    for (const key of keys.filter((name) => !["kinds", "urns", "file"].includes(name)))
      expect(planTemplate()).toMatch(new RegExp(`\\b${key}:`));
});

test("an environment may name its master-data server, and the password is never shown", () => {
  const server = 'masterData: { baseUrl: "http://mdm:8051", username: ferry, password: "${MDM}" }';
  const text = least.replace("target:", `  ${server}\ntarget:`);
  const { plan, secrets } = load(text, { env: { MDM: "mdm secret" } });
  expect(plan.source.masterData).toEqual({
    baseUrl: "http://mdm:8051",
    username: "ferry",
    password: "mdm secret",
  });
  expect(plan.target.masterData).toBeUndefined();
  expect(secrets).toEqual(["dev secret", "mdm secret", "ferry:mdm secret", "prod secret"]);
  const wrong = (line: string): string =>
    JSON.stringify(problems(least.replace("target:", `  masterData:\n${line}\ntarget:`)));
  expect(wrong("    baseUrl: http://mdm\n    username: a:b\n    password: hidden")).toContain("no colon");
  for (const line of [
    "    password: hidden: x",
    "    password: [hidden",
    "    passwordhidden",
    "    hidden: 1",
  ])
    expect(wrong(line)).not.toContain("hidden");
});

test("an entity of master data has one form for instances and one for masters, and says which", () => {
  const entity = (text: string): readonly string[] =>
    problems(`${least}records: { masterData: [ ${text} ] }\n`).map(
      ({ summary, suggestion = "" }) => `${summary}. ${suggestion}`,
    );
  const both =
    "{ layer: instance, entity: party }, { layer: master, view: v, entity: party, key: [cmo_code] }";
  const { plan } = load(`${least}records: { masterData: [ ${both} ] }\n`);
  expect(plan.records.masterData.map(({ columns }) => columns)).toEqual([["src_*"], ["cmo_*"]]);
  expect(entity("{ layer: golden, entity: party }")).toEqual([
    '"records.masterData[0].layer": it is none of instance, master. Write one of instance, master.',
  ]);
  expect(entity("{ entity: party }")).toEqual(['"records.masterData[0].layer" is missing. ']);
  expect(entity("{ layer: master, entity: party, key: [cmo_code] }")).toEqual([
    '"records.masterData[0].view" is missing. ',
  ]);
  expect(entity("{ layer: instance, entity: party, key: [x] }")).toEqual([
    'unknown key "records.masterData[0].key". Another form of this entry has it, and this one does not: see plans/README.md.',
  ]);
});
