import type { MovedKind, StepAnswer } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { JsonObject } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { pairKeys } from "../../model/pair-keys.ts";
import { strip } from "../../model/shape.ts";
import { uuidOf } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import { GivenReader } from "../given-reader.ts";
import { readListings } from "../listing.ts";
import type { Report } from "../progress.ts";
import { holds } from "./holds.ts";
import type { Candidate, Doubt, Subtraction } from "./settle.ts";
import { subtract } from "./settle.ts";

export type Verdict = StepAnswer | { readonly state: "again" };

export interface SettlerOptions {
  readonly client: ReadClient;
  readonly registry: Registry;
  readonly mapping: MappingTable;
  /** UUIDs of what existed of a kind at the target before a run's first create. */
  readonly baseline: (run: string, kind: string) => ReadonlySet<string> | undefined;
  readonly quietPeriodMs: number;
  readonly now: () => number;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly report: Report;
}

/**
 * Finds out what became of requests whose answer was lost. What is not found is only sent again after a quiet
 * period longer than any server timeout, and two equal listings: the service may still be working on it.
 */
export class Settler {
  readonly #options: SettlerOptions;
  /** Whoever was killed with a request under way is gone by now: the lock is ours. */
  readonly #opened: number;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#opened = options.now();
  }

  /** Creates of one kind, against complete listings. */
  async creates(
    kind: MovedKind,
    run: string,
    doubts: readonly Doubt[],
  ): Promise<ReadonlyMap<Doubt, Verdict>> {
    if (kind.mode !== "entity") throw new Error(`${kind.name} cannot be settled by listing`);
    const verdicts = new Map<Doubt, Verdict>();
    const taken = new Set<string>();
    // What an earlier round took is not in the mapping yet, and must not be taken for its twin as well.
    const free = async (): Promise<readonly Candidate[]> =>
      (await this.candidates(kind, run)).filter(({ urn }) => !taken.has(urn));
    let open = doubts;
    const apply = (result: Subtraction): void => {
      for (const { doubt, urn, keys } of result.taken) {
        taken.add(urn);
        verdicts.set(doubt, { state: "done", target: urn, keys });
      }
      for (const { doubt, reason, candidates } of result.ask) {
        const names = candidates.map((candidate) => candidate.urn).join(", ");
        verdicts.set(doubt, { state: "unknown", reason: `${reason}: ${names}` });
      }
      open = result.absent;
    };
    apply(subtract(kind, open, await free()));
    for (let round = 0; open.length > 0 && round < 10; round += 1) {
      await this.#quiet(open);
      const first = await free();
      apply(subtract(kind, open, first));
      if (open.length === 0) break;
      const second = await free();
      if (!sameObjects(first, second)) continue;
      for (const doubt of open) verdicts.set(doubt, { state: "again" });
      open = [];
    }
    for (const doubt of open)
      verdicts.set(doubt, { state: "unknown", reason: "the listing at the target does not come to rest" });
    return verdicts;
  }

  /** What is new at the target since before the run, and mapped to nothing. */
  async candidates(kind: MovedKind, run: string): Promise<readonly Candidate[]> {
    const { client, registry, mapping, report, baseline } = this.#options;
    const before = baseline(run, kind.name);
    const found: Candidate[] = [];
    await readListings({
      client,
      kinds: [kind],
      given: new GivenReader(client, registry),
      side: "target",
      report,
      take: (_kind, object) => {
        if (before?.has(uuidOf(object.urn)) === true || mapping.claimedBy(object.urn) !== undefined) return;
        found.push(object);
      },
    });
    return found;
  }

  /** A change of something that exists: read back and compared. */
  async change(options: {
    readonly kind: MovedKind;
    readonly doubt: Doubt;
    readonly expected: JsonObject;
    readonly target: string;
    readonly readBack: () => Promise<JsonObject | undefined>;
  }): Promise<Verdict> {
    const { kind, doubt, expected, target, readBack } = options;
    const look = async (): Promise<Verdict | "before" | "other"> => {
      const body = await readBack();
      if (body === undefined) return { state: "refused", reason: "the object is gone at the target" };
      const actual = strip(body, kind.shape);
      const print = fingerprint(actual, kind.shape);
      if (print === doubt.item.fingerprint)
        return { state: "done", target, keys: pairKeys(expected, actual, kind.shape) };
      if (print === doubt.item.before) return "before";
      return holds(expected, body, kind.shape)
        ? { state: "done", target, keys: pairKeys(expected, actual, kind.shape) }
        : "other";
    };
    const other: Verdict = {
      state: "unknown",
      reason:
        "the object at the target is neither as it was nor as it should be: somebody else changed it meanwhile",
    };
    const first = await look();
    if (typeof first === "object") return first;
    if (first === "other") return other;
    await this.#quiet([doubt]);
    const second = await look();
    if (typeof second === "object") return second;
    return second === "before" ? { state: "again" } : other;
  }

  async #quiet(doubts: readonly Doubt[]): Promise<void> {
    const { now, sleep, quietPeriodMs, report } = this.#options;
    const latest = Math.max(...doubts.map((doubt) => Math.min(doubt.lostAt ?? this.#opened, now())));
    const ms = latest + quietPeriodMs - now();
    if (ms <= 0) return;
    report({
      type: "waiting",
      ms,
      reason: `${doubts.length} in doubt: an answer was lost, and the request may still take effect`,
    });
    await sleep(ms);
  }
}

function sameObjects(left: readonly Candidate[], right: readonly Candidate[]): boolean {
  const urns = new Set(left.map((candidate) => candidate.urn));
  return left.length === right.length && right.every((candidate) => urns.has(candidate.urn));
}
