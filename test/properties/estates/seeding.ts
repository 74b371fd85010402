import type { Tenant } from "../../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../../src/emulator/index.ts";
import type { Seeded } from "../../../src/emulator/seed.ts";
import * as seed from "../../../src/emulator/seed.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import type { DashboardPlan, Estate, InstancePlan, MonitorPlan, RulePlan, TermPlan } from "./estate.ts";
import type { Given } from "./given.ts";

/** Writes an estate into a tenant. */
export class Seeding {
  readonly terms: Urn[] = [];
  readonly rules: Seeded<unknown>[] = [];
  readonly monitors: Urn[] = [];
  readonly #tenant: Tenant;
  readonly #given: Given;
  #plans: readonly RulePlan[] = [];

  constructor(tenant: Tenant, given: Given) {
    this.#tenant = tenant;
    this.#given = given;
  }

  estate(estate: Estate): void {
    this.addTerms(estate.terms);
    for (const rule of estate.rules) this.addRule(rule);
    for (const monitor of estate.monitors) this.addMonitor(monitor);
    for (const monitor of estate.primaries) {
      const { catalogItemUrn, ...body } = this.monitorBody(monitor);
      seed.seedPrimaryMonitor(this.#tenant, catalogItemUrn, body);
    }
    for (const dashboard of estate.dashboards) this.addDashboard(dashboard);
  }

  /** They may refer to each other in circles, so they are made first and filled then. */
  addTerms(plans: readonly TermPlan[]): void {
    const first = this.terms.length;
    for (const { type, name } of plans) this.terms.push(seed.seedTerm(this.#tenant, { type, name }).urn);
    for (const [index, plan] of plans.entries()) {
      const urn = this.terms[first + index];
      const row = urn === undefined ? undefined : this.#tenant.terms.get(urn);
      if (row?.published !== undefined)
        this.#tenant.terms.put({ ...row, published: { ...row.published, ...this.termFields(plan) } });
    }
  }

  termFields(plan: TermPlan): {
    description?: string;
    detectionRules?: JsonObject;
    extraProperties: JsonObject;
  } {
    const term = (number: number): Urn => pick(this.terms, number);
    const nodes = plan.mentions.map((number) => ({
      type: "entityReference",
      gid: uuidOf(term(number)),
      entityName: "a term",
    }));
    const description =
      nodes.length === 0
        ? plan.text
        : JSON.stringify([{ type: "paragraph", children: [{ text: plan.text }] }, ...nodes]);
    const detection = plan.detection.map(({ rule, threshold }) => ({
      detectionRuleUrn: this.#given.detectionRule(rule),
      threshold,
    }));
    return {
      ...(description === "" ? {} : { description }),
      ...(detection.length === 0 ? {} : { detectionRules: { operator: "OR", ruleAssignments: detection } }),
      extraProperties: {
        ...(plan.related.length === 0 ? {} : { related: [...new Set(plan.related.map(term))] }),
        ...(plan.broader === undefined ? {} : { broader: term(plan.broader) }),
        ...(plan.owner === undefined ? {} : { owner: plan.owner }),
      },
    };
  }

  addRule(plan: RulePlan): Urn {
    const seeded = seed.seedRule(this.#tenant, this.#ruleBody(plan));
    this.rules.push(seeded);
    this.#plans = [...this.#plans, plan];
    return seeded.urn;
  }

  #ruleBody(plan: RulePlan): JsonObject {
    const given = this.#given;
    return {
      name: plan.name,
      ...(plan.description === undefined ? {} : { description: plan.description }),
      ...(plan.group ? { groupUrn: given.group } : {}),
      inputGroups: byNumber("group", plan.groups, ({ joined, inputs }) => ({
        joined,
        inputs: byNumber("input", inputs, ({ name, trims }) => ({
          name,
          dataType: "STRING",
          ...(trims ? { transformations: { trim: { transformationUrn: given.transformation(0) } } } : {}),
        })),
      })),
      ...(plan.parameters.length === 0
        ? {}
        : { parameters: byNumber("parameter", plan.parameters, (name) => ({ name, dataType: "STRING" })) }),
      implementation: {
        dqDimensionUrn: given.dimension(plan.dimension),
        conditions: byNumber("condition", plan.conditions, ({ expression, result }) => ({
          stringExpression: expression,
          resultUrn: given.result(plan.dimension, result),
        })),
      },
    };
  }

  addMonitor(plan: MonitorPlan): Urn {
    const { urn } = seed.seedMonitor(this.#tenant, this.monitorBody(plan));
    this.monitors.push(urn);
    return urn;
  }

  monitorBody(plan: MonitorPlan): JsonObject & { catalogItemUrn: Urn } {
    const given = this.#given;
    const instances = this.rules.length === 0 ? [] : plan.instances;
    const thresholds = (values: readonly number[]): JsonObject =>
      byNumber("threshold", values, (value) => ({
        value,
        ...(value % 2 === 0 ? { severity: "WARNING" } : {}),
      }));
    return {
      catalogItemUrn: given.item(plan.item),
      name: plan.name,
      ...(plan.cron === undefined
        ? {}
        : { schedule: { cronExpression: plan.cron, enabled: true, timeZone: "UTC" } }),
      manualRuleInstances: byNumber("instance", instances, (instance) =>
        this.#instance(plan, instance, thresholds),
      ),
      joinConfigurations: byNumber("join", plan.joins, ({ item, pairs }) => ({
        connectedCatalogItemUrn: given.item(item),
        foreignKeyPairs: byNumber("pair", pairs, ({ local, connected }) => ({
          localAttributeUrn: given.attribute(plan.item, local),
          connectedAttributeUrn: given.attribute(item, connected),
        })),
      })),
      overallDqThresholds: thresholds(plan.thresholds),
      exportDefinitions: byNumber("export", plan.exports, (name) => ({
        name,
        type: "INVALID_RECORDS",
        format: "CSV",
        enabled: true,
      })),
    };
  }

  #instance(
    plan: MonitorPlan,
    instance: InstancePlan,
    thresholds: (values: readonly number[]) => JsonObject,
  ): JsonObject {
    const given = this.#given;
    const rule = pick(this.rules, instance.rule);
    const content = pick(this.#plans, instance.rule);
    const input = (index: number): Urn => pick(inputsOf(rule, content), index);
    const connected = plan.joins.length === 0 ? [] : instance.connected;
    const values = content.parameters.length === 0 ? [] : instance.values;
    return {
      ruleUrn: rule.urn,
      ...(instance.name === undefined ? {} : { ruleInstanceName: instance.name }),
      enabled: true,
      dqThresholds: thresholds(instance.thresholds),
      mappings: byNumber("mapping", instance.mappings, (attribute, index) => ({
        catalogItemAttributeUrn: given.attribute(plan.item, attribute),
        ruleAttributeUrn: input(index),
      })),
      connectedMappings: byNumber("connected", connected, ({ join, attribute }, index) => ({
        connectedCatalogItemAttributeUrn: given.attribute(pick(plan.joins, join).item, attribute),
        ruleAttributeUrn: input(index + 1),
        joinConfigurationKey: `join${join % plan.joins.length}`,
      })),
      parameterValues: byNumber("value", values, (value, index) => ({
        value,
        ruleParameterUrn: partUrn(rule, `parameters.parameter${index % content.parameters.length}`),
      })),
    };
  }

  addDashboard({ name, description, monitors, primaries }: DashboardPlan): Urn {
    const urns = this.monitors.length === 0 ? [] : monitors.map((number) => pick(this.monitors, number));
    const dqMonitorUrns = [...new Set([...urns, ...primaries.map((item) => this.#given.primary(item))])];
    return seed.seedDashboard(this.#tenant, {
      name,
      ...(description === undefined ? {} : { description }),
      dqMonitorUrns,
    }).urn;
  }
}

function inputsOf(rule: Seeded<unknown>, plan: RulePlan): readonly Urn[] {
  return plan.groups.flatMap(({ inputs }, group) =>
    inputs.map((_, input) => partUrn(rule, `inputGroups.group${group}.inputs.input${input}`)),
  );
}

function partUrn(rule: Seeded<unknown>, path: string): Urn {
  const urn = rule.urns[path];
  if (urn === undefined) throw new Error(`the rule has no ${path}`);
  return urn;
}

export function pick<T>(list: readonly T[], number: number): T {
  const found = list[number % Math.max(1, list.length)];
  if (found === undefined) throw new Error("there is nothing to refer to");
  return found;
}

/** A map of sub-entities under local keys, which the seed replaces. */
function byNumber<T>(
  name: string,
  values: readonly T[],
  body: (value: T, index: number) => JsonObject,
): JsonObject {
  return Object.fromEntries(
    values.map((value, index): [string, Json] => [`${name}${index}`, body(value, index)]),
  );
}
