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

/** How a run ends, if it does. */
export type RunOutcome = Exclude<RunStatus, "PENDING" | "RUNNING"> | "never";

export interface Workflow {
  readonly urn: Urn;
  readonly type: string;
  readonly name: string;
  readonly owner: string;
  readonly status: RunStatus;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly failure?: string;
  /** In the order in which they are done. */
  readonly jobs: readonly { readonly urn: Urn; readonly name: string }[];
  /** What the run works on: a monitor, or a connection. */
  readonly subject: Readonly<Record<string, Json>>;
  /** How many looks at it show PENDING or RUNNING before it ends, and how many of them are left. */
  readonly looks: number;
  readonly looksLeft: number;
  readonly outcome: RunOutcome;
  /** What it will fail with. */
  readonly fault?: string;
  /** Wall time in milliseconds, where runs take time: it begins and ends by the clock and not by looks. */
  readonly began?: number;
  readonly until?: number;
}

/** Document 2, "Job". */
export interface Job {
  readonly urn: Urn;
  readonly workflowUrn: Urn;
  readonly type: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly submittedAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly reason?: string;
}

/** What an item's rows follow from: the same in two tenants gives the same rows. */
export interface TableData {
  readonly seed: string;
  readonly rows: number;
  /** By the name of the column: the share of its cells that are empty, 0 to 1. */
  readonly empty?: Readonly<Record<string, number>>;
}

/** A rule instance, ready to be evaluated over rows. */
export interface Instance {
  readonly key: string;
  readonly body: JsonObject;
  readonly rule: Rule;
  readonly dimension: Dimension;
  readonly conditions: readonly Condition[];
  readonly otherwise: Urn;
  /** By the name of the input, in the order of the names. */
  readonly columns: readonly InputColumn[];
  /** Names and values, in the order of the names. */
  readonly parameters: string;
}

export interface Condition {
  readonly key: string;
  readonly expression: string;
  readonly resultUrn: Urn;
  readonly explanation: string | undefined;
}

export interface InputColumn {
  readonly input: string;
  readonly attribute: Attribute;
  readonly table: TableData;
  /** Of a joined item: the row is another one. */
  readonly joined: boolean;
}

/** What a run works on: configuration and data as they were when it started. */
export interface RunInputs {
  readonly monitor: Monitor;
  readonly table: TableData;
  readonly instances: readonly Instance[];
  /** As they were when the run started (document 2, results, Rules 3). */
  readonly attributes: readonly Attribute[];
  /** Why it cannot be evaluated: a rule or an attribute that is not there (document 2, migration rule 5). */
  readonly failure?: string;
}

/** Whether the sample values of a column may be shown (document 2, invalid-samples headers). */
export type Protection = "PROTECTED" | "CLASSIFIED" | "UNCLASSIFIED";

/** A rule that was linked to a term in the web application (document 2, migration rule 7). */
export interface TermRuleLink {
  readonly termUrn: Urn;
  readonly ruleUrn: Urn;
  /** The input of the rule that the attribute is mapped to. */
  readonly ruleAttributeUrn: Urn;
}
