import { display } from "../../model/display.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MasterDataReadClient, RecordEntity, StoredRecord } from "../../service/index.ts";
import { preloaded } from "../../service/index.ts";
import type { Loser, Meant } from "../kind.ts";
import { told } from "./answers.ts";
import { note } from "./record-place.ts";

/** What a relation leads to, as its name in a row says it. */
export interface End {
  /** The attribute of a row that it is. */
  readonly name: string;
  readonly role: string;
  /** Empty where the other end did not say it. */
  readonly entity: string;
  /** The same text for the same record of that entity. */
  readonly key: string;
  readonly called: string;
}

/** A record from which a relation leads. */
export interface Start {
  readonly called: string;
  /** By what its row is looked up. */
  readonly values: JsonObject;
}

/** How records of one layer are told apart. */
export interface Ends {
  of(entity: string): RecordEntity;
  readonly entity: string;
  /** Undefined for an attribute that is no relation. */
  end(name: string): End | undefined;
  /** Of what the target has, with these relations; by their keys. */
  read(ends: readonly End[], preload: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>>;
  /** Undefined where nothing tells it from others. */
  start(record: StoredRecord): Start | undefined;
  /** By what a row is looked up. */
  keyIn(values: JsonObject): JsonObject;
}

/** To one parent or to children; where nothing tells, to either. */
type Leads = "up" | "down" | "either";

/** Records of the source that are looked at to find out where a relation leads. */
const lookedAt = 500;

/**
 * Document 3 ("Modify", rule 2) has relations between a parent and a child, and does not say which of them a role leads to: a record
 * that has several of a role is their parent, and each of them has that one only. Related to another one it leaves that parent.
 */
export class OtherParents {
  readonly #source: MasterDataReadClient;
  readonly #target: MasterDataReadClient;
  readonly #ends: Ends;
  readonly #leads = new Map<string, Promise<Leads>>();
  readonly #back = new Map<string, Promise<readonly string[] | undefined>>();
  readonly #untold = new Set<string>();

  constructor(source: MasterDataReadClient, target: MasterDataReadClient, ends: Ends) {
    this.#source = source;
    this.#target = target;
    this.#ends = ends;
  }

  async losers(rows: readonly Meant[]): Promise<readonly (readonly Loser[])[]> {
    const all = rows.map((): Loser[] => []);
    const down: { readonly at: number; readonly end: End; readonly leads: Leads }[] = [];
    for (const [at, row] of rows.entries())
      for (const end of row.given.flatMap((name) => this.#ends.end(name) ?? [])) {
        const leads = await this.leadsTo(end);
        if (leads !== "down") all[at]?.push(...this.#ownParent(row, end, leads));
        if (leads !== "up") down.push({ at, end, leads });
      }
    for (const [entity, group] of Map.groupBy(down, ({ end }) => end.entity))
      await this.#otherParents(entity, group, rows, all);
    return all;
  }

  /** Where another parent is not to be seen. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#untold].map((role) =>
      note(
        `${this.#ends.entity}: whether what relations ${display(role)} lead to has another parent at the target is not told: ${this.#target.environment.name} does not say what leads back from there`,
      ),
    );
  }

  /** The row itself is the child: the target leads it to another one. */
  #ownParent({ values, there }: Meant, { role, called }: End, leads: Leads): readonly Loser[] {
    const ofRole = (names: readonly string[]): readonly string[] =>
      names.filter((name) => this.#ends.end(name)?.role === role);
    const [loses, ...more] = ofRole(there?.beside ?? []);
    // Who has several has no parent in them.
    if (loses === undefined || more.length > 0 || ofRole(Object.keys(values)).length > 1) return [];
    const from = this.#ends.end(loses)?.called ?? "";
    const what = `its relation ${display(role)} to ${called} moves it away from ${from}, to which somebody has related it at the target${maybe(leads)}`;
    return [{ what, values: this.#ends.keyIn(values), loses }];
  }

  /** What the row leads to is the child: it may have another parent. */
  async #otherParents(
    entity: string,
    asked: readonly { readonly at: number; readonly end: End; readonly leads: Leads }[],
    rows: readonly Meant[],
    all: readonly Loser[][],
  ): Promise<void> {
    const back = await this.#leadsBack(entity);
    if (back === undefined || back.length === 0) {
      for (const { end } of asked) this.#untold.add(end.role);
      return;
    }
    const ends = asked.map(({ end }) => end);
    const found = await told(async () => this.#ends.read(ends, back));
    if (found === undefined) {
      for (const { role } of ends) this.#untold.add(role);
      return;
    }
    for (const { at, end, leads } of asked) {
      const child = found.get(end.key);
      const row = rows[at];
      if (child === undefined || row === undefined) continue;
      for (const role of back) {
        const [parent, ...more] = preloaded(child, role) ?? [];
        const from = parent === undefined || more.length > 0 ? undefined : this.#ends.start(parent);
        if (from === undefined) continue;
        const { called, values } = from;
        const what = `its relation ${display(end.role)} moves ${end.called} away from ${called}, to which somebody has related it at the target${maybe(leads)}`;
        all[at]?.push({ what, values, loses: end.name });
      }
    }
  }

  async leadsTo({ role, entity }: Pick<End, "role" | "entity">): Promise<Leads> {
    const known = this.#leads.get(role) ?? this.#finds(role, entity);
    this.#leads.set(role, known);
    return known;
  }

  async #finds(role: string, entity: string): Promise<Leads> {
    if (await this.#hasSeveral(this.#ends.entity, role)) return "down";
    const [back, ...more] = (await this.#leadsBack(entity)) ?? [];
    if (back === undefined || more.length > 0) return "either";
    return (await this.#hasSeveral(entity, back)) ? "up" : "either";
  }

  async #hasSeveral(entity: string, role: string): Promise<boolean> {
    const query = { preload: [role] };
    const at = this.#ends.of(entity);
    // The source may call it otherwise: it tells nothing then.
    const page = await told(async () => this.#source.records.page(at, query, { count: lookedAt }));
    return page?.records.some((record) => (preloaded(record, role)?.length ?? 0) > 1) === true;
  }

  /** Roles that lead from an entity to this one; undefined where the target does not tell. */
  async #leadsBack(entity: string): Promise<readonly string[] | undefined> {
    if (entity === "") return undefined;
    const known = this.#back.get(entity) ?? this.#findsBack(entity);
    this.#back.set(entity, known);
    return known;
  }

  async #findsBack(entity: string): Promise<readonly string[] | undefined> {
    const metadata = await told(async () => this.#target.records.metadata(this.#ends.of(entity)));
    return metadata?.relationships
      ?.filter(({ leadsTo }) => leadsTo === this.#ends.entity)
      .map(({ name }) => name);
  }
}

function maybe(leads: Leads): string {
  return leads === "either" ? " (if it may have one only)" : "";
}
