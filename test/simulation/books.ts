import type { Emulated, LogEntry, Tenant } from "../../src/emulator/index.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { idOf, plainKinds, urnOf } from "./kinds/index.ts";
import type { PlainName, SimulatedKind } from "./kinds/kind.ts";

/** Whoever writes while a colleague acts is the colleague; whoever writes over the wire is the tool. */
export type Actor = "tool" | "colleague";

export type BookKind =
  | "terms"
  | "rules"
  | "monitors"
  | "primary-monitors"
  | "dashboards"
  | "attributes"
  | PlainName;

export interface Version {
  readonly published?: JsonObject;
  readonly draft?: JsonObject;
  /** Document 2, "Monitor draft types". */
  readonly draftType?: string;
}

/** One change of one object, as the emulator stored it. */
export interface Entry {
  readonly tick: number;
  readonly actor: Actor;
  readonly side: "source" | "target";
  readonly kind: BookKind;
  /** Of what lies over something: its name and the URN of that. */
  readonly urn: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
  /** The service did it, because of what was done to something else. */
  readonly isAside?: boolean;
  /** The service has run a query, and shows its attributes from now on; whoever looks. */
  readonly isBorn?: boolean;
}

/** A request of the tool that names an object in its path. */
export interface Request {
  readonly received: number;
  readonly method: string;
  readonly path: string;
  /** It asks for the draft, and sees nothing of what is published. */
  readonly isOfDraft: boolean;
  /** Of an entity without its properties and all else: what type it is, and nothing that anybody could have changed. */
  readonly isBare: boolean;
  /** Asks who answers for a thing, and shows nothing else of it. */
  readonly isOfSteward: boolean;
}

interface Rows {
  get(urn: string): unknown;
  put(value: { readonly urn: Urn }): unknown;
  delete(urn: string): boolean;
  values(): Iterable<{ readonly urn: Urn }>;
}

/**
 * The emulator's own books: who changed what, in which order, told by the emulator's state alone and never by what
 * the tool says of itself.
 */
export class Books {
  /** Counts whatever happens: changes, requests, acts. */
  tick = 0;
  readonly requests: Request[] = [];
  /** How often something at the target came to say something else. */
  changes = 0;
  readonly source: Tenant;
  readonly target: Tenant;
  readonly #listeners: ((entry: Entry) => void)[] = [];
  readonly #sameListeners: ((entry: Entry) => void)[] = [];
  /** Body of the request that is being done, as text. */
  sent = "";
  /** When the request that is being done arrived: the service may do it long after that. */
  sentAt = 0;
  readonly #arrived = new WeakMap<LogEntry, number>();
  #actor: Actor = "tool";
  /** What happens until others have their turn is the end of a query's run. */
  #isBirth = false;

  /** Who is at work. */
  get actor(): Actor {
    return this.#actor;
  }

  #deletes: BookKind | undefined;
  /** By primary monitors that are gone: the items that they went with, by which they were asked for. */
  readonly #itemsOfGone = new Map<string, string>();

  constructor(emulator: Emulated) {
    this.source = emulator.tenant("dev");
    this.target = emulator.tenant("prod");
    emulator.on(({ phase, entry }) => {
      this.tick += 1;
      if (phase === "received") this.#arrived.set(entry, this.tick);
      if (phase === "before-commit") {
        this.sent = JSON.stringify(entry.body) ?? "";
        this.sentAt = this.#arrived.get(entry) ?? this.tick;
      }
      if (phase === "received" && entry.tenant === "prod") this.#note(entry);
    });
  }

  /** From now on every change is written down. */
  open(): void {
    this.#watch("source", this.source);
    this.#watch("target", this.target);
  }

  on(listener: (entry: Entry) => void): void {
    this.#listeners.push(listener);
  }

  /** Of what lies over something: it was written, and says what it said before. */
  onSame(listener: (entry: Entry) => void): void {
    this.#sameListeners.push(listener);
  }

  /** What a colleague does, at once; `deletes` is the kind of what is deleted by it. */
  asColleague<T>(act: () => T, deletes?: BookKind): T {
    this.tick += 1;
    this.#actor = "colleague";
    this.#deletes = deletes;
    try {
      return act();
    } finally {
      this.#deletes = undefined;
      this.#actor = "tool";
      this.tick += 1;
    }
  }

