import type { EntityDefinition, PropertyDefinition } from "../state.ts";

/** The metadata model of a tenant (document 1, "Metadata model entity definition"). */
export class MetadataModel {
  readonly #types = new Map<string, EntityDefinition>();
  /** Changes with every change of the model. */
  revision = 0;

  all(): EntityDefinition[] {
    return [...this.#types.values()];
  }

  get(name: string): EntityDefinition | undefined {
    return this.#types.get(name);
  }

  put(definition: EntityDefinition): EntityDefinition {
    this.revision += 1;
    this.#types.set(definition.name, definition);
    return definition;
  }

  remove(name: string): void {
    this.revision += 1;
    this.#types.delete(name);
  }

  /** The type and everything it extends, itself first; an unknown type stands alone. */
  lineage(name: string): readonly string[] {
    return [name, ...(this.#types.get(name)?.superEntities ?? [])];
  }

  /** The types that directly extend this one. */
  subEntities(name: string): string[] {
    return this.all()
      .filter((type) => type.superEntities[0] === name)
      .map((type) => type.name);
  }

  rootOf(name: string): string {
    return this.lineage(name).at(-1) ?? name;
  }

  isA(name: string, ancestor: string): boolean {
    return this.lineage(name).includes(ancestor);
  }

  /** Whether things of the type have stewards of their own or of what they are in. */
  isStewarded(name: string): boolean {
    return this.lineage(name).some((type) => this.#types.get(type)?.stewarded === true);
  }

  /** A property of the type or of what it extends. */
  property(type: string, property: string): PropertyDefinition | undefined {
    for (const name of this.lineage(type)) {
      const found = this.#types.get(name)?.properties.find((definition) => definition.name === property);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Own properties and inherited ones. */
  properties(type: string): PropertyDefinition[] {
    return this.lineage(type).flatMap((name) => this.#types.get(name)?.properties ?? []);
  }

  /** The property as any type below `root` defines it: what a list of mixed types may be asked for. */
  propertyBelow(root: string, property: string): PropertyDefinition | undefined {
    for (const type of this.#types.values()) {
      if (!this.isA(type.name, root)) continue;
      const found = this.property(type.name, property);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

export function scalar(name: string, scalarType = "string", editable = true): PropertyDefinition {
  return { name, description: "", editable, type: "SCALAR", scalarType };
}

function children(name: string, entityName: string): PropertyDefinition {
  return { name, description: "", editable: false, type: "ARRAY_EMBEDDED", entityName };
}

function onlyChild(name: string, entityName: string): PropertyDefinition {
  return { name, description: "", editable: false, type: "SINGLE_EMBEDDED", entityName };
}

interface Sketch {
  readonly at: string;
  readonly extends?: readonly string[];
  readonly editable?: boolean;
  readonly stewarded?: boolean;
  readonly properties?: readonly PropertyDefinition[];
}

/** Types managed by the service are not editable; terms are, and so are the types a tenant adds. */
const sketches: Readonly<Record<string, Sketch>> = {
  term: {
    at: "/terms",
    editable: true,
    stewarded: true,
    properties: [scalar("name"), scalar("description")],
  },
  businessTerm: { at: "/terms", extends: ["term"], editable: true },
  securityTerm: { at: "/terms", extends: ["term"], editable: true },
  policyTerm: { at: "/terms", extends: ["term"], editable: true },
  source: {
    at: "/sources",
    stewarded: true,
    properties: [
      scalar("name"),
      scalar("description"),
      children("connections", "connection"),
      children("locations", "location"),
      children("folders", "folder"),
    ],
  },
  connection: { at: "/sources/connections", properties: [scalar("name"), scalar("type")] },
  location: {
    at: "/sources/locations",
    stewarded: true,
    properties: [scalar("name"), children("locations", "location")],
  },
  folder: {
    at: "/sources/folders",
    stewarded: true,
    properties: [scalar("name"), scalar("description"), children("folders", "folder")],
  },
  catalogItem: {
    at: "/sources/locations/catalogItems",
    stewarded: true,
    properties: [
      scalar("name"),
      scalar("description"),
      scalar("originPath", "string", false),
      children("attributes", "attribute"),
    ],
  },
  tableCatalogItem: { at: "/sources/locations/catalogItems", extends: ["catalogItem"] },
  dslQueryCatalogItem: {
    at: "/sources/folders/catalogItems",
    extends: ["catalogItem"],
    properties: [onlyChild("dslQuery", "dslQuery")],
  },
  dslQuery: { at: "/sources/folders/catalogItems/dslQuery", properties: [scalar("query")] },
  attribute: {
    at: "/sources/locations/catalogItems/attributes",
    properties: [
      scalar("name"),
      scalar("description"),
      scalar("dataType", "string", false),
      scalar("columnType", "string", false),
    ],
  },
  detectionRule: { at: "/detectionRules", properties: [scalar("name"), scalar("description")] },
  group: { at: "/groups", properties: [scalar("name")] },
};

export function defaultModel(): MetadataModel {
  const model = new MetadataModel();
  for (const [name, sketch] of Object.entries(sketches)) {
    model.put({
      name,
      description: `The type ${name}.`,
      nodePaths: [sketch.at],
      superEntities: sketch.extends ?? [],
      properties: sketch.properties ?? [],
      editable: sketch.editable ?? false,
      stewarded: sketch.stewarded ?? false,
    });
  }
  return model;
}
