import { setTimeout as delay } from "node:timers/promises";
import type { MovedKind } from "../kinds/kind.ts";
import type { IgnoredField, Registry } from "../kinds/registry.ts";
import { PlanError } from "../plan/plan-error.ts";
import type { Parties, Party } from "../model/mapping.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { pointerOf, tokensOf } from "../model/json.ts";
import type { Plan, PlanEnvironment } from "../model/plan.ts";
import { planSecrets } from "../model/plan.ts";
import type { Shape } from "../model/shape.ts";
import type { EngineHooks } from "../engine/apply/recorder.ts";
import type { Report } from "../engine/progress.ts";
import type { Replayed } from "../engine/settle/replay.ts";
import { kindsToList } from "../engine/read/selection.ts";
import type {
  ClientEvent,
  ClientOptions,
  MasterDataReadClient,
  MasterDataWriteClient,
  ReadClient,
  WriteClient,
} from "../service/index.ts";
import {
  openMasterDataReadClient,
  openMasterDataWriteClient,
  openReadClient,
  openWriteClient,
} from "../service/index.ts";
import type { Disk, Store } from "../store/index.ts";
import { nodeDisk } from "../store/index.ts";
import { Recording } from "./look/recording.ts";
import { withoutRows } from "./records/selectors.ts";

/** All that an operation on a plan needs from outside; the command line and programs fill it alike. */
export interface MigrationOptions {
  readonly plan: Plan;
  readonly registry: Registry;
  /** Name and version: `urn-ferry 1.2.3`. */
  readonly tool: string;
  readonly version: string;
  /** Where everything is kept; `fileStore` keeps it in folders. */
  readonly store: Store;
  /** Where the files are that a person names, such as an approved diff; this machine's unless another is given. */
  readonly disk?: Disk;
  /** More that must never be shown or kept, such as the password of a proxy. */
  readonly secrets?: readonly string[];
  readonly report?: Report;
  readonly onClientEvent?: (side: "source" | "target", event: ClientEvent) => void;
  /** Aborted: nothing new is started, what is in flight finishes. */
  readonly stop?: AbortSignal;
  readonly now?: () => number;
  readonly hooks?: EngineHooks;
  /** The flags that narrow what the plan selects, as a shell takes them: ` --kinds terms`. */
  readonly narrowed?: string;
  /** The plan as it is without them. */
  readonly whole?: Plan;
}

/** One plan at work: its store, clients, time. */
export class Migration {
  readonly plan: Plan;
  /** The plan without the flags that narrow it, where that is known. */
  readonly whole: Plan | undefined;
  readonly registry: Registry;
  readonly tool: string;
  readonly version: string;
  readonly report: Report;
  readonly stop: AbortSignal;
  readonly now: () => number;
  readonly hooks: EngineHooks | undefined;
  /** What it reads of both sides, where somebody wants to know that. */
  readonly recording = new Recording();
  readonly started: number;
  /** By the clock that nobody sets. */
  readonly #began = performance.now();
  readonly store: Store;
  readonly disk: Disk;
  readonly #options: MigrationOptions;
  #source: ReadClient | undefined;
  #target: WriteClient | undefined;
  #targetReads: ReadClient | undefined;
  #masterDataWrites: MasterDataWriteClient | undefined;
  readonly #masterData = new Map<"source" | "target", MasterDataReadClient>();
  readonly #remembered = new Set<string>();
  #asideMs = 0;
  readonly #opened = new Map<"source" | "target", Opened>();
  readonly #readers = new Set<{ close(): void }>();

  constructor(options: MigrationOptions) {
    this.#options = options;
    this.plan = withoutRows(options.plan, options.registry);
    this.whole = options.whole && withoutRows(options.whole, options.registry);
    this.registry = ignoring(this.plan, options.registry);
    this.tool = options.tool;
    this.version = options.version;
    this.report = options.report ?? (() => {});
    this.stop = options.stop ?? new AbortController().signal;
    this.now = options.now ?? Date.now;
    this.hooks = options.hooks;
    this.started = this.now();
    this.store = options.store;
    this.disk = options.disk ?? nodeDisk;
  }

  /** Empty where nothing narrows it. */
  get narrowed(): string {
    return this.#options.narrowed ?? "";
  }

  /** Milliseconds since it began, without those that a person took to answer. */
  get durationMs(): number {
    return Math.round(performance.now() - this.#began - this.#asideMs);
  }

  /** Waits for a person. */
  async asks<T>(question: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await question();
    } finally {
      this.#asideMs += performance.now() - from;
    }
  }