  /** What stands at one side under a URN. */
  version(side: "source" | "target", urn: string): Version | undefined {
    const tenant = side === "source" ? this.source : this.target;
    for (const rows of [tenant.terms, tenant.rules, tenant.monitors, tenant.dashboards]) {
      const row = rows.get(urn);
      if (row !== undefined) return row;
    }
    for (const { name, isOver, body } of plainKinds) {
      // What goes by its own URN, and has something laid over it, is another thing than that.
      if (isOver ? !urn.startsWith(`${name} `) : urn.includes(" ")) continue;
      const published = body(tenant, urnOf(urn));
      if (published !== undefined) return { published };
    }
    return undefined;
  }

  kindOf(tenant: Tenant, urn: string): BookKind | undefined {
    if (tenant.terms.has(urn)) return "terms";
    if (tenant.rules.has(urn)) return "rules";
    if (tenant.dashboards.has(urn)) return "dashboards";
    if (tenant.attributes.has(urn)) return "attributes";
    const plain = plainKinds.find(({ isOver, body }) => !isOver && body(tenant, urn) !== undefined);
    if (plain !== undefined) return plain.name;
    if (!tenant.monitors.has(urn)) return undefined;
    return isPrimary(tenant, urn) ? "primary-monitors" : "monitors";
  }

  /** What stands in the path of a request for it at the target. */
  addressesOf(id: string): readonly string[] {
    const urn = urnOf(id);
    const row = this.target.monitors.get(urn);
    const isOfItem = row === undefined || isPrimary(this.target, urn);
    const item = itemOf(row) ?? this.#itemsOfGone.get(urn);
    return item !== undefined && isOfItem ? [urn, `${item}/dq-monitors/primary`] : [urn];
  }

  /** Everything that can be moved and is published, at one side. */
  *published(side: "source" | "target"): Generator<{ kind: BookKind; urn: string; body: JsonObject }> {
    const tenant = side === "source" ? this.source : this.target;
    for (const rows of [tenant.terms, tenant.rules, tenant.monitors, tenant.dashboards]) {
      for (const { urn, published } of rows.values()) {
        const kind = this.kindOf(tenant, urn);
        if (published !== undefined && kind !== undefined) yield { kind, urn, body: published };
      }
    }
    for (const { name, urns, body } of plainKinds) {
      for (const urn of urns(tenant)) {
        const said = body(tenant, urn);
        if (said !== undefined) yield { kind: name, urn: idOf(name, urn), body: said };
      }
    }
  }

