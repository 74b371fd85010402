/**
 * How the content of the demo is written down: plain data in which things refer to each other by key. Keys
 * live only here; a tenant gives everything its own URNs when the content is built (see `estate.ts`).
 */
export interface SourceSpec {
  readonly key: string;
  /** The name in each tenant: the same system, called otherwise. */
  readonly names: SideNames;
  readonly connections: readonly { readonly key: string; readonly names: SideNames }[];
}

export type Side = "source" | "target";

export type SideNames = Readonly<Record<Side, string>>;

/** What both tenants have under their own URNs: it is referred to, never moved. */
export interface GivenSpec {
  readonly sources: readonly SourceSpec[];
  readonly items: readonly ItemSpec[];
  /** Locations and origin paths of the source, as the target has them. */
  readonly rename: { readonly pattern: string; readonly replace: string };
  /** UUIDs by tenant: groups have no listing, so a plan has to pair them by hand. */
  readonly groups: readonly (SideNames & { readonly name: string })[];
  readonly dimensions: readonly {
    readonly name: string;
    /** Name, and whether the result counts as passed. */
    readonly results: readonly (readonly [string, boolean])[];
  }[];
  /** Name and input data type: the name alone is not unique. */
  readonly transformations: readonly (readonly [string, string])[];
  readonly detectionRules: readonly string[];
  readonly flows: readonly {
    readonly name: string;
    readonly description: string;
    readonly actions: readonly string[];
  }[];
}

/** A table or file: its place is `source`, then the locations from the root down. */
export interface ItemSpec {
  readonly key: string;
  readonly name: string;
  readonly source: string;
  readonly connection: string;
  /** From the root to the closest parent, as the source tenant has them: `["DEV_SALES", "CUSTOMER"]`. */
  readonly locations: readonly string[];
  readonly description?: string;
  readonly attributes: readonly AttributeSpec[];
}

export interface AttributeSpec {
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
}

export interface TermSpec {
  readonly key: string;
  readonly type: string;
  readonly name: string;
  /** Plain text; or rich text, written as text with `{term key}` where an entity is mentioned. */
  readonly description?: string;
  readonly rich?: string;
  readonly detection?: { readonly operator?: "AND" | "OR"; readonly rules: Readonly<Record<string, number>> };
  readonly owner?: string;
  readonly reviewDays?: number;
  readonly confidence?: number;
  readonly regulated?: boolean;
  readonly synonyms?: string;
  /** Only key figures have one. */
  readonly unit?: string;
  /** Computed by the service; it cannot be written. */
  readonly usageCount?: number;
  /** Has rules for propagating its assignments from attributes to items. */
  readonly propagates?: boolean;
  readonly partOf?: string;
  readonly related?: readonly string[];
}

export interface ConditionSpec {
  readonly when: string;
  readonly result: string;
  readonly explanation?: string;
}

export interface RuleSpec {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  readonly dimension: string;
  readonly groups: readonly InputGroupSpec[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly dataType: string;
    readonly value?: unknown;
  }[];
  readonly conditions: readonly ConditionSpec[];
  /** The result when no condition holds. */
  readonly otherwise: string;
  /** Input name (`*`: the rule as a whole) to the name of the transformation that is applied first. */
  readonly transformations?: Readonly<Record<string, string>>;
}

export interface InputGroupSpec {
  /** True for the inputs that come from a joined item. */
  readonly joined: boolean;
  readonly inputs: readonly { readonly name: string; readonly dataType: string }[];
}

export interface ThresholdSpec {
  readonly value: number;
  /** Absent on some thresholds of real tenants too. */
  readonly severity?: string;
}

export interface RuleUseSpec {
  readonly rule: string;
  readonly name?: string;
  readonly enabled?: boolean;
  /** Input name to attribute name. */
  readonly on: Readonly<Record<string, string>>;
  /** Inputs that read a joined item of the same monitor. */
  readonly across?: { readonly item: string; readonly on: Readonly<Record<string, string>> };
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly thresholds?: readonly ThresholdSpec[];
}

export interface MonitorSpec {
  readonly item: string;
  readonly name: string;
  readonly rules: readonly RuleUseSpec[];
  /** Connected item, and pairs of local and connected attribute names. */
  readonly joins?: readonly {
    readonly item: string;
    readonly keys: readonly (readonly [string, string])[];
  }[];
  readonly thresholds?: readonly ThresholdSpec[];
  readonly schedule?: ScheduleSpec;
  readonly profiling?: { readonly type: string; readonly limit?: number; readonly enabled?: boolean };
  readonly anomalies?: boolean;
  readonly samples?: number;
  readonly exports?: readonly ExportSpec[];
}

export interface ExportSpec {
  readonly name: string;
  readonly format: string;
  readonly enabled: boolean;
  /** The connection that the file is written through; no document names this field. */
  readonly connection?: string;
}

export interface ScheduleSpec {
  readonly cron: string;
  readonly enabled: boolean;
  readonly timeZone: string;
  readonly ignoreMisfires?: boolean;
  readonly startAt?: string;
  readonly priority?: number;
}

/** A rule that was linked to a term in the web application: it applies where the term is assigned afterwards. */
export interface TermRuleSpec {
  readonly term: string;
  readonly rule: string;
  /** The input that the attribute with the term is mapped to. */
  readonly input: string;
}

export interface DashboardSpec {
  readonly name: string;
  readonly description?: string;
  /** `item key/monitor name`; `item key/primary` for the primary monitor of an item. */
  readonly monitors: readonly string[];
}

export interface AssignmentSpec {
  readonly item: string;
  readonly attribute: string;
  readonly terms: readonly string[];
  readonly by: "MANUAL" | "TERM_DETECTION";
}
