import { describe, expect, it } from "vitest";
import { asText, type JsonObject, isObject, list } from "../../src/emulator/json.ts";
import { entriesOf } from "../../src/emulator/quality/sub-entities.ts";
import { prepareDemo } from "../../src/emulator/scenarios/demo/index.ts";
import { Tenant } from "../../src/emulator/tenant.ts";

const source = tenant("dev");
const target = tenant("prod");
prepareDemo(source, target);

const rules = published(source.rules.values());
const terms = published(source.terms.values());
const primaryUrns = new Set<string>(
  [...source.items.values()].flatMap(({ primaryMonitorUrn }) => primaryMonitorUrn ?? []),
);
const allMonitors = published(source.monitors.values());
const monitors = allMonitors.filter((monitor) => !primaryUrns.has(monitor.urn));
const primaries = allMonitors.filter((monitor) => primaryUrns.has(monitor.urn));
const instances = monitors.flatMap((monitor) =>
  entriesOf(monitor, "manualRuleInstances").map(([, value]) => value),
);

function tenant(name: string): Tenant {
  return new Tenant({ name, seed: 7, clock: () => 0 });
}

function published<T>(rows: Iterable<{ readonly published?: T }>): T[] {
  return [...rows].map((row) => row.published).filter((value) => value !== undefined);
}

function inputs(rule: JsonObject): JsonObject[] {
  return entriesOf(rule, "inputGroups").flatMap(([, group]) =>
    entriesOf(group, "inputs").map(([, input]) => input),
  );
}

function groups(rule: JsonObject): JsonObject[] {
  return entriesOf(rule, "inputGroups").map(([, group]) => group);
}

function implementation(rule: JsonObject): JsonObject {
  const value = rule["implementation"];
  return isObject(value) ? value : {};
}

function conditions(rule: JsonObject): JsonObject[] {
  return entriesOf(implementation(rule), "conditions").map(([, condition]) => condition);
}

describe("the counts of the demo", () => {
  it("fills the source", () => {
    expect(source.counts()).toMatchObject({
      // 40 were imported, two are SQL items.
      items: 42,
      terms: 60,
      rules: 52,
      monitors: 80,
      dashboards: 6,
      termAssignments: 19,
      drafts: 2,
    });
    expect(monitors).toHaveLength(40);
  });

  it("gives the target only what is given, and a little of its own", () => {
    expect(target.counts()).toMatchObject({
      items: 40,
      terms: 0,
      rules: 0,
      monitors: 40,
      dashboards: 0,
      termAssignments: 0,
      drafts: 0,
    });
    const imported = (tenant: Tenant): number =>
      [...tenant.items.values()]
        .filter((item) => item.originPath !== undefined)
        .reduce((sum, { urn }) => sum + tenant.attributes.bucket(`item:${urn}`).length, 0);
    expect(target.counts().attributes).toBe(imported(source));
    expect(source.counts().attributes).toBe(imported(source) + 11);
    for (const type of ["source", "connection", "location", "group", "detectionRule"]) {
      const count = (tenant: Tenant): number => tenant.entities.bucket(`type:${type}`).length;
      expect(count(target), type).toBe(count(source));
      expect(count(source), type).toBeGreaterThan(2);
    }
  });
});

describe("items of the demo", () => {
  it("have 5 to 12 attributes, and attributes of every data type", () => {
    for (const item of source.items.values()) {
      const count = source.attributes.bucket(`item:${item.urn}`).length;
      expect(count, item.name).toBeGreaterThanOrEqual(5);
      expect(count, item.name).toBeLessThanOrEqual(12);
    }
    const dataTypes = new Set([...source.attributes.values()].map((attribute) => attribute.dataType));
    expect([...dataTypes].sort()).toEqual([
      "BOOLEAN",
      "DATE",
      "DATETIME",
      "DOUBLE",
      "FLOAT",
      "INTEGER",
      "LONG",
      "STRING",
    ]);
  });

  it("have two of the same name, in different locations", () => {
    const twins = [...source.items.values()].filter((item) => item.name === "audit_log");
    expect(twins.map((item) => item.originPath)).toEqual([
      "DEV_SHOP/delivery/audit_log",
      "DEV_SHOP/supply/audit_log",
    ]);
  });

  it("have stewards, aliases and extra properties in the source", () => {
    expect([...source.stewards.keys()].filter((urn) => source.items.has(urn))).toHaveLength(5);
    expect([...source.items.values()].filter((item) => item.aliases.length > 0)).toHaveLength(3);
    expect(
      [...source.items.values()].filter((item) => "retentionMonths" in item.extraProperties),
    ).toHaveLength(4);
  });
});

