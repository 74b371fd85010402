import type { Tenant } from "../../../src/emulator/index.ts";
import { text } from "./json.ts";

/** The plan's words for the same thing at the target, applied here by the test itself. */
export interface Renames {
  readonly sources: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, string>>;
  readonly paths: readonly { readonly pattern: string; readonly replace: string }[];
}

export const noRenames: Renames = { sources: {}, connections: {}, paths: [] };

/** What the URNs of the things on both sides mean, in the target's words: URN and description. */
export function* givenNames(tenant: Tenant, renames: Renames): Generator<readonly [string, string]> {
  const names = new Map<string, string>();
  const nameOf = (urn: string): string => names.get(urn) ?? `unknown ${urn}`;
  const rename = (path: string): string =>
    renames.paths.reduce((text, { pattern, replace }) => text.replace(new RegExp(pattern), replace), path);
  const add = (urn: string, name: string): readonly [string, string] => {
    names.set(urn, name);
    return [urn, name];
  };

  // Parents are stored before their children.
  for (const { urn, concreteType, parentUrn, properties } of tenant.entities.values()) {
    const own = text(properties, "name");
    const parent = parentUrn === undefined ? "" : `${nameOf(parentUrn)}/`;
    if (concreteType === "source") yield add(urn, `source ${renames.sources[own] ?? own}`);
    else if (concreteType === "connection")
      yield add(urn, `connection ${parent}${renames.connections[own] ?? own}`);
    else if (concreteType === "location") yield add(urn, `location ${parent}${rename(own)}`);
    else yield add(urn, `${concreteType} ${parent}${own}`);
  }
  for (const { urn, name, parentUrn } of tenant.folders.values())
    yield add(urn, `folder ${nameOf(parentUrn)}/${name}`);
  for (const item of tenant.items.values()) {
    const place = `${nameOf(item.sourceUrn)}/${rename(item.originPath ?? nameOf(item.parentUrn))}`;
    yield add(item.urn, `item ${place}/${item.name}`);
  }
  for (const { urn, name, catalogItemUrn } of tenant.attributes.values()) {
    yield add(urn, `attribute ${nameOf(catalogItemUrn)}.${name}`);
  }
  for (const dimension of tenant.dimensions.values()) {
    yield add(dimension.urn, `dimension ${dimension.name}`);
    for (const { urn, name, passedOverallResult } of dimension.results) {
      yield add(urn, `result ${dimension.name}/${name} (${passedOverallResult ? "passed" : "failed"})`);
    }
  }
  for (const { urn, name, inputDataType } of tenant.transformations.values()) {
    yield add(urn, `transformation ${name} of ${inputDataType}`);
  }
}
