import type { Urn } from "../../model/urn.ts";
import { checkNewEntity, storeEntity } from "../catalog/entities.ts";
import { createFolder } from "../catalog/folders.ts";
import { Checker } from "../check.ts";
import { compact, type Json, type JsonObject } from "../json.ts";
import { notFound } from "../problem.ts";
import type { Dimension, Entity, FlowConfiguration, Folder, Transformation } from "../state.ts";
import type { Tenant } from "../tenant.ts";

interface Named {
  readonly name: string;
  readonly properties?: JsonObject;
}

/** What is given on every environment: paired by a migration, never written by it. */

export function seedSource(tenant: Tenant, fields: Named): Entity {
  return service(tenant, "source", "sources", fields);
}

export function seedConnection(tenant: Tenant, fields: Named & { readonly sourceUrn: Urn }): Entity {
  return service(tenant, "connection", "connections", fields, fields.sourceUrn);
}

/** The parent is a source or another location. */
export function seedLocation(tenant: Tenant, fields: Named & { readonly parentUrn: Urn }): Entity {
  return service(tenant, "location", "locations", fields, fields.parentUrn);
}

export function seedGroup(tenant: Tenant, fields: Named): Entity {
  return service(tenant, "group", "groups", fields);
}

export function seedDetectionRule(tenant: Tenant, fields: Named): Entity {
  return service(tenant, "detectionRule", "detectionRules", fields);
}

export function seedFolder(
  tenant: Tenant,
  fields: {
    readonly name: string;
    readonly parentUrn: Urn;
    readonly description?: string;
    readonly extraProperties?: JsonObject;
    readonly [field: string]: Json | undefined;
  },
): Folder {
  return createFolder(tenant, compact(fields));
}

/** An entity of any type of the metadata model, read-only types included. */
export function seedEntity(
  tenant: Tenant,
  fields: {
    readonly concreteType: string;
    readonly parentUrn?: Urn;
    readonly parentProperty: string;
    readonly properties?: JsonObject;
  },
): Entity {
  const body = compact({ ...fields });
  const checker = new Checker();
  checkNewEntity(tenant, body, "#", checker, { asService: true });
  checker.refuseIfFailed();
  const { urn } = storeEntity(tenant, body);
  const entity = tenant.entities.get(urn);
  if (entity === undefined) throw notFound(`${fields.concreteType} is not kept as a generic entity.`);
  return entity;
}

function service(
  tenant: Tenant,
  concreteType: string,
  parentProperty: string,
  fields: Named,
  parentUrn?: Urn,
): Entity {
  const properties = { name: fields.name, ...fields.properties };
  return seedEntity(tenant, {
    concreteType,
    parentProperty,
    properties,
    ...(parentUrn !== undefined && { parentUrn }),
  });
}

export function seedDimension(
  tenant: Tenant,
  fields: {
    readonly name: string;
    readonly results: readonly { readonly name: string; readonly passedOverallResult: boolean }[];
  },
): Dimension {
  return tenant.dimensions.put({
    urn: tenant.newUrn("data-quality:dq-dimension"),
    name: fields.name,
    results: fields.results.map(({ name, passedOverallResult }) => ({
      urn: tenant.newUrn("data-quality:dq-dimension-result"),
      name,
      passedOverallResult,
    })),
  });
}

export function seedTransformation(
  tenant: Tenant,
  fields: { readonly name: string; readonly inputDataType: string },
): Transformation {
  return tenant.transformations.put({ urn: tenant.newUrn("data-quality:transformation"), ...fields });
}

export function seedFlowConfiguration(
  tenant: Tenant,
  fields: { readonly name: string; readonly description?: string; readonly actions: readonly string[] },
): FlowConfiguration {
  return tenant.flowConfigurations.put({
    urn: tenant.newUrn("catalog:documentation-flow-configuration"),
    name: fields.name,
    description: fields.description ?? "",
    configuration: JSON.stringify({ actions: fields.actions }),
  });
}
