import type { Feed, Listed, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { printOf } from "../../model/canonical.ts";
import type { AppliedChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { Texts } from "../../model/packed/texts.ts";
import type { ReadClient } from "../../service/index.ts";
import type { Tasks } from "../apply/task.ts";
import { onlyAdds } from "../facets/standing.ts";
import type { Report } from "../progress.ts";
import { withinDepth } from "../read/depth.ts";
import { readListings } from "../read/listing.ts";
import type { TargetReading } from "../read/target.ts";
import { isFetched, readOneByOne } from "../read/unlisted.ts";
import { Gates } from "./gates.ts";
import { wasLeft } from "./remaining.ts";
import type { SourceMarks } from "../read/source-marks.ts";
import { SourceIds } from "../read/source-marks.ts";
import { survivorsIn } from "./survivors.ts";

export interface ReadBackOptions {
  readonly client: ReadClient;
  readonly registry: Registry;
  /** As it was read before the run wrote: its given things are not read again. */
  readonly target: TargetReading;
  readonly mapping: MappingTable;
  readonly marks: SourceMarks;
  readonly report: Report;
  readonly stop: AbortSignal;
}

export interface Shown {
  /** Kinds that were listed again; of the others the run wrote nothing. */
  readonly kinds: ReadonlySet<string>;
  /** Every object that the run was to bring about shows what was sent for it, and every other what the diff saw. */
  readonly isAsSent: boolean;
  /** What of the source is in them. */
  readonly survivors: readonly Diagnostic[];
}

/** The gate that opens when nothing is written any more; the others have the names of kinds. */
const end = "";

/**
 * Reads back what a run writes, while it still writes: a listing begins when the last write to its kinds has ended, each
 * object is printed as it arrives, and its print is compared with the one that was recorded for it. Nothing is kept of
 * the bodies.
 *
 * A print that is as sent proves the object as it stood after the last write to its kind. Whatever is otherwise proves
 * nothing: only the whole comparison tells why.
 */
export class ReadBack {
  readonly #options: ReadBackOptions;
  readonly #gates = new Gates();
  readonly #failed = new AbortController();
  readonly #kinds = new Set<string>();
  /** By kind, objects of the source whose twin shows what was recorded. */
  readonly #asSent = new Map<string, Texts>();
  /** Of kinds that can be read one by one, what the list shows. */
  readonly #listed = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #survivors: Diagnostic[] = [];
  readonly #ids: SourceIds;
  #isBack = false;
  #isAwaited = false;
  /** False when it could not be read to its end. */
  #reading: Promise<boolean> = Promise.resolve(true);

  constructor(options: ReadBackOptions) {
    this.#options = options;
    const { marks, target, mapping } = options;
    this.#ids = new SourceIds({ ...marks, target, mapping });
  }

  /** What is about to be written. */
  begin(tasks: Tasks): void {
    const { registry, target } = this.#options;
    const busy = new Set<string>();
    const written = new Set<Feed>();
    // What is deleted or linked is felt by other kinds: all are read back then, and after everything.
    let isFelt = false;
    for (const { change, kind } of tasks.values()) {
      if (change.action === "delete") this.#deleted.add(keyText(change.kind, change.target?.urn ?? ""));
      isFelt ||= change.action === "delete" || onlyAdds(kind);
      busy.add(kind.name);
      written.add(kind.feed);
    }
    const kinds = registry
      .moved()
      .filter(({ name, feed }) => target.snapshot.kinds().includes(name) && (isFelt || written.has(feed)));
    for (const { name } of kinds) this.#kinds.add(name);
    this.#reading = this.#read(kinds, isFelt).then(
      () => true,
      () => false, // The whole comparison reads it once more, and says what is wrong with it.
    );
    for (const { name } of kinds) if (!busy.has(name)) this.#gates.open(name);
  }

  /** The last task of a kind has ended. */
  readonly kindDone = (kind: string): void => {
    this.#gates.open(kind);
  };

  /** The last task of all has ended. */
  async shown(changes: readonly AppliedChange[]): Promise<Shown> {
    this.#isAwaited = true;
    this.#openAll();
    const isRead = (await this.#reading) && (await this.#readUnlisted(changes));
    return {
      kinds: this.#kinds,
      isAsSent: isRead && !this.#isBack && changes.every((change) => this.#isShown(change)),
      survivors: this.#survivors,
    };
  }

  /** Nobody needs it any more. Returns when nothing is on its way. */
  async abandon(): Promise<void> {
    this.#failed.abort();
    this.#openAll();
    await this.#reading;
  }

  /** Of a run that was stopped nobody said that its kinds are done: whoever waits for one would wait for ever. */
  #openAll(): void {
    for (const kind of this.#kinds) this.#gates.open(kind);
    this.#gates.open(end);
  }

  async #read(kinds: readonly MovedKind[], isFelt: boolean): Promise<void> {
    const { client, target, stop } = this.#options;
    await readListings({
      client,
      kinds,
      given: target.given,
      side: "target",
      report: this.#report,
      stop: AbortSignal.any([stop, this.#failed.signal]),
      ready: async (some) => this.#gates.passed(isFelt ? [end] : some.map(({ name }) => name)),
      take: (kind, object) => {
        if (isFetched(kind)) this.#listed.add(keyText(kind.name, object.urn));
        this.#take(kind, object);
      },
    });
  }

  /** What no list shows, of what is to be shown. */
  async #readUnlisted(changes: readonly AppliedChange[]): Promise<boolean> {
    const { client, registry, target, stop } = this.#options;
    const kinds = registry.moved().filter(isFetched);
    const wanted = kinds.flatMap((kind) => {
      const urns = new Set<string | undefined>();
      for (const change of changes) {
        if (change.kind !== kind.name || this.#isShown(change)) continue;
        const urn = target.overlays.get(kind.name, change.source?.urn ?? "");
        if (urn !== undefined && !this.#listed.has(keyText(kind.name, urn))) urns.add(urn);
      }
      if (urns.size === 0) return [];
      const found = [...target.pairs.records.values()].map((record) => ({
        urn: kind.locate(record),
        record,
      }));
      return found.filter(({ urn }) => urns.has(urn)).map(({ record }) => ({ kind, record }));
    });
    try {
      await readOneByOne({
        client,
        side: "target",
        wanted,
        report: this.#report,
        stop,
        take: async ({ kind, record }, body) => {
          this.#take(kind, withinDepth({ urn: kind.locate(record) ?? "", name: kind.called(record), body }));
        },
      });
      return true;
    } catch {
      return false; // As for a listing.
    }
  }

  readonly #report: Report = (progress) => {
    // While it is written nobody asks how far the reading is.
    if (this.#isAwaited) this.#options.report(progress);
  };

  #take(kind: MovedKind, object: Listed): void {
    const { mapping } = this.#options;
    const key = keyText(kind.name, object.urn);
    this.#isBack ||= this.#deleted.has(key);
    const source = mapping.claim(kind.name, object.urn);
    const row = source === undefined ? undefined : mapping.get(kind.name, source);
    if (source === undefined || row === undefined) return;
    const isAsSent =
      row.unfinished === undefined && row.targetFingerprint === printOf(object.body, kind.shape);
    if (isAsSent) this.#asSentOf(kind.name).add(source);
    this.#survivors.push(...survivorsIn(kind.name, object, this.#ids));
  }

  #isShown(change: AppliedChange): boolean {
    if (wasLeft(change) || change.action === "delete" || !this.#kinds.has(change.kind)) return true;
    return this.#asSentOf(change.kind).has(change.source?.urn ?? "");
  }

  #asSentOf(kind: string): Texts {
    const known = this.#asSent.get(kind) ?? new Texts();
    this.#asSent.set(kind, known);
    return known;
  }
}
