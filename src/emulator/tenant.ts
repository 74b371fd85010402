import { formatUrn, type Urn } from "../model/urn.ts";
import { type ApiClient, type Area, fullPermissions, type Permission } from "./client.ts";
import { type Birth, Collection } from "./collection.ts";
import { defaultModel, type MetadataModel } from "./catalog/model.ts";
import { type Counts, countAll, dumpAll } from "./dump.ts";
import { asText, type JsonObject } from "./json.ts";
import { Random } from "./random.ts";
import { type Delay, ReferenceData } from "./reference-data/store.ts";
import type {
  Appearance,
  Attribute,
  CatalogItem,
  Column,
  Dashboard,
  Dimension,
  Entity,
  FlowConfiguration,
  Folder,
  Job,
  Monitor,
  Protection,
  QueryImport,
  Rule,
  RunInputs,
  RunOutcome,
  TableData,
  Term,
  TermRuleLink,
  Transformation,
  Versioned,
  Workflow,
} from "./state.ts";

/** The namespace segment of every URN; the tenant is the third segment (document 1, Resource identifier). */
export const namespace = "data";

const seeded: Birth = { at: -Infinity, request: -Infinity };

interface TenantOptions {
  readonly name: string;
  readonly seed: number;
  /** Wall time in milliseconds. */
  readonly clock: () => number;
}

/** What the documents leave open ("not shown"), so that a client can be tried against each answer. */
interface Quirks {
  /** GET ...?version=DRAFT of a monitor without a draft. */
  absentDraft: "404" | "published";
  /** Whether GET /dq-monitors shows primary monitors. */
  listsPrimaries: boolean;
  /** Whether dashboards that were never published are read like those that are: no document says so. */
  newDashboards: "hidden" | "shown";
  /** How many looks at a workflow show it PENDING or RUNNING before it ends. */
  workflowLooks: number;
  /** Seconds, sent as Retry-After while a workflow is PENDING or RUNNING. */
  workflowRetryAfter: number;
  /** How long runs take, in milliseconds of the clock; undefined: they move on as they are looked at. */
  workflowMilliseconds: number | undefined;
  /** How the workflows that start from now on end. */
  workflowOutcome: RunOutcome | ((run: Workflow) => RunOutcome);
  /** Whether `POST .../processings` is offered (page 04). */
  startsEvaluations: boolean;
  /** Whether the run of a monitor that evaluates nothing is SKIPPED itself, and not its evaluation alone. */
  skipsEmptyRuns: boolean;
  /** The state that the evaluation of a run shows, in place of what it is: the list is extensible (document 2). */
  evaluationState: ((run: Workflow) => string | undefined) | undefined;
  /** What a term that detection has assigned is when somebody assigns it, too: no document says so. */
  assignedDetected: "MANUAL" | "TERM_DETECTION";
  /** Whether lists of attributes show terms: document 1 says "including termAssignments and termDetectionDenylist" of one alone. */
  attributeLists: "whole" | "without-terms";
  /** When the attributes of a new SQL item can be read; `never` is a query that fails (document 1). */
  queryAttributes: Appearance | ((item: CatalogItem, query: string) => Appearance);
  /** The attributes that a query gives; undefined: what its text says. */
  queryColumns: (query: string) => readonly Column[] | undefined;
  /** Whether a query fails that reads a table which its source does not have. */
  queryTables: "any" | "existing";
  /**
   * `GET /entities?entityType=dslQuery` without parentUrn: that it shows all queries is only inferred. `roots`: no list
   * without a parent shows what stands below one. `folders`: of that they show folders alone.
   */
  allQueries: "listed" | "empty" | "refused" | "roots" | "folders";
  /** The status of items of a refused batch that had no fault of their own: none is shown (document 1, "Batch rules" 3). */
  rolledBack: string;
  /** Whether a type of the metadata model shows the properties that it inherits. */
  modelProperties: "own" | "inherited";
  /** How a property without a value, and what has no steward, show that where they are asked for. */
  unset: "null" | "absent";
  /** What the previous steward may keep; anything else is refused (page 04 has seen this one). */
  stewardAccessLevels: readonly string[];
  /** When reference data shows what was published. */
  publishing: Delay;
  /** Whether drafts of reference data can be read, which no document says; `whole`: with all that stays in the draft dataset. */
  draftFilter: "absent" | "offered" | "whole";
  /** Whether a change of a record that is marked as deleted in the draft takes that back, which no document says. */
  deletedDrafts: "changed" | "kept";
  /** What a change of a record is that lists no attribute, of which no document says anything; `silent`: the answer leaves it out. */
  emptyChange: "taken" | "refused" | "silent";
  /** What a review of nothing is. */
  emptyReview: "empty" | "refused";
  /** What a review shows once all of it is approved. */
  decidedReview: "empty" | "404";
  /** Whether a reference-data table tells of its attributes. */
  tableFields: "attributes" | "bare";
  /** What becomes of a parameter of an address that no document has there: "invalid parameters" give 400, and one may not be looked at. */
  unknownParameters: "ignored" | "refused";
  /** The realm of the sign-in, where it is not spelled as the tenant is in URNs. */
  realm: string | undefined;
  /** Paths below the tenant, or beginnings of them, that this service does not offer: 404. With a method and a space before it, that alone. */
  absent: readonly string[];
  /** How a method is refused that is not offered at a path that is. */
  absentMethod: 404 | 405;
}

