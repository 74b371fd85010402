import type {
  Births as BornOf,
  EntityKind,
  Found,
  LinkKind,
  OverlayKind,
  PairingContext,
} from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import type { Plan } from "../../model/plan.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { isFetched } from "../read/unlisted.ts";
import { isGiven, isLocated, onlyAdds, standsAlone } from "../facets/standing.ts";
import { match, onceEach, settled, soughtAmong } from "../pair/match.ts";
import type { Pairs } from "../pair/pairing.ts";
import { renamer } from "../pair/rename.ts";
import type { Unmatched } from "../pair/unpaired.ts";
import type { Task } from "./task.ts";

export interface BirthOptions {
  readonly registry: Registry;
  readonly source: SnapshotReader;
  readonly pairs: Pairs;
  readonly client: ReadClient;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly plan: Pick<Plan, "pairing" | "limits">;
}

/** Between two looks, milliseconds; doubled each time. */
const firstPause = 250;
const longestPause = 4_000;
/** So long nothing more has to come before what is there counts as all, where the plan waits longer than that. */
const longestRest = 5_000;

/**
 * What comes into being with a created object is found out once that is there, and paired with what the source has in
 * its own: the one thing that applying finds out for itself. What is not there by then blocks what needs it, and the
 * next run looks again.
 */
export class Births {
  readonly #options: BirthOptions;
  readonly #twins = new Map<string, string>();
  readonly #missing = new Map<string, string>();
  readonly #several = new Map<string, string | undefined>();
  readonly #records = new Map<string, Found>();
  /** What was born and is waited for, by its URN at the target. */
  readonly #born = new Map<string, Found>();
  readonly #bodies = new Map<string, JsonObject>();
  readonly #needed: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: Diagnostic[] = [];

  constructor(options: BirthOptions) {
    this.#options = options;
    const needed = new Map<string, string[]>();
    for (const [urn, { holder }] of options.pairs.inside) {
      const known = needed.get(holder);
      if (known === undefined) needed.set(holder, [urn]);
      else known.push(urn);
    }
    this.#needed = needed;
  }

  /** The twin of something that was born in this run. */
  twin(urn: string): string | undefined {
    return this.#twins.get(urn);
  }

  /** Why something that should have been born is not there. */
  missing(urn: string): string | undefined {
    return this.#missing.get(urn);
  }

  /** The record of a created object as the given kind that others know it as shows it. */
  record(target: string): Found | undefined {
    return this.#records.get(target);
  }

  /** What lies over a created object, as it was before anything was brought to it. */
  body(kind: string, target: string): JsonObject | undefined {
    return this.#bodies.get(keyText(kind, target));
  }

  /** What was born says by itself, in the words of a kind that lies over it: a column may come with a description. */
  wordsOf(kind: OverlayKind | LinkKind, target: string): JsonObject | undefined {
    const born = this.#born.get(target);
    return born === undefined || onlyAdds(kind) ? undefined : kind.accept(born.body, () => undefined)?.body;
  }

  isAwaited(task: Task): boolean {
    return standsAlone(task.kind) && task.kind.births !== undefined && task.change.action !== "delete";
  }