describe("terms of the demo", () => {
  it("are of four types, one of them the tenant's own", () => {
    const counts = Object.groupBy(terms, (term) => term.type);
    expect(Object.entries(counts).map(([type, members]) => [type, members?.length])).toEqual([
      ["businessTerm", 36],
      ["securityTerm", 8],
      ["policyTerm", 8],
      ["keyFigureTerm", 8],
    ]);
    expect(source.model.get("keyFigureTerm")).toEqual(target.model.get("keyFigureTerm"));
  });

  it("have plain, rich and no descriptions", () => {
    const rich = terms.filter((term) => term.description?.startsWith("[") === true);
    expect(rich.length).toBeGreaterThan(5);
    for (const term of rich) expect(JSON.parse(term.description ?? "")).toBeInstanceOf(Array);
    expect(terms.some((term) => term.description !== undefined && !term.description.startsWith("["))).toBe(
      true,
    );
    expect(terms.some((term) => term.description === undefined)).toBe(true);
  });

  it("mention other terms of the tenant in rich text", () => {
    const uuids = new Set(terms.map((term) => term.urn.slice(-36)));
    const gids = terms.flatMap((term) =>
      [...(term.description ?? "").matchAll(/"gid":"([^"]*)"/g)].map((hit) => hit[1]),
    );
    expect(gids.length).toBeGreaterThan(10);
    for (const gid of gids) expect(uuids).toContain(gid);
  });

  it("have extra properties of every value type", () => {
    const shapes = new Set(
      terms.flatMap((term) =>
        Object.values(term.extraProperties).map((value) => {
          if (Array.isArray(value)) return "references";
          return typeof value === "string" && value.startsWith("urn:") ? "reference" : typeof value;
        }),
      ),
    );
    expect([...shapes].sort()).toEqual(["boolean", "number", "reference", "references", "string"]);
  });

  it("only use properties that their type has, some of them read-only", () => {
    let readOnly = 0;
    for (const term of terms) {
      for (const name of Object.keys(term.extraProperties)) {
        const property = source.model.property(term.type, name);
        expect(property, `${term.name}: ${name}`).toBeDefined();
        if (property?.editable === false) readOnly += 1;
      }
    }
    expect(readOnly).toBe(2);
  });

  it("have detection rules, with and without an operator", () => {
    const rulesOf = terms.map((term) => term.detectionRules).filter((value) => value !== undefined);
    const operators = new Set(rulesOf.map((value) => value["operator"]));
    expect(operators).toEqual(new Set(["AND", "OR", undefined]));
    for (const value of rulesOf) expect(list(value, "ruleAssignments").length).toBeGreaterThan(0);
  });

  it("have rules of propagation that nobody documents", () => {
    expect(terms.filter((term) => term.attributeToCatalogItemTermRules !== undefined)).toHaveLength(1);
  });
});

describe("rules of the demo", () => {
  it("are 50 with expressions and 2 of the condition builder", () => {
    const built = rules.filter((rule) => conditions(rule).some((entry) => entry["stringExpression"] === ""));
    expect(built).toHaveLength(2);
    expect(rules).toHaveLength(52);
  });

  it("have every number of inputs and groups", () => {
    const counts = new Set(rules.map((rule) => inputs(rule).length));
    expect(counts).toContain(1);
    expect(counts).toContain(2);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(4);
    expect(new Set(rules.map((rule) => groups(rule).length))).toEqual(new Set([1, 2, 3]));
    for (const rule of rules) expect(groups(rule).some((group) => group["joined"] === false)).toBe(true);
    expect(rules.some((rule) => groups(rule).some((group) => group["joined"] === true))).toBe(true);
  });

  it("have several conditions, and parameters of several types", () => {
    expect(rules.some((rule) => conditions(rule).length === 1)).toBe(true);
    expect(rules.some((rule) => conditions(rule).length > 2)).toBe(true);
    const parameters = rules.flatMap((rule) =>
      entriesOf(rule, "parameters").map(([, parameter]) => parameter),
    );
    expect(new Set(parameters.map((parameter) => parameter["dataType"])).size).toBeGreaterThan(3);
    expect(parameters.some((parameter) => parameter["defaultValue"] === undefined)).toBe(true);
  });

  it("use every result of every dimension", () => {
    const used = new Set(
      rules.flatMap((rule) => [
        implementation(rule)["otherwiseResultUrn"],
        ...conditions(rule).map((condition) => condition["resultUrn"]),
      ]),
    );
    const dimensions = [...source.dimensions.values()];
    expect(dimensions.map(({ name, results }) => [name, results.length])).toEqual([
      ["Completeness", 2],
      ["Validity", 2],
      ["Uniqueness", 3],
      ["Accuracy", 3],
      ["Timeliness", 4],
    ]);
    for (const result of dimensions.flatMap((dimension) => dimension.results)) {
      expect(used, result.name).toContain(result.urn);
    }
  });

  it("transform inputs, and rules as a whole", () => {
    const transformed = rules.filter((rule) =>
      inputs(rule).some((input) => entriesOf(input, "transformations").length > 0),
    );
    expect(transformed.length).toBeGreaterThan(5);
    expect(
      rules.filter((rule) => entriesOf(implementation(rule), "transformations").length > 0),
    ).toHaveLength(1);
  });

  it("have two of one name and different content, and names in other scripts", () => {
    const twins = rules.filter((rule) => rule.name === "Email format");
    expect(twins).toHaveLength(2);
    expect(conditions(twins[0] ?? {}).length).not.toBe(conditions(twins[1] ?? {}).length);
    expect(rules.filter((rule) => /[^ -~]/.test(rule.name)).length).toBeGreaterThanOrEqual(3);
  });

  it("have one with an unpublished change", () => {
    const changed = [...source.rules.values()].filter((row) => row.draftType === "CHANGE");
    expect(changed.map((row) => row.published?.name)).toEqual(["Cold chain temperature"]);
    expect(changed[0]?.draft).not.toEqual(changed[0]?.published);
  });
});

