import { seedCatalogItem, seedRecord, seedReferenceTable } from "../../../src/emulator/seed.ts";
import type { Json, JsonObject } from "../../../src/emulator/json.ts";
import type { Monitor, Rule } from "../../../src/emulator/state.ts";
import type { MasterData, Tenant } from "../../../src/emulator/index.ts";
import { masterDataBooks } from "../../../src/emulator/index.ts";
import type { Urn } from "../../../src/model/urn.ts";

/**
 * Gives terms, rules and monitors of `large:N` the size that they have in `demo` (about 400, 1,300 and 1,400 characters
 * of JSON): what an object costs depends on its fields, and small ones would flatter.
 */
export function growToDemo(tenant: Tenant): void {
  for (const term of tenant.terms.values()) {
    const { published } = term;
    if (published === undefined) continue;
    tenant.terms.put({
      ...term,
      published: { ...published, description: `${published.description ?? ""} ${prose}` },
    });
  }
  const inputs = new Map<Urn, Inputs>();
  for (const rule of tenant.rules.values()) {
    const grown: Inputs = { value: place(tenant), country: place(tenant) };
    inputs.set(rule.urn, grown);
    if (rule.published !== undefined)
      tenant.rules.put({ ...rule, published: ruleOf(tenant, rule.published, grown) });
  }
  for (const monitor of tenant.monitors.values()) {
    const { published } = monitor;
    const ruleUrn = ruleOfMonitor(published);
    const grown = ruleUrn === undefined ? undefined : inputs.get(ruleUrn);
    if (published === undefined || ruleUrn === undefined || grown === undefined) continue;
    tenant.monitors.put({ ...monitor, published: monitorOf(tenant, published, ruleUrn, grown) });
  }
}

/** Terms and nothing else: as many of one kind as one likes. */
export function putTerms(tenant: Tenant, count: number): void {
  for (let index = 1; index <= count; index += 1) {
    const urn = tenant.newUrn("catalog:term");
    const published = {
      urn,
      type: "businessTerm",
      name: `Term ${index}`,
      description: `What term ${index} means. ${prose}`,
      extraProperties: {},
    };
    tenant.terms.put({ urn, published, draftType: "NONE" });
  }
}

/** One table: full at the source, empty at the target, which shows at once what is published. */
export function putRows(source: Tenant, target: Tenant, count: number): void {
  const columns = {
    code: "STRING",
    name: "STRING",
    amount: "NUMBER",
    isOpen: "BOOLEAN",
    since: "DATE",
  } as const;
  const table = seedReferenceTable(source, { name: "Rows", columns });
  seedReferenceTable(target, { name: "Rows", columns });
  target.quirks.publishing = "at-once";
  for (let index = 1; index <= count; index += 1)
    seedRecord(source, table, {
      code: `R${index}`,
      name: `Row ${index}, kept by the data office`,
      amount: index / 4,
      isOpen: index % 3 === 0,
      since: "2026-01-05",
    });
}

/** Tables of a hundred columns, the same on both sides; the source has a description of each column. */
export function putColumns(source: Tenant, target: Tenant, count: number): void {
  const names = Array.from({ length: 100 }, (_, index) => `COLUMN_${index}`);
  for (const tenant of [source, target]) {
    const place = [...tenant.items.values()].find(({ name }) => name === "CUSTOMER");
    if (place === undefined) throw new Error("the scenario has no table CUSTOMER");
    const isSource = tenant === source;
    for (let table = 0; table < count / names.length; table += 1) {
      const name = `TABLE_${table}`;
      const { parentUrn } = place;
      const originPath = `${(place.originPath ?? "").split("/").slice(0, -1).join("/")}/${name}`;
      const attributes = names.map((column) =>
        isSource ? { name: column, description: `What ${column} of ${name} holds. ${prose}` } : column,
      );
      seedCatalogItem(tenant, { name, parentUrn, originPath, attributes });
    }
  }
}