  get parties(): Parties {
    return partiesOf(this.plan);
  }

  /** The source has no write methods: promise 2. */
  source(): ReadClient {
    this.#source ??= openReadClient(environment(this.plan.source), this.#clientOptions("source"));
    return this.#source;
  }

  /** For dry runs and verify: no write methods either. */
  targetReads(): ReadClient {
    this.#targetReads ??=
      this.#target ?? openReadClient(environment(this.plan.target), this.#clientOptions("target"));
    return this.#targetReads;
  }

  target(): WriteClient {
    this.#target ??= openWriteClient(environment(this.plan.target), this.#clientOptions("target"));
    return this.#target;
  }

  /** The target for what is done on the way out: an interrupt does not stop it. Whoever opens it closes it. */
  parting(): WriteClient {
    const { signal: _signal, ...options } = this.#clientOptions("target");
    return openWriteClient(environment(this.plan.target), options);
  }

  /** The master-data server of a side, where the plan names one; it has no write methods. */
  masterDataReads(side: "source" | "target"): MasterDataReadClient | undefined {
    const { name, masterData } = this.plan[side];
    if (masterData === undefined) return undefined;
    const open = this.#masterData.get(side);
    if (open !== undefined) return open;
    const server = { ...masterData, name: `${name} (master data)` };
    const opened = openMasterDataReadClient(server, this.#clientOptions(side));
    this.#masterData.set(side, opened);
    return opened;
  }

  /** The same for a target that is written. */
  masterDataWrites(): MasterDataWriteClient | undefined {
    const { name, masterData } = this.plan.target;
    if (masterData === undefined) return undefined;
    const server = { ...masterData, name: `${name} (master data)` };
    this.#masterDataWrites ??= openMasterDataWriteClient(server, this.#clientOptions("target"));
    return this.#masterDataWrites;
  }

  /** The run that the journal knows of, once it has begun to write: what ends it before it has a result is told under its name. */
  begun: string | undefined;
  /** The mapping, once it was read. */
  mapping: MappingTable | undefined;
  /** Its digest as it was stored then, without the journal. */
  storedDigest: string | undefined;
  /** What was in doubt then (`keyText`): it is settled later, and has a row by then. */
  doubted: ReadonlySet<string> = new Set();
  /** What the journal says that new objects may have taken the place of. */
  displaced: Replayed["displaced"] = [];
  /** What the journal says that nobody has been told. */
  untold: Replayed["untold"] = [];

  /** Kinds that this migration has to do with whatever the plan selects: they have rows, or operations in doubt. */
  remember(kinds: Iterable<string>): void {
    for (const kind of kinds) this.#remembered.add(kind);
  }

  /**
   * The kinds as one environment has them: those that the plan lists or that are remembered know what they must of its
   * metadata model. Read once; what is remembered later is opened then, and the others stay as they are.
   */
  async kinds(side: "source" | "target"): Promise<Registry> {
    const wanted = new Set([...kindsToList(this.registry, this.plan.select), ...this.#remembered]);
    const before = this.#opened.get(side) ?? { names: new Set(), registry: Promise.resolve(this.registry) };
    const missing = new Set([...wanted].filter((name) => !before.names.has(name)));
    if (missing.size === 0) return before.registry;
    const client = side === "source" ? this.source() : this.targetReads();
    const registry = before.registry.then(async (open) =>
      open.open({ side, client, plan: this.plan }, missing),
    );
    this.#opened.set(side, { names: new Set([...before.names, ...missing]), registry });
    return registry;
  }

  /** As `kinds` has them at the target, changed for all that follows: an earlier run may have had to do with more than the plan selects. */
  async changedKinds(change: (kind: MovedKind) => MovedKind): Promise<Registry> {
    const registry = this.kinds("target").then((open) => open.with(change));
    const names = this.#opened.get("target")?.names ?? new Set();
    this.#opened.set("target", { names, registry });
    return registry;
  }

  /** The same of the source, where it was opened: nothing is asked for it. */
  sourceKinds(): Promise<Registry> | undefined {
    return this.#opened.get("source")?.registry;
  }

  requests(): {
    readonly source: { readonly reads: number };
    readonly target: { readonly reads: number; readonly writes: number };
  } {
    const none = { reads: 0, writes: 0 };
    const source = this.#source?.requests() ?? none;
    const records = this.#masterData.get("source")?.requests() ?? none;
    const targets = [
      this.#target,
      this.#targetReads === this.#target ? undefined : this.#targetReads,
      this.#masterData.get("target"),
      this.#masterDataWrites,
    ];
    const sums = targets.map((client) => client?.requests() ?? none);
    return {
      source: { reads: source.reads + records.reads },
      target: {
        reads: sums.reduce((sum, counts) => sum + counts.reads, 0),
        writes: sums.reduce((sum, counts) => sum + counts.writes, 0),
      },
    };
  }

  /** Rejects when the run is stopped. */
  readonly sleep = async (ms: number): Promise<void> => {
    await delay(ms, undefined, { signal: this.stop });
  };

  /** Closed with the migration at the latest, so that an operation that ends with an error leaves no file open. */
  keep<T extends { close(): void }>(reader: T): T {
    this.#readers.add(reader);
    return reader;
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) reader.close();
    this.#readers.clear();
    this.store.work.close();
    const records = [...this.#masterData.values(), this.#masterDataWrites];
    await Promise.all(
      [this.#source, this.#target, this.#targetReads, ...records].map(async (client) => client?.close()),
    );
  }

  #clientOptions(side: "source" | "target"): ClientOptions {
    const { limits } = this.plan;
    const { onClientEvent, secrets = [] } = this.#options;
    return {
      concurrency: limits.concurrency,
      requestTimeoutMs: limits.requestTimeoutMs,
      answerSizeBytes: limits.answerSizeBytes,
      retryBudgetMs: 120_000,
      userAgent: this.tool.replace(" ", "/"),
      secrets: [...planSecrets(this.plan), ...secrets],
      signal: this.stop,
      tape: this.recording.of[side],
      ...(onClientEvent === undefined ? {} : { onEvent: (event: ClientEvent) => onClientEvent(side, event) }),
    };
  }
}

/** The kinds of an environment, and those of them that are opened. */
interface Opened {
  readonly names: ReadonlySet<string>;
  readonly registry: Promise<Registry>;
}

function ignoring(plan: Plan, registry: Registry): Registry {
  const { ignoreFields } = plan.policy;
  const problems = Object.entries(ignoreFields).flatMap(([kind, fields]) => {
    const shapes = registry.moved().flatMap(({ selectedAs, shape }) => (selectedAs === kind ? [shape] : []));
    const at = `policy.ignoreFields.${kind}`;
    if (shapes.length === 0) {
      const summary = `"${at}": rows have columns: those that move are named under records`;
      return [{ path: at, summary, suggestion: "Take it out." }];
    }
    return fields.flatMap((field, index) => {
      const found = whyMoved(kind, namesIn(field), shapes);
      if (found === undefined) return [];
      const path = `${at}[${index}]`;
      return [{ path, summary: `"${path}": ${found.why}`, suggestion: found.suggestion }];
    });
  });
  if (problems.length > 0) throw new PlanError(plan.name, problems);
  const ignored = Object.entries(ignoreFields).map(([kind, fields]) => [kind, fields.map(ignoredField)]);
  return registry.ignoring(Object.fromEntries(ignored));
}

/** A plan says a field by its name, or by a pointer. */
function namesIn(field: string): readonly string[] {
  return field.startsWith("/") ? tokensOf(field) : [field];
}

function ignoredField(field: string): IgnoredField {
  const names = namesIn(field);
  const [name, ...rest] = names;
  return { pointer: pointerOf(names), ...(name === undefined || rest.length > 0 ? {} : { name }) };
}

/** What a document names is what is moved: only fields that none names can be the service's own. */
function whyMoved(
  kind: string,
  tokens: readonly string[],
  shapes: readonly Shape[],
): { readonly why: string; readonly suggestion: string } | undefined {
  const [field = "", ...rest] = tokens;
  if (field.startsWith("*"))
    return {
      why: `nothing would be left of ${kind}`,
      suggestion: "Name the field; a * stands for a key further down, as in /inputGroups/*/checkedAt.",
    };
  const shape = rest.length > 0 ? undefined : shapes.find(({ known }) => known.includes(field));
  if (shape === undefined || shape.serverOwned.includes(`/${field}`)) return undefined;
  return {
    why: `the documents name this field of ${kind}: it is moved`,
    suggestion: "Take it out; what is not to be moved is left out with select.exclude.",
  };
}

function environment(from: PlanEnvironment): PlanEnvironment {
  return from;
}

/** Who source and target of a plan are. */
export function partiesOf({ source, target }: Pick<Plan, "source" | "target">): Parties {
  return { source: party(source), target: party(target) };
}

function party({ name, baseUrl, realm }: PlanEnvironment): Party {
  return { name, baseUrl, tenant: realm };
}
