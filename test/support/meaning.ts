import type { Json, JsonObject, Tenant } from "../../src/emulator/index.ts";
import { catalogOf, type Queries } from "./meaning/catalog.ts";
import { Describer, type Thing } from "./meaning/describer.ts";
import { writable } from "./meaning/excluded.ts";
import { noRenames, type Renames } from "./meaning/given.ts";
import { isObject, stable, text } from "./meaning/json.ts";

/**
 * Two tenants compared by meaning: everything published is described by names, paths and content, without the help
 * of the tool's own mapping and code.
 */
export interface MeaningOptions {
  /** The plan's renames, for the source side. */
  readonly renames: Renames;
  /** Term assignments too, and the rule instances that come with them. */
  readonly assignments?: boolean;
  /** What the source has and the target need not have, as `kind label`. */
  readonly except?: readonly string[];
}

/** What is described of one tenant; the label tells a reader what it is, `whole` is the content as text. */
export interface Described {
  readonly label: string;
  readonly content: Json;
  readonly whole: string;
}

export interface Meaning {
  readonly things: readonly Described[];
  /** Things that names and content do not tell apart. */
  readonly ambiguous: readonly string[];
}

/** One line a difference; empty when both sides mean the same. */
export function differences(source: Tenant, target: Tenant, options: MeaningOptions): readonly string[] {
  const except = new Set(options.except);
  const left = meaningOf(source, options.renames, options.assignments);
  const right = meaningOf(target, noRenames, options.assignments);
  return compareMeanings({ ...left, things: left.things.filter(({ label }) => !except.has(label)) }, right);
}

export function compareMeanings(source: Meaning, target: Meaning): readonly string[] {
  const lines = [
    ...source.ambiguous.map((name) => `ambiguous at the source: ${name}`),
    ...target.ambiguous.map((name) => `ambiguous at the target: ${name}`),
  ];
  const [left, right] = [byLabel(source), byLabel(target)];
  for (const label of new Set([...left.keys(), ...right.keys()])) {
    const surplus = [...(right.get(label) ?? [])];
    const missing = (left.get(label) ?? []).filter(({ whole }) => {
      const same = surplus.findIndex((rival) => rival.whole === whole);
      return same < 0 || surplus.splice(same, 1).length === 0;
    });
    for (const { content } of missing) {
      const rival = surplus.shift();
      const where =
        rival === undefined ? "" : `: ${differing(content, rival.content, "").slice(0, 5).join("; ")}`;
      lines.push(`${label} ${rival === undefined ? "is not at the target" : "differs"}${where}`);
    }
    lines.push(...surplus.map(() => `${label} is at the target only`));
  }
  return lines;
}

export function meaningOf(tenant: Tenant, renames: Renames, assignments = false): Meaning {
  const describer = new Describer(tenant, renames, (nameOf) => thingsOf(tenant, nameOf));
  const things: Described[] = [];
  const shared: string[] = [];
  for (const thing of describer.things) {
    const content = describer.describe(thing);
    const instances = assignments ? termInstances(tenant, thing, describer) : [];
    things.push(described(thing.label, [content, ...instances]));
    if (describer.isAmbiguous(thing.urn)) shared.push(describer.nameOf(thing.urn));
  }
  if (assignments) things.push(...assigned(tenant, describer));
  return { things, ambiguous: [...new Set([...describer.ambiguous, ...shared])] };
}

/** The same of what people made and wrote in the catalog beside the glossary. */
export function catalogMeaningOf(tenant: Tenant, renames: Renames, queries: Queries): Meaning {
  const describer = new Describer(tenant, renames, (nameOf) => thingsOf(tenant, nameOf));
  const things = [...catalogOf(tenant, (urn) => describer.nameOf(urn), queries)];
  return {
    things: things.map((thing) => described(thing.label, [describer.describe(thing) ?? {}])),
    ambiguous: [...describer.ambiguous],
  };
}