describe("monitors of the demo", () => {
  it("apply rules with mappings, parameter values and thresholds", () => {
    expect(instances.length).toBeGreaterThan(60);
    expect(instances.every((instance) => entriesOf(instance, "mappings").length > 0)).toBe(true);
    expect(instances.some((instance) => entriesOf(instance, "parameterValues").length > 3)).toBe(true);
    expect(instances.some((instance) => entriesOf(instance, "dqThresholds").length > 1)).toBe(true);
    expect(instances.some((instance) => instance["enabled"] === false)).toBe(true);
    expect(instances.some((instance) => instance["ruleInstanceName"] !== undefined)).toBe(true);
    expect(monitors.some((monitor) => Object.keys(monitor["manualRuleInstances"] ?? {}).length === 0)).toBe(
      true,
    );
  });

  it("use all rules but those of the condition builder", () => {
    const used = new Set(
      allMonitors.flatMap((monitor) =>
        entriesOf(monitor, "manualRuleInstances").map(([, value]) => value["ruleUrn"]),
      ),
    );
    const unused = rules.filter((rule) => !used.has(rule.urn)).map((rule) => rule.name);
    expect(unused).toEqual(["Supplier has a contact (built)", "Fuel level (built)"]);
  });

  it("join items: one and two joins, one and two pairs, within a source and across sources", () => {
    const joins = monitors.map((monitor) => entriesOf(monitor, "joinConfigurations"));
    expect(new Set(joins.map((list) => list.length))).toEqual(new Set([0, 1, 2]));
    const pairs = joins.flat().map(([, join]) => entriesOf(join, "foreignKeyPairs").length);
    expect(new Set(pairs)).toEqual(new Set([1, 2]));
    const crossing = monitors.filter((monitor) =>
      entriesOf(monitor, "joinConfigurations").some(([, join]) => {
        const connected = source.items.get(asText(join["connectedCatalogItemUrn"]));
        return connected?.sourceUrn !== source.items.get(monitor.catalogItemUrn)?.sourceUrn;
      }),
    );
    expect(crossing.length).toBeGreaterThanOrEqual(2);
  });

  it("name the join of every connected mapping", () => {
    let connected = 0;
    for (const monitor of allMonitors) {
      const keys = entriesOf(monitor, "joinConfigurations").map(([key]) => key);
      for (const [, instance] of entriesOf(monitor, "manualRuleInstances")) {
        for (const [, mapping] of entriesOf(instance, "connectedMappings")) {
          expect(keys).toContain(mapping["joinConfigurationKey"]);
          connected += 1;
        }
      }
    }
    expect(connected).toBeGreaterThan(10);
  });

  it("have schedules that run and schedules that do not, in several time zones", () => {
    const schedules = monitors.map((monitor) => monitor["schedule"]).filter(isObject);
    expect(schedules.length).toBeGreaterThan(20);
    expect(schedules.length).toBeLessThan(monitors.length);
    expect(schedules.filter((schedule) => schedule["enabled"] === false).length).toBeGreaterThan(3);
    expect(new Set(schedules.map((schedule) => schedule["timeZone"])).size).toBeGreaterThan(4);
    expect(new Set(schedules.map((schedule) => schedule["cronExpression"])).size).toBeGreaterThan(4);
  });

  it("have thresholds at both levels, some without severity", () => {
    const overall = monitors.flatMap((monitor) =>
      entriesOf(monitor, "overallDqThresholds").map(([, value]) => value),
    );
    const own = instances.flatMap((instance) =>
      entriesOf(instance, "dqThresholds").map(([, value]) => value),
    );
    for (const thresholds of [overall, own]) {
      expect(new Set(thresholds.map((threshold) => threshold["severity"]))).toEqual(
        new Set(["WARNING", "ERROR", undefined]),
      );
    }
  });

  it("have profiling, anomaly detection, invalid samples and exports", () => {
    const types = monitors.map((monitor) => monitor["profilingConfiguration"]).filter(isObject);
    expect(new Set(types.map((value) => value["type"]))).toEqual(new Set(["FULL", "SAMPLE"]));
    expect(new Set(types.map((value) => value["enabled"]))).toEqual(new Set([true, false]));
    for (const key of ["anomalyDetectionConfiguration", "invalidSamplesConfiguration"]) {
      expect(monitors.filter((monitor) => monitor[key] !== undefined).length, key).toBeGreaterThan(3);
    }
    const exports = monitors.flatMap((monitor) =>
      entriesOf(monitor, "exportDefinitions").map(([, value]) => value),
    );
    expect(new Set(exports.map((value) => value["enabled"]))).toEqual(new Set([true, false]));
    expect(exports.filter((value) => value["connectionUrn"] !== undefined)).toHaveLength(1);
  });

  it("have one that was never published", () => {
    const drafts = [...source.monitors.values()].filter((row) => row.draftType === "NEW");
    expect(drafts.map((row) => row.draft?.["name"])).toEqual(["Movements (not published yet)"]);
    expect(drafts[0]?.published).toBeUndefined();
  });

  it("have two of one name on two items", () => {
    expect(monitors.filter((monitor) => monitor["name"] === "Audit log")).toHaveLength(2);
  });
});