  #note({ method, path, query }: LogEntry): void {
    if (!/[0-9a-f]{8}-[0-9a-f]{4}-/.test(path)) return;
    const isOfDraft = method === "GET" && query["version"] === "DRAFT";
    const isOfEntity = method === "GET" && /\/entities\/urn:/.test(path);
    const isBare = isOfEntity && query["properties"] === undefined && query["include"] === undefined;
    const isOfSteward =
      isOfEntity && query["properties"] === undefined && query["include"] === "effectiveStewardship";
    this.requests.push({ received: this.tick, method, path, isOfDraft, isBare, isOfSteward });
  }

  #watch(side: "source" | "target", tenant: Tenant): void {
    const { terms, rules, monitors, dashboards, attributes } = tenant;
    this.#tap(side, terms, () => "terms");
    this.#tap(side, rules, () => "rules");
    this.#tap(side, dashboards, () => "dashboards");
    this.#tap(side, attributes, () => "attributes");
    const isOf = (urn: string): BookKind => (isPrimary(tenant, urn) ? "primary-monitors" : "monitors");
    this.#tap(side, monitors, isOf, (urn, before) => {
      const item = itemOf(before);
      if (item !== undefined && tenant.items.get(item)?.primaryMonitorUrn === urn)
        this.#itemsOfGone.set(urn, item);
    });
    for (const kind of plainKinds) this.#tapPlain(side, tenant, kind);
    this.#tapImports(tenant);
  }

  /** What a kind says may stand in several rows, and a row may hold what several kinds say. */
  #tapPlain(side: "source" | "target", tenant: Tenant, { name, shelves, body }: SimulatedKind): void {
    for (const { rows, of } of shelves(tenant)) {
      const around = <T>(urn: string, row: unknown, work: () => T): T => {
        const object = of(urn, row as JsonObject | undefined);
        if (object === undefined) return work();
        const before = body(tenant, object);
        const result = work();
        const after = body(tenant, object);
        this.#tell(side, name, idOf(name, object), versionOf(before), versionOf(after));
        return result;
      };
      if (rows instanceof Map) {
        const [set, remove] = [rows.set.bind(rows), rows.delete.bind(rows)];
        rows.set = (urn, value) => around(urn, undefined, () => set(urn, value));
        rows.delete = (urn) => around(urn, undefined, () => remove(urn));
        continue;
      }
      const [put, remove] = [rows.put.bind(rows), rows.delete.bind(rows)];
      rows.put = (value: never) => around((value as { readonly urn: string }).urn, value, () => put(value));
      rows.delete = (urn) => around(urn, rows.get(urn), () => remove(urn));
    }
  }

  #tapImports({ queryImports }: Tenant): void {
    const end = queryImports.delete.bind(queryImports);
    queryImports.delete = (urn) => {
      this.#isBirth = queryImports.has(urn);
      queueMicrotask(() => (this.#isBirth = false));
      return end(urn);
    };
  }

  /** Of a deletion only what is deleted is meant; all else that changes with it the service does. */
  #aside(kind: BookKind, after: unknown): { readonly isAside?: true } {
    return this.#deletes !== undefined && (after !== undefined || kind !== this.#deletes)
      ? { isAside: true }
      : {};
  }

  #tell(
    side: "source" | "target",
    kind: BookKind,
    urn: string,
    before: Version | undefined,
    after: Version | undefined,
  ): void {
    const { tick } = this;
    const born = this.#isBirth ? { isBorn: true } : {};
    const said = { actor: this.#actor, side, kind, urn, before, after, ...this.#aside(kind, after), ...born };
    if (isSame(before, after)) {
      if (said.actor === "tool") for (const listener of this.#sameListeners) listener({ tick, ...said });
      return;
    }
    this.tick += 1;
    if (side === "target" && !this.#isBirth) this.changes += 1;
    for (const listener of this.#listeners) listener({ tick: this.tick, ...said });
  }

  #tap(
    side: "source" | "target",
    rows: Rows,
    kindOf: (urn: string) => BookKind,
    goes: (urn: string, before: unknown) => void = () => undefined,
  ): void {
    const put = rows.put.bind(rows);
    const remove = rows.delete.bind(rows);
    const note = (urn: string, before: unknown, after: unknown): void => {
      if (before === after) return;
      this.tick += 1;
      const kind = kindOf(urn);
      const version = (row: unknown): Version | undefined => {
        if (row === undefined) return undefined;
        return kind === "attributes" ? { published: assigned(row as JsonObject) } : (row as Version);
      };
      if (side === "target" && !this.#isBirth && !isSame(before, after)) this.changes += 1;
      const entry = {
        tick: this.tick,
        actor: this.#actor,
        side,
        kind,
        urn,
        ...this.#aside(kind, after),
        ...(this.#isBirth ? { isBorn: true } : {}),
      };
      for (const listener of this.#listeners)
        listener({ ...entry, before: version(before), after: version(after) });
    };
    rows.put = (value) => {
      const before = rows.get(value.urn);
      const stored = put(value);
      note(value.urn, before, stored);
      return stored;
    };
    rows.delete = (urn) => {
      const before = rows.get(urn);
      goes(urn, before);
      const isGone = remove(urn);
      note(urn, before, undefined);
      return isGone;
    };
  }
}

function itemOf(monitor: unknown): string | undefined {
  const { published, draft } = (monitor ?? {}) as Version;
  const item = asText((published ?? draft)?.["catalogItemUrn"]);
  return item === "" ? undefined : item;
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function versionOf(published: JsonObject | undefined): Version | undefined {
  return published === undefined ? undefined : { published };
}

export function isPrimary(tenant: Tenant, urn: string): boolean {
  const body = tenant.monitors.get(urn)?.published ?? tenant.monitors.get(urn)?.draft;
  if (body === undefined) return false;
  const item = tenant.items.get(body.catalogItemUrn);
  // The first that there is of a new item, even before the item.
  return item === undefined || item.primaryMonitorUrn === urn;
}

/** Of an attribute only who was assigned to it: nothing else of it is moved. */
function assigned(attribute: JsonObject): JsonObject {
  return { termAssignments: attribute["termAssignments"] ?? [] };
}
