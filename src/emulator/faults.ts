import type { LogEntry } from "./http/log.ts";
import { Random } from "./random.ts";

export { parseFaults } from "./faults-file.ts";

/** A fault as plain JSON, so that it can come from a file. The first rule that matches and fires takes effect. */
export interface FaultRule {
  readonly match?: FaultMatch;
  readonly when?: FaultWhen;
  readonly effect: FaultEffect;
}

/** All given conditions must hold; none matches every request, the token endpoint included. */
export interface FaultMatch {
  readonly tenant?: string;
  readonly method?: string;
  /** A prefix of the path below the tenant, or an expression between slashes: `/terms$/`. */
  readonly path?: string;
  /** The template of the route, for example `POST /api/catalog/v1/terms/bulk`. */
  readonly route?: string;
  /** Parameters of the address, each with its whole value. */
  readonly query?: Readonly<Record<string, string>>;
}

interface FaultWhen {
  /** Lets the first ones through. */
  readonly skip?: number;
  /** How often it fires at most; default: always. */
  readonly times?: number;
  /** 0 to 1, drawn from the emulator's seed. */
  readonly chance?: number;
}

export type FaultEffect =
  /** The socket is destroyed before the body is read. (A port that nobody listens on: Emulator.pause.) */
  | { readonly type: "refuse-connection" }
  /** The request is read, nothing is committed, the socket is destroyed. */
  | { readonly type: "drop-before-commit" }
  /** Committed, but the socket is destroyed instead of an answer. */
  | { readonly type: "drop-after-commit" }
  /** A late answer; a client that leaves meanwhile does not stop the commit. */
  | { readonly type: "delay"; readonly ms: number; readonly at?: "before-commit" | "after-commit" }
  /** The socket is destroyed now; the commit happens later. */
  | { readonly type: "late-commit"; readonly ms: number }
  /** An error of a gateway, before the request is handled or (`commit`) after it was. */
  | {
      readonly type: "status";
      readonly code: number;
      readonly retryAfter?: number | string;
      readonly commit?: boolean;
      /** A page of HTML, as of a gateway that knows nothing of the service; otherwise a problem with a type and a title. */
      readonly page?: boolean;
    }
  /** Committed; the answer ends before its Content-Length. */
  | { readonly type: "truncate" }
  /** Committed; the answer is 200 with a page of HTML. */
  | { readonly type: "garbage" }
  /** Committed; the 207 lacks the results at these indexes, or the last `count` (default 1). */
  | { readonly type: "missing-items"; readonly indexes?: readonly number[]; readonly count?: number }
  /** Committed; the first result of the 207 is there twice. */
  | { readonly type: "duplicate-items" }
  /** Committed; the results of the 207 come in reverse. */
  | { readonly type: "reorder-items" }
  /** A list without what was created in the last `ms`, or by any of the tenant's last `requests` requests. */
  | { readonly type: "stale-list"; readonly ms?: number; readonly requests?: number }
  /** A page whose next cursor leads to the same page again. */
  | { readonly type: "repeat-cursor" }
  /** An independent batch stops after `count` committed items and the socket is destroyed; other writes are lost. */
  | { readonly type: "partial-commit"; readonly count: number };

interface ActiveRule {
  readonly rule: FaultRule;
  readonly random: Random;
  matched: number;
  fired: number;
}

export class FaultSwitch {
  readonly #seed: number;
  #rules: ActiveRule[] = [];
  #added = 0;

  constructor(seed: number, rules: readonly FaultRule[] = []) {
    this.#seed = seed;
    for (const rule of rules) this.add(rule);
  }

  /** Switches a fault on; the function that is returned switches it off. */
  add(rule: FaultRule): () => void {
    this.#added += 1;
    const active = { rule, random: new Random(this.#seed, `fault ${this.#added}`), matched: 0, fired: 0 };
    this.#rules.push(active);
    return () => {
      this.#rules = this.#rules.filter((other) => other !== active);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  /** The effect for a request, if any; counts it as matched and fired. */
  pick(entry: LogEntry): FaultEffect | undefined {
    for (const active of this.#rules) {
      if (matches(active.rule.match ?? {}, entry) && fires(active)) return active.rule.effect;
    }
    return undefined;
  }
}

function fires(active: ActiveRule): boolean {
  const { skip = 0, times = Infinity, chance = 1 } = active.rule.when ?? {};
  active.matched += 1;
  if (active.matched <= skip || active.fired >= times) return false;
  if (chance < 1 && active.random.fraction() >= chance) return false;
  active.fired += 1;
  return true;
}

function matches(match: FaultMatch, entry: LogEntry): boolean {
  if (match.tenant !== undefined && match.tenant !== entry.tenant) return false;
  if (match.method !== undefined && match.method !== entry.method) return false;
  if (match.route !== undefined && match.route !== entry.route) return false;
  if (Object.entries(match.query ?? {}).some(([name, value]) => entry.query[name] !== value)) return false;
  return match.path === undefined || pathMatches(match.path, entry.path);
}

function pathMatches(pattern: string, path: string): boolean {
  if (/^\/.+\/$/.test(pattern)) return new RegExp(pattern.slice(1, -1)).test(path);
  return path.startsWith(pattern);
}