describe("primary monitors of the demo", () => {
  it("are configured on 8 items", () => {
    const configured = primaries.filter((monitor) => entriesOf(monitor, "manualRuleInstances").length > 0);
    expect(configured).toHaveLength(8);
    expect(configured.some((monitor) => monitor["schedule"] !== undefined)).toBe(true);
    expect(configured.some((monitor) => entriesOf(monitor, "overallDqThresholds").length > 0)).toBe(true);
    expect(configured.some((monitor) => entriesOf(monitor, "joinConfigurations").length > 0)).toBe(true);
  });

  it("carry the rules of assigned terms, which other monitors never do", () => {
    const withTerms = primaries.filter((monitor) => entriesOf(monitor, "termRuleInstances").length > 0);
    const names = withTerms.map((monitor) => source.items.get(monitor.catalogItemUrn)?.name);
    expect(new Set(names)).toEqual(
      new Set(["CUSTOMER", "PAYMENT", "PRODUCT", "SALES_ORDER", "supplier_contact"]),
    );
    expect(monitors.every((monitor) => entriesOf(monitor, "termRuleInstances").length === 0)).toBe(true);
    for (const monitor of primaries.filter((each) => !withTerms.includes(each))) {
      expect(entriesOf(monitor, "termRuleInstances")).toEqual([]);
    }
  });
});

describe("dashboards and assignments of the demo", () => {
  it("show monitors, some of them primary, one of these as the service made it", () => {
    const dashboards = published(source.dashboards.values());
    const shown = dashboards.flatMap((dashboard) => list(dashboard, "dqMonitorUrns").map(String));
    const shownPrimaries = shown.filter((urn) => primaryUrns.has(urn));
    expect(shown.length).toBeGreaterThan(shownPrimaries.length);
    expect(shownPrimaries.length).toBeGreaterThan(3);
    expect(dashboards.some((dashboard) => dashboard["description"] === undefined)).toBe(true);
  });

  it("assigns terms by hand and by detection, and denies some", () => {
    const assignments = [...source.attributes.values()].flatMap((attribute) => attribute.termAssignments);
    expect(assignments.filter((assignment) => assignment.source === "MANUAL").length).toBeGreaterThan(8);
    expect(assignments.filter((assignment) => assignment.source === "TERM_DETECTION").length).toBeGreaterThan(
      4,
    );
    const denied = [...source.attributes.values()].filter(
      (attribute) => attribute.termDetectionDenylist.length > 0,
    );
    expect(denied.map((attribute) => attribute.name).sort()).toEqual([
      "CARD_NUMBER",
      "deliveries",
      "reference",
    ]);
  });
});