export class Tenant {
  readonly name: string;
  readonly model: MetadataModel = defaultModel();
  readonly clients = new Map<string, ApiClient>();
  readonly quirks: Quirks = {
    absentDraft: "404",
    listsPrimaries: true,
    assignedDetected: "MANUAL",
    newDashboards: "hidden",
    workflowLooks: 2,
    workflowRetryAfter: 1,
    workflowMilliseconds: undefined,
    workflowOutcome: "FINISHED",
    startsEvaluations: true,
    skipsEmptyRuns: false,
    evaluationState: undefined,
    attributeLists: "whole",
    queryAttributes: "at-once",
    queryColumns: () => undefined,
    queryTables: "any",
    allQueries: "listed",
    rolledBack: "BATCH_ROLLED_BACK",
    modelProperties: "inherited",
    unset: "null",
    stewardAccessLevels: ["viewMetadata"],
    publishing: { afterReads: 1 },
    draftFilter: "absent",
    deletedDrafts: "changed",
    emptyChange: "taken",
    emptyReview: "empty",
    decidedReview: "empty",
    tableFields: "attributes",
    unknownParameters: "refused",
    realm: undefined,
    absent: [],
    absentMethod: 405,
  };
  /** How many requests this tenant has received; stale lists count in it. */
  requests = 0;

  readonly terms: Collection<Versioned<Term>>;
  readonly items: Collection<CatalogItem>;
  readonly attributes: Collection<Attribute>;
  readonly folders: Collection<Folder>;
  readonly entities: Collection<Entity>;
  readonly rules: Collection<Versioned<Rule>>;
  readonly monitors: Collection<Versioned<Monitor>>;
  readonly dashboards: Collection<Versioned<Dashboard>>;
  readonly dimensions: Collection<Dimension>;
  readonly transformations: Collection<Transformation>;
  readonly flowConfigurations: Collection<FlowConfiguration>;
  readonly workflows: Collection<Workflow>;
  readonly jobs: Collection<Job>;
  /** What the runs of monitors work on, by workflow. */
  readonly runInputs = new Map<Urn, RunInputs>();
  /** The data of items; of others what their name gives. */
  readonly tables = new Map<Urn, TableData>();
  /** By attribute, where it is not what its terms say. */
  readonly protections = new Map<Urn, Protection>();
  /** What a flow that imports finds behind a connection. */
  readonly imports = new Map<Urn, () => void>();
  readonly referenceData: ReferenceData;
  readonly termRuleLinks: TermRuleLink[] = [];
  /** Group by the URN of the resource that carries the assignment (document 1, Stewardship). */
  readonly stewards = new Map<Urn, Urn>();
  /** What groups that were stewards before may still do, by the resource. */
  readonly formerStewards = new Map<Urn, Readonly<Record<Urn, string>>>();
  /** SQL items whose query has not been run to its end yet. */
  readonly queryImports = new Map<Urn, QueryImport>();
  /** Resources that are critical themselves (document 1, Criticality). */
  readonly critical = new Set<Urn>();

  /** Wall time in milliseconds. */
  readonly clock: () => number;
  readonly #random: Random;
  #sequence = 0;
  #isServing = false;