/** Instances of one entity, none like another. */
export function putRecords(source: MasterData, count: number): void {
  for (let index = 1; index <= count; index += 1)
    masterDataBooks.putInstance(source, {
      entity: "party",
      origin: "crm#party#Main",
      sourceId: `R${index}`,
      attributes: {
        src_name: `Party ${index}`,
        src_email: `party${index}@example.com`,
        src_credit_limit: index,
        src_is_vip: index % 3 === 0,
      },
    });
}

const prose = [
  "Kept by the data office, reviewed once a quarter with the people who enter it, and used in the monthly report to the board.",
  "Counts what has been confirmed; what is still open is shown elsewhere.",
].join(" ");

interface Inputs {
  readonly value: Place;
  readonly country: Place;
}

interface Place {
  readonly key: string;
  readonly urn: Urn;
}

function place(tenant: Tenant): Place {
  const key = tenant.newUuid();
  return { key, urn: tenant.urnFor("data-quality:rule-attribute", key) };
}

function ruleOf(tenant: Tenant, { urn, name }: Rule, { value, country }: Inputs): Rule {
  const validity = [...tenant.dimensions.values()].find((dimension) => dimension.name === "Validity");
  const result = (wanted: string): Json =>
    validity?.results.find((each) => each.name === wanted)?.urn ?? null;
  const dimension: JsonObject = validity === undefined ? {} : { dqDimensionUrn: validity.urn };
  return {
    urn,
    name,
    inputGroups: {
      [tenant.newUuid()]: {
        joined: false,
        inputs: {
          [value.key]: { urn: value.urn, name: "value", dataType: "STRING" },
          [country.key]: { urn: country.urn, name: "country", dataType: "STRING" },
        },
      },
    },
    implementation: {
      ...dimension,
      conditions: {
        [tenant.newUuid()]: {
          order: 0,
          stringExpression: "value is null or country is null",
          resultUrn: result("Invalid"),
          explanation: `${name} has nothing to look at`,
        },
        [tenant.newUuid()]: {
          order: 1,
          stringExpression: `country = 'CZ' and length(value) > ${name.length}`,
          resultUrn: result("Invalid"),
          explanation: "Too long",
        },
      },
      otherwiseResultUrn: result("Valid"),
    },
  };
}

function ruleOfMonitor(monitor: Monitor | undefined): Urn | undefined {
  const instances = Object.values((monitor?.["manualRuleInstances"] ?? {}) as JsonObject);
  return (instances[0] as JsonObject | undefined)?.["ruleUrn"] as Urn | undefined;
}

function monitorOf(tenant: Tenant, monitor: Monitor, ruleUrn: Urn, { value, country }: Inputs): Monitor {
  const columns = tenant.attributes.valuesIn(`item:${monitor.catalogItemUrn}`).map(({ urn }) => urn);
  const [first, second] = columns;
  const instance = tenant.newUuid();
  const threshold = (value: number, severity: string): JsonObject => {
    const key = tenant.newUuid();
    return { [key]: { urn: tenant.urnFor("data-quality:dq-threshold", key), value, severity } };
  };
  const mapping = (column: Urn | undefined, input: Place): JsonObject =>
    column === undefined
      ? {}
      : { [tenant.newUuid()]: { catalogItemAttributeUrn: column, ruleAttributeUrn: input.urn } };
  return {
    ...monitor,
    schedule: {
      cronExpression: "0 15 * * * ?",
      enabled: false,
      timeZone: "UTC",
      ignoreMisfires: false,
      startAt: "2026-01-05T00:00:00Z",
    },
    anomalyDetectionConfiguration: { enabled: true },
    manualRuleInstances: {
      [instance]: {
        ruleInstanceUrn: tenant.urnFor("data-quality:rule-instance", instance),
        ruleUrn,
        enabled: true,
        mappings: { ...mapping(first, value), ...mapping(second, country) },
      },
    },
    overallDqThresholds: { ...threshold(99, "WARNING"), ...threshold(95, "ERROR") },
  };
}