  /** Looks for what was born with the object of a task; `users` wait for it. Resolves also when nothing shows. */
  async find(task: Task, target: string, users: readonly Task[]): Promise<void> {
    const { kind, change } = task;
    if (!standsAlone(kind) || kind.births === undefined) return;
    const { births } = kind;
    const source = change.source?.urn ?? "";
    await this.#look(kind, source, async (wanted) => {
      const isNew = change.action !== "update";
      await this.#lookFor(kind, births, { source, target, wanted, isNew });
      await this.#lookOver(births, target, users);
    });
  }

  /** The same for one that a run has created which did not come to its end. True when some of it is there. */
  async findLate(kind: EntityKind, source: string, target: string): Promise<boolean> {
    const { births } = kind;
    if (births === undefined) return false;
    await this.#look(kind, source, async (wanted) =>
      this.#lookFor(kind, births, { source, target, wanted, isNew: true }),
    );
    return (this.#needed.get(source) ?? []).some((urn) => this.#twins.has(urn));
  }

  async #look(
    kind: EntityKind,
    source: string,
    look: (wanted: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const wanted = this.#needed.get(source) ?? [];
    try {
      await look(wanted);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) {
        if (error instanceof Error && error.name === "AbortError") return;
        throw error;
      }
      for (const urn of wanted) {
        if (!this.#twins.has(urn)) this.#missing.set(urn, `it could not be read: ${trouble.reason}`);
      }
      const name = this.#options.source.name(kind.name, source);
      this.#tell(kind, { urn: source, name }, `what came with it could not be read: ${trouble.reason}`);
    }
  }

  async #lookFor(
    kind: EntityKind,
    births: BornOf,
    { isNew, ...of }: { source: string; target: string; wanted: readonly string[]; isNew: boolean },
  ): Promise<void> {
    const { source, target, wanted } = of;
    const { client, now, sleep, plan } = this.#options;
    const until = now() + births.patience(plan.limits);
    const rest = Math.min(longestRest, births.patience(plan.limits) / 3);
    let seen = 0;
    let grown = now();
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const born = await births.read(client, target);
      this.#pair(born, of);
      const open = wanted.filter((urn) => !this.#twins.has(urn));
      if (born.length !== seen) grown = now();
      // What has some by now, and none more for a while, gets no more of them: they may come one after the other.
      const isSettled = born.length > 0 && now() - grown >= rest;
      if ((born.length > 0 && open.length === 0) || isSettled || now() + pause > until) {
        const body = this.#options.source.body(kind.name, source);
        const why =
          born.length === 0 ? births.why(body, (urn) => this.#nameOf(urn)) : "it has none of that name";
        for (const urn of open) this.#missing.set(urn, this.#several.get(urn) ?? why);
        if (born.length === 0) {
          const name = this.#options.source.name(kind.name, source);
          this.#tell(
            kind,
            { urn: source, name },
            `it was ${isNew ? "created, and came" : "changed, and is"} without any ${births.kinds.join(" or ")}: ${why}`,
          );
        }
        return;
      }
      seen = born.length;
      await sleep(pause);
    }
  }

  /** Of a given thing of the source: as its twin is called, for that is where a person looks. */
  #nameOf(urn: string): string {
    const { registry, source, pairs } = this.#options;
    const twin = pairs.records.get(pairs.twins.get(urn) ?? "");
    if (twin !== undefined) return twin.name;
    const kind = registry.given().find(({ name }) => source.kinds().includes(name) && source.has(name, urn));
    return kind === undefined ? urn : source.name(kind.name, urn);
  }

  #pair(
    born: readonly Found[],
    { source, target, wanted }: { source: string; target: string; wanted: readonly string[] },
  ): void {
    const { pairs, registry, plan, source: snapshot } = this.#options;
    const context: PairingContext = {
      pairing: plan.pairing,
      twin: (urn) => (urn === source ? target : pairs.twins.get(urn)),
      rename: renamer(plan.pairing),
      inTarget: (urn) => urn,
    };
    const byUrn = new Map(born.map((found) => [found.urn, found]));
    const records = wanted.flatMap((urn) => {
      const name = pairs.inside.get(urn)?.kind ?? "";
      const kind = registry.get(name);
      if (!isGiven(kind) || !snapshot.has(name, urn)) return [];
      return [{ kind, urn, name: snapshot.name(name, urn), body: snapshot.body(name, urn) }];
    });
    // Each time anew: of two that fit the same one the better one may have come since.
    for (const [kind, alike] of Map.groupBy(records, (record) => record.kind)) {
      const sought = soughtAmong(onceEach(born), { kind, context, wanted: alike });
      const twins = [
        ...settled(
          alike.map((record) => match(record, sought)),
          alike,
        ),
      ];
      for (const [index, { urn }] of alike.entries()) {
        const found = twins[index] ?? { why: "nothing" };
        if ("urn" in found) {
          this.#twins.set(urn, found.urn);
          const there = byUrn.get(found.urn);
          if (there !== undefined) this.#born.set(found.urn, there);
        } else {
          this.#twins.delete(urn);
          this.#several.set(urn, severalOf(found));
        }
      }
    }
  }

  /** What lies over the new object is there with it; what it holds from the start is what ours is laid over. */
  async #lookOver(births: BornOf, target: string, users: readonly Task[]): Promise<void> {
    const { client, registry } = this.#options;
    const located = users.filter(({ kind }) => isLocated(kind));
    if (located.length === 0) return;
    const as = registry.get(births.as);
    if (!isGiven(as)) return;
    const answer = await as.read(client, new Set([target]), () => new Set());
    const record = "notKnown" in answer ? undefined : answer.find(({ urn }) => urn === target);
    if (record === undefined) return;
    this.#records.set(target, record);
    for (const { kind } of located) {
      const urn = isLocated(kind) ? kind.locate(record) : undefined;
      const body = isFetched(kind) ? await kind.fetch(client, record) : undefined;
      if (urn !== undefined && body !== undefined) this.#bodies.set(keyText(kind.name, urn), body);
    }
  }

  #tell(kind: EntityKind, of: { readonly urn: string; readonly name: string }, summary: string): void {
    this.diagnostics.push({
      severity: "warning",
      code: "born-without",
      coordinate: { kind: kind.name, ...of },
      summary,
      suggestion: "Set it right at the target, and run again: what waits for it is taken up then.",
    });
  }
}

/** Why one cannot be told from others; undefined where there is none at all. */
function severalOf({ why }: Unmatched): string | undefined {
  if (why === "several-here") return "several at the source fit the same one of it";
  return why === "several-there" ? "it has several of that name" : undefined;
}