/** Only published versions are migrated (document 2, Migration rules 5). */
function* thingsOf(tenant: Tenant, nameOf: (urn: string) => string): Generator<Thing> {
  for (const { urn, published } of tenant.terms.values()) {
    if (published === undefined) continue;
    const { type, name, extraProperties } = published;
    const body: JsonObject = { ...published, extraProperties: writable(tenant, type, extraProperties) };
    yield { urn, kind: "terms", label: `term ${type}/${name}`, body };
  }
  for (const { urn, published } of tenant.rules.values()) {
    if (published !== undefined)
      yield { urn, kind: "rules", label: `rule ${published.name}`, body: published };
  }
  for (const { urn, published } of tenant.monitors.values()) {
    if (published === undefined) continue;
    const item = nameOf(published.catalogItemUrn);
    const isPrimary = tenant.items.get(published.catalogItemUrn)?.primaryMonitorUrn === urn;
    const label = isPrimary ? `primary monitor of ${item}` : `monitor ${item}/${text(published, "name")}`;
    yield { urn, kind: isPrimary ? "primary-monitors" : "monitors", label, body: published };
  }
  for (const { urn, published } of tenant.dashboards.values()) {
    if (published === undefined) continue;
    yield { urn, kind: "dashboards", label: `dashboard ${text(published, "name")}`, body: published };
  }
}

/** Document 1, "Term assignments": those of people; what detection assigned is each side's own. */
function assigned(tenant: Tenant, describer: Describer): Described[] {
  return [...tenant.attributes.values()].flatMap(({ urn, termAssignments }) => {
    const terms = termAssignments
      .filter(({ source }) => source === "MANUAL")
      .map(({ termUrn }) => describer.nameOf(termUrn));
    return terms.length === 0 ? [] : [described(`terms of ${describer.nameOf(urn)}`, terms.sort())];
  });
}

/** The instances on a primary monitor that assignments of people brought (document 2, Migration rules 7). */
function termInstances(tenant: Tenant, { urn, body }: Thing, describer: Describer): Json[] {
  const instances = isObject(body["termRuleInstances"]) ? body["termRuleInstances"] : {};
  const manual = Object.entries(instances).flatMap(([key, instance]): [string, Json][] => {
    if (!isObject(instance) || !Array.isArray(instance["terms"])) return [];
    const terms = instance["terms"].filter((term) =>
      isManual(tenant, instance, isObject(term) ? text(term, "termUrn") : ""),
    );
    return terms.length === 0 ? [] : [[key, { ...instance, terms }]];
  });
  if (manual.length === 0) return [];
  const only: JsonObject = { instances: Object.fromEntries(manual) };
  return [describer.describe({ urn, kind: "term instances", label: urn, body: only })];
}

function isManual(tenant: Tenant, instance: JsonObject, termUrn: string): boolean {
  const mappings = isObject(instance["mappings"]) ? Object.values(instance["mappings"]) : [];
  return mappings.some((mapping) => {
    const attribute = tenant.attributes.get(
      isObject(mapping) ? text(mapping, "catalogItemAttributeUrn") : "",
    );
    return (
      attribute?.termAssignments.some((one) => one.termUrn === termUrn && one.source === "MANUAL") === true
    );
  });
}

function described(label: string, content: Json): Described {
  return { label, content, whole: stable(content) };
}

function byLabel(meaning: Meaning): Map<string, Described[]> {
  const groups = new Map<string, Described[]>();
  for (const thing of meaning.things) groups.set(thing.label, [...(groups.get(thing.label) ?? []), thing]);
  return groups;
}

/** Where two descriptions part, for a reader. */
function differing(left: Json | undefined, right: Json | undefined, at: string): string[] {
  if (stable(left) === stable(right)) return [];
  const bothObjects = isObject(left) && isObject(right);
  if (bothObjects || (Array.isArray(left) && Array.isArray(right))) {
    const [first, second] = [
      Object.entries(left as object),
      new Map(Object.entries(right as object)),
    ] as const;
    const keys = new Set([...first.map(([key]) => key), ...second.keys()]);
    const one = new Map(first) as Map<string, Json>;
    return [...keys].flatMap((key) =>
      differing(one.get(key), second.get(key) as Json | undefined, `${at}/${key}`),
    );
  }
  const shown = (value: Json | undefined): string =>
    value === undefined ? "nothing" : stable(value).slice(0, 200);
  return [`${at}: ${shown(left)} became ${shown(right)}`];
}
