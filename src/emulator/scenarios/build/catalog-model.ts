import { seedMetadataProperty, seedMetadataType } from "../../seed.ts";
import type { PropertyDefinition } from "../../state.ts";
import type { Tenant } from "../../tenant.ts";

type Property = Partial<PropertyDefinition> & Pick<PropertyDefinition, "name">;

/** Properties of what was imported or made by hand, and types of things that are known as entities only. */
export function extendCatalogModel(tenant: Tenant): void {
  for (const [type, properties] of Object.entries(extraProperties))
    for (const property of properties) seedMetadataProperty(tenant, type, property);
  for (const { name, properties, ...type } of types) {
    seedMetadataType(tenant, { name, ...type });
    for (const property of properties) seedMetadataProperty(tenant, name, property);
  }
}

function scalar(name: string, scalarType = "string"): Property {
  return { name, scalarType };
}

function reference(name: string, entityName: string): Property {
  return { name, type: "SINGLE_REFERENCE", entityName };
}

function references(name: string, entityName: string): Property {
  return { name, type: "ARRAY_REFERENCE", entityName };
}

function children(name: string, entityName: string): Property {
  return { name, type: "ARRAY_EMBEDDED", entityName };
}

const extraProperties: Readonly<Record<string, readonly Property[]>> = {
  catalogItem: [
    scalar("businessName"),
    scalar("personalData", "boolean"),
    scalar("freshnessHours", "double"),
    scalar("reviewedOn", "date"),
    scalar("readers", "string[]"),
    reference("classification", "securityTerm"),
    references("explainedBy", "term"),
    { name: "rowCount", scalarType: "integer", editable: false },
  ],
  attribute: [
    scalar("businessName"),
    scalar("sensitive", "boolean"),
    scalar("maxAgeDays", "integer"),
    references("derivedFrom", "attribute"),
  ],
  folder: [scalar("costCentre"), scalar("archived", "boolean")],
};

interface NewType {
  readonly name: string;
  readonly description: string;
  readonly nodePaths: readonly string[];
  readonly superEntities?: readonly string[];
  readonly properties: readonly Property[];
}

const types: readonly NewType[] = [
  {
    name: "dataProduct",
    description: "Data that somebody promises to others.",
    nodePaths: ["/dataProducts"],
    properties: [
      scalar("name"),
      scalar("description"),
      scalar("status"),
      scalar("tier", "integer"),
      scalar("availability", "double"),
      scalar("certified", "boolean"),
      scalar("launchedOn", "date"),
      scalar("channels", "string[]"),
      reference("domain", "businessTerm"),
      reference("mainItem", "catalogItem"),
      references("items", "catalogItem"),
      references("terms", "term"),
      references("upstream", "dataProduct"),
      { name: "consumerCount", scalarType: "integer", editable: false },
      { name: "contract", type: "SINGLE_EMBEDDED", entityName: "dataContract" },
      children("ports", "outputPort"),
      children("issues", "qualityIssue"),
    ],
  },
  {
    name: "dataContract",
    description: "What is promised about a data product.",
    nodePaths: ["/dataProducts/contract"],
    properties: [scalar("name"), scalar("noticeDays", "integer"), references("policies", "policyTerm")],
  },
  {
    name: "outputPort",
    description: "Where a data product can be had.",
    nodePaths: ["/dataProducts/ports"],
    properties: [
      scalar("name"),
      scalar("format"),
      reference("item", "catalogItem"),
      references("keys", "attribute"),
    ],
  },
  {
    name: "qualityIssue",
    description: "Something that is wrong with data, and what becomes of it.",
    nodePaths: ["/qualityIssues", "/dataProducts/issues"],
    properties: [
      scalar("name"),
      scalar("description"),
      scalar("severity"),
      scalar("openedOn", "date"),
      scalar("resolved", "boolean"),
      references("items", "catalogItem"),
      references("attributes", "attribute"),
      reference("causedBy", "qualityIssue"),
      children("comments", "issueComment"),
    ],
  },
  {
    name: "incident",
    description: "A quality issue that cost money.",
    nodePaths: ["/qualityIssues", "/dataProducts/issues"],
    superEntities: ["qualityIssue"],
    properties: [scalar("costEuro", "double"), scalar("noticedAt", "datetime")],
  },
  {
    // It has no name: only what it says tells one from another.
    name: "issueComment",
    description: "What somebody has to say about an issue.",
    nodePaths: ["/qualityIssues/comments", "/dataProducts/issues/comments"],
    properties: [scalar("text"), scalar("writtenAt", "datetime")],
  },
];
