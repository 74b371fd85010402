import type { Birth } from "../collection.ts";
import type { Json } from "../json.ts";
import { Random } from "../random.ts";
import { demoModel } from "./demo-model.ts";
import type { EntityModel, MasterModel, Model } from "./model.ts";
import type { InstanceRow, MasterRow } from "./rows.ts";
import { Table } from "./table.ts";

export interface MasterDataOptions {
  readonly name: string;
  readonly seed: number;
  /** Wall time in milliseconds. */
  readonly clock: () => number;
  readonly model?: Model;
}

/** What the document leaves open or says of several versions, so that a client can be tried against each. */
interface Quirks {
  /** The older variant of the directory lacks persistence, purge and operationPlan. */
  directory: "current" | "older";
  /** Before 15.3.0 instance writes answer without master_id, and an insert as entity with action INSERT. */
  writeAnswers: "15.3.0" | "older";
  rwmode: "RW" | "RO";
  /** What the roles of the endpoints are configured for; redirect is how a wrong configuration shows. */
  signIn: "basic" | "redirect";
  /** Shapes that are not shown. */
  metadata: "plain" | "other" | "absent";
  names: "objects" | "texts" | "other";
  lists: "array" | "envelope";
  /** A list gives no more than this at once; no maximum is documented. */
  mostRecords: number;
  /** Whether a comma is refused in bodies too: "values containing a comma cannot be used in requests". */
  commas: "separate" | "refused";
  /** What a PUT does to values that it does not name: no document says. */
  unnamed: "kept" | "emptied";
  /** Minutes that the server's local time is ahead of UTC: a source_timestamp that ends in Z is read in it. */
  zoneMinutes: number;
  /** <engine>.services.range.maxCount */
  maxCount: number;
  /** Origins that a source system is configured for; any when absent. */
  origins: readonly string[] | undefined;
}

export interface User {
  password: string;
  /** By layer: 403 otherwise. */
  readonly read: Record<"instance" | "master", boolean>;
  readonly write: Record<"instance" | "master", boolean>;
}

/** What a record shows in a column. */
interface Reading {
  readonly instance: (data: MasterData, row: InstanceRow, column: string) => Json | undefined;
  readonly master: (data: MasterData, row: MasterRow, column: string) => Json | undefined;
}

const seeded: Birth = { at: -Infinity, request: -Infinity };

/** One master-data server: all that it holds. Programs read and change it directly through `books.ts`. */
export class MasterData {
  readonly name: string;
  model: Model;
  readonly users = new Map<string, User>();
  readonly quirks: Quirks = {
    directory: "current",
    writeAnswers: "15.3.0",
    rwmode: "RW",
    signIn: "basic",
    metadata: "plain",
    names: "objects",
    lists: "array",
    mostRecords: Infinity,
    commas: "separate",
    unnamed: "kept",
    zoneMinutes: 120,
    maxCount: 100,
    origins: undefined,
  };
  /** Entities that history is configured for, by layer; none unless a test or a scenario says so. */
  readonly historised = { instance: new Set<string>(), master: new Set<string>() };
  /** How many requests it has received; stale lists count in it. */
  requests = 0;
  /** Ids of records with a key of a match rule: `entity rule key`. */
  readonly matchKeys = new Map<string, number | Set<number>>();

  readonly #clock: () => number;
  readonly #instances = new Map<string, Table<InstanceRow>>();
  readonly #masters = new Map<string, Table<MasterRow>>();
  readonly #byKey = new Map<string, InstanceRow>();
  #lastId: number;
  #moment = 0;
  #isServing = false;

  /** `open.ts` knows how values are read. */
  constructor({ name, seed, clock, model = demoModel }: MasterDataOptions, read: Reading) {
    this.name = name;
    this.model = model;
    this.#clock = clock;
    // No id of one server means the same on another.
    this.#lastId = 1_000_000 * (1 + (new Random(seed, `master data ${name}`).word() % 900));
    for (const entity of model.entities)
      this.#instances.set(entity.name, new Table((row, column) => asText(read.instance(this, row, column))));
    for (const { entities } of model.views)
      for (const entity of entities)
        this.#masters.set(entity.name, new Table((row, column) => asText(read.master(this, row, column))));
    const all = { instance: true, master: true };
    this.users.set(`${name}-mdm`, { password: `${name}-mdm-secret`, read: { ...all }, write: { ...all } });
  }

  /** Undefined when there is no such entity. */
  instances(entity: string): Table<InstanceRow> | undefined {
    return this.#instances.get(entity);
  }

  masters(entity: string): Table<MasterRow> | undefined {
    return this.#masters.get(entity);
  }

  entityModel(entity: string): EntityModel | undefined {
    return this.model.entities.find(({ name }) => name === entity);
  }

  /** An entity is another one from now on. */
  remodel(entity: EntityModel): void {
    const entities = this.model.entities.map((one) => (one.name === entity.name ? entity : one));
    this.model = { ...this.model, entities };
  }

  masterModel(view: string, entity: string): MasterModel | undefined {
    return this.model.views.find(({ name }) => name === view)?.entities.find(({ name }) => name === entity);
  }

  /** Columns of an entity in any of the views. */
  masterColumns(entity: string): MasterModel["columns"] {
    const all = this.model.views.flatMap(({ entities }) => entities.filter(({ name }) => name === entity));
    return [
      ...new Map(all.flatMap(({ columns }) => columns.map((column) => [column.name, column]))).values(),
    ];
  }

  byKey(entity: string, origin: string, sourceId: string): InstanceRow | undefined {
    return this.#byKey.get(keyOf(entity, origin, sourceId));
  }

  addInstance(row: InstanceRow): void {
    this.#byKey.set(keyOf(row.entity, row.origin, row.sourceId), row);
    this.#instances.get(row.entity)?.add(row);
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

  birth(): Birth {
    return this.#isServing ? { at: this.#clock(), request: this.requests } : seeded;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Every change has a moment of its own, which is its transaction id too. */
  nextMoment(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

function keyOf(entity: string, origin: string, sourceId: string): string {
  return `${entity}\0${origin}\0${sourceId}`;
}

/** A clock that follows the order of events alone, so that equal calls leave equal states. */
export function dateOf(moment: number): string {
  return new Date(Date.UTC(2026, 0, 1) + moment * 1000).toISOString();
}

/** How a value is looked for; undefined for none. */
export function asText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