  constructor(options: TenantOptions) {
    this.name = options.name;
    this.clock = options.clock;
    this.referenceData = new ReferenceData(options.clock);
    this.#random = new Random(options.seed, options.name);
    const collect = <T extends { readonly urn: Urn }>(keys: (value: T) => readonly string[]) =>
      new Collection<T>(
        () => this.nextSequence(),
        () => (this.#isServing ? { at: options.clock(), request: this.requests } : seeded),
        keys,
      );
    this.terms = collect((term) => {
      const value = term.published;
      return value === undefined ? [] : ["", ...this.#typeKeys(value.type)];
    });
    this.items = collect((item) => {
      const types = this.#typeKeys(item.type);
      return [
        "",
        `parent:${item.parentUrn}`,
        ...types,
        ...types.map((key) => `${key} parent:${item.parentUrn}`),
      ];
    });
    this.attributes = collect((attribute) => ["", `item:${attribute.catalogItemUrn}`]);
    this.folders = collect((folder) => ["", `parent:${folder.parentUrn}`]);
    this.entities = collect((entity) => {
      const types = this.#typeKeys(entity.concreteType);
      const parent = entity.parentUrn;
      if (parent === undefined) return types;
      return [...types, `parent:${parent}`, ...types.map((key) => `${key} parent:${parent}`)];
    });
    this.rules = collect((rule) => (rule.published === undefined ? [] : [""]));
    this.monitors = collect((monitor) => {
      const item = (monitor.published ?? monitor.draft)?.catalogItemUrn ?? "";
      return monitor.published === undefined ? [`any:${item}`] : ["", `item:${item}`, `any:${item}`];
    });
    this.dashboards = collect((dashboard) => (dashboard.published === undefined ? ["any"] : ["", "any"]));
    this.dimensions = collect(() => [""]);
    this.transformations = collect(() => [""]);
    this.flowConfigurations = collect(() => [""]);
    this.workflows = collect((run) => ["", `subject:${asText(run.subject["dqMonitorUrn"])}`]);
    this.jobs = collect((job) => ["", `workflow:${job.workflowUrn}`]);
    const id = `${this.name}-client`;
    this.clients.set(id, { id, secret: `${this.name}-secret`, permissions: fullPermissions() });
  }

  #typeKeys(type: string): string[] {
    // A list matches the concrete type or the root super type, and nothing between (document 1, GET /entities).
    return [...new Set([type, this.model.rootOf(type)])].map((name) => `type:${name}`);
  }

  /** What a request creates is new to a stale list; what a seed puts there has been there for ever. */
  whileServing<T>(handle: () => T): T {
    this.#isServing = true;
    try {
      return handle();
    } finally {
      this.#isServing = false;
    }
  }

  nextSequence(): number {
    this.#sequence += 1;
    return this.#sequence;
  }

  /** A clock that follows the order of events alone, so that equal calls leave equal states. */
  timestamp(): string {
    this.nextSequence();
    return this.now;
  }

  get now(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#sequence * 1000).toISOString();
  }

  newUuid(): string {
    return this.#random.uuid();
  }

  /** `type` is area and type, for example `catalog:term`. */
  newUrn(type: string): Urn {
    return this.urnFor(type, this.newUuid());
  }

  urnFor(type: string, uuid: string): Urn {
    const [area = "", name = ""] = type.split(":");
    return formatUrn({ namespace, tenant: this.name, area, type: name, uuid });
  }

  /** Concrete metadata type of whatever a URN names here; undefined when nothing does. */
  typeOf(urn: string): string | undefined {
    const term = this.terms.get(urn);
    if (term !== undefined) return (term.published ?? term.draft)?.type;
    const entity = this.entities.get(urn);
    if (entity !== undefined) return entity.concreteType;
    const item = this.items.get(urn);
    if (item !== undefined) return item.type;
    if (this.attributes.has(urn)) return "attribute";
    if (this.folders.has(urn)) return "folder";
    if (this.rules.has(urn)) return "dqRule";
    if (this.monitors.has(urn)) return "dqMonitor";
    if (this.dashboards.has(urn)) return "dqDashboard";
    return undefined;
  }

  /** Limits what every client of the tenant may do in one interface: a missing permission gives 403. */
  restrict(area: Area, permission: Partial<Permission>): void {
    for (const client of this.clients.values()) {
      client.permissions[area] = { ...client.permissions[area], ...permission };
    }
  }

  /** The whole state as plain JSON in a stable order, published versions and drafts. */
  dump(): JsonObject {
    return dumpAll(this);
  }

  counts(): Counts {
    return countAll(this);
  }
}
