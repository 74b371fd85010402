import { notFound } from "../problem.ts";
import type { EntityDefinition, PropertyDefinition } from "../state.ts";
import type { Tenant } from "../tenant.ts";

/** What an administrator does to the metadata model; what two environments differ in there. */

/** Adds a type to the metadata model: a root type at `/<plural>`, or one that extends others. */
export function seedMetadataType(
  tenant: Tenant,
  fields: Partial<EntityDefinition> & { readonly name: string },
): EntityDefinition {
  const [parent] = fields.superEntities ?? [];
  const inherited = parent === undefined ? undefined : tenant.model.get(parent)?.nodePaths;
  return tenant.model.put({
    description: "",
    nodePaths: inherited ?? [`/${fields.name}s`],
    superEntities: [],
    properties: [],
    editable: true,
    stewarded: parent === undefined,
    ...fields,
  });
}

/** Adds a property to a type, for example an extra property of terms or attributes. */
export function seedMetadataProperty(
  tenant: Tenant,
  typeName: string,
  property: Partial<PropertyDefinition> & Pick<PropertyDefinition, "name">,
): EntityDefinition {
  const type = typeOf(tenant, typeName);
  const kind = property.type ?? "SCALAR";
  const whole: PropertyDefinition = {
    description: "",
    editable: true,
    type: kind,
    ...(kind === "SCALAR" && { scalarType: "string" }),
    ...property,
  };
  return tenant.model.put({ ...type, properties: [...type.properties, whole] });
}

/** Another description, another type, read-only: whatever a property has otherwise than in the other tenant. */
export function changeMetadataProperty(
  tenant: Tenant,
  typeName: string,
  name: string,
  changes: Partial<PropertyDefinition>,
): EntityDefinition {
  const type = typeOf(tenant, typeName);
  if (!type.properties.some((property) => property.name === name))
    throw notFound(`${typeName} has no property ${name} of its own.`);
  return tenant.model.put({
    ...type,
    properties: type.properties.map((property) =>
      property.name === name ? { ...property, ...changes } : property,
    ),
  });
}

/** Requests that name it fail from now on (document 1, "Generic metadata entities"). */
export function removeMetadataProperty(tenant: Tenant, typeName: string, name: string): EntityDefinition {
  const type = typeOf(tenant, typeName);
  return tenant.model.put({
    ...type,
    properties: type.properties.filter((property) => property.name !== name),
  });
}

/** For example `{ editable: false }`: a type that the service has taken over. */
export function changeMetadataType(
  tenant: Tenant,
  typeName: string,
  changes: Partial<Omit<EntityDefinition, "name">>,
): EntityDefinition {
  return tenant.model.put({ ...typeOf(tenant, typeName), ...changes });
}

/** What is of the type is there still, and no request that names the type or one of these finds it. */
export function removeMetadataType(tenant: Tenant, typeName: string): void {
  typeOf(tenant, typeName);
  tenant.model.remove(typeName);
}

function typeOf(tenant: Tenant, name: string): EntityDefinition {
  const type = tenant.model.get(name);
  if (type === undefined) throw notFound(`Type ${name} does not exist.`);
  return type;
}
