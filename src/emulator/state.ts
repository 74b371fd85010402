import type { Urn } from "../model/urn.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * What one tenant holds. Resources with an index signature are open trees: fields that no document names are
 * stored and returned. Computed parts of an answer (folders, locations, nextRun, effective...) are not state.
 */

/** Document 2, "Monitor draft types". */
export type DraftType = "NEW" | "CHANGE" | "DELETE" | "RESURRECT" | "NONE";

/** A resource with a draft and publish lifecycle. `draftType` says what the draft is; NONE without a draft. */
export interface Versioned<T> {
  readonly urn: Urn;
  readonly published?: T;
  readonly draft?: T;
  readonly draftType: DraftType;
}

export interface Term extends JsonObject {
  urn: Urn;
  type: string;
  name: string;
  description?: string;
  detectionRules?: JsonObject;
  attributeToCatalogItemTermRules?: JsonObject;
  extraProperties: JsonObject;
}

export type AssignmentSource = "MANUAL" | "TERM_DETECTION";

interface TermAssignment {
  readonly termUrn: Urn;
  readonly source: AssignmentSource;
}

export interface Attribute {
  readonly urn: Urn;
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
  readonly description?: string;
  readonly catalogItemUrn: Urn;
  readonly termAssignments: readonly TermAssignment[];
  /** Terms that term detection must not assign. */
  readonly termDetectionDenylist: readonly Urn[];
  readonly extraProperties: JsonObject;
}

export interface CatalogItem {
  readonly urn: Urn;
  /** Concrete type of the metadata model, for example dslQueryCatalogItem; not part of the item's answer. */
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly originPath?: string;
  readonly sourceUrn: Urn;
  readonly connectionUrn?: Urn;
  /** A folder (SQL items) or a location (imported items). */
  readonly parentUrn: Urn;
  /** An item that nobody has looked after the quality of may have none to show. */
  readonly primaryMonitorUrn?: Urn;
  readonly termUrns: readonly Urn[];
  readonly aliases: readonly JsonObject[];
  readonly extraProperties: JsonObject;
}

/** An attribute that the query of an SQL item gives. */
export interface Column {
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
}

/**
 * When the attributes of a new SQL item show. Nobody says whether they are there with the answer: after so many
 * looks at the item's attributes that find none, after some milliseconds, or never.
 */
export type Appearance =
  | "at-once"
  | "never"
  | { readonly afterReads: number }
  | { readonly afterMilliseconds: number };

/** A query that is still running: over after some looks, or at a time. */
export interface QueryImport {
  readonly columns: readonly Column[];
  readonly readsLeft: number;
  /** Wall time in milliseconds. */
  readonly until: number;
}

export interface Folder extends JsonObject {
  urn: Urn;
  name: string;
  parentUrn: Urn;
  description?: string;
  extraProperties: JsonObject;
}

/**
 * Everything that is known through the generic interface only: sources, connections, locations, detection
 * rules, groups, SQL queries (dslQuery) and entities of the types that a tenant defined itself.
 */
export interface Entity {
  readonly urn: Urn;
  readonly concreteType: string;
  readonly parentUrn?: Urn;
  readonly parentProperty?: string;
  readonly properties: JsonObject;
}

type PropertyType = "SCALAR" | "SINGLE_EMBEDDED" | "ARRAY_EMBEDDED" | "SINGLE_REFERENCE" | "ARRAY_REFERENCE";

export interface PropertyDefinition {
  readonly name: string;
  readonly description: string;
  readonly editable: boolean;
  readonly type: PropertyType;
  readonly scalarType?: string;
  readonly entityName?: string;
}

export interface EntityDefinition {
  readonly name: string;
  readonly description: string;
  readonly nodePaths: readonly string[];
  /** Direct parent first, the root type last. */
  readonly superEntities: readonly string[];
  readonly properties: readonly PropertyDefinition[];
  readonly editable: boolean;
  /** Has the stewardship trait; no interface shows which types do. What extends the type has it too. */
  readonly stewarded?: boolean;
}

export interface Dimension {
  readonly urn: Urn;
  readonly name: string;
  readonly results: readonly DimensionResult[];
}

interface DimensionResult {
  readonly urn: Urn;
  readonly name: string;
  readonly passedOverallResult: boolean;
}

export interface Transformation {
  readonly urn: Urn;
  readonly name: string;
  readonly inputDataType: string;
}

/** Page 04, "The rule resource"; the maps are described in quality/rule-shape.ts. */
export interface Rule extends JsonObject {
  urn: Urn;
  name: string;
}

/** Document 2, "Data-quality monitor"; a NEW draft may have no name yet. */
export interface Monitor extends JsonObject {
  urn: Urn;
  catalogItemUrn: Urn;
}

export interface Dashboard extends JsonObject {
  urn: Urn;
}

export interface FlowConfiguration {
  readonly urn: Urn;
  readonly name: string;
  readonly description: string;
  /** JSON text with an actions array. */
  readonly configuration: string;
}

export type RunStatus = "PENDING" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELED" | "SKIPPED";

export interface Workflow {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly owner: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly failure?: string;
  readonly jobUrn: Urn;
  /** What the run works on: a monitor, or a connection. */
  readonly subject: Readonly<Record<string, Json>>;
  /** How many more looks at it show PENDING or RUNNING before it ends. */
  readonly looksLeft: number;
  readonly outcome: RunStatus;
}

/** A rule that was linked to a term in the web application (document 2, migration rule 7). */
export interface TermRuleLink {
  readonly termUrn: Urn;
  readonly ruleUrn: Urn;
  /** The input of the rule that the attribute is mapped to. */
  readonly ruleAttributeUrn: Urn;
}
