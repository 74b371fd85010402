import { appliers } from "./breach.ts";
import type { LogEntry } from "../../src/emulator/index.ts";
import type { Under } from "./breach.ts";
import type { Scene } from "./scene.ts";

/** Of what may go, as the books have it. */
export interface Removable {
  /** Keys that the source has. */
  wanted(): ReadonlySet<string>;
  /** Whether a request shows the tool what the target has under a key. */
  isLook(entry: LogEntry, key: string): boolean;
  /** Since when, counted by the books, somebody's record leads to it, and which: its relation would go with it. */
  ledBy?(key: string): { readonly since: number; readonly by: string } | undefined;
  /** A rollback has begun to take it away, and a later run may bring that to its end. */
  isBack(): boolean;
  /** A request that was sent arrived after its time, and did what it was sent for then. */
  isLate(): boolean;
}

/**
 * Where the plan says that what only the target has is removed: what of it goes is judged when it goes. Whoever removes has been
 * allowed to, the source has no such record, and nobody has changed it, or related a record of theirs to it, since the tool could see that.
 */
export class Removals {
  readonly #scene: Scene;
  readonly #of: Removable;
  /** Since when the source has had what it has. */
  readonly #since = new Map<string, number>();
  /** When a colleague was last at work on it at the target. */
  readonly #edited = new Map<string, number>();
  readonly #looks: { readonly at: number; readonly entry: LogEntry }[] = [];
  readonly #gone = new Set<string>();
  #mayRemove = false;

  constructor(scene: Scene, of: Removable) {
    this.#scene = scene;
    this.#of = of;
    scene.world.emulator.on(({ phase, entry }) => {
      if (phase === "received" && entry.tenant === "prod")
        // What it asks for is read later.
        this.#looks.push({ at: scene.books.tick, entry });
    });
    this.sourceChanged();
  }

  /** Some run was allowed to: what it had begun when it died stands there from then on. */
  get mayRemove(): boolean {
    const { under } = this.#scene.judge;
    return this.#mayRemove || (under !== undefined && isApply(under) && under.allowDelete);
  }

  sourceChanged(): void {
    const wanted = this.#of.wanted();
    for (const key of this.#since.keys()) if (!wanted.has(key)) this.#since.delete(key);
    for (const key of wanted) if (!this.#since.has(key)) this.#since.set(key, (this.#scene.books.tick += 1));
  }

  edited(key: string): void {
    this.#edited.set(key, (this.#scene.books.tick += 1));
  }

  /** The tool takes it away. `under`: what has asked for that, where its publication was sent by an earlier one, and comes late. */
  gone(key: string, under = this.#scene.judge.sentUnder()): void {
    const { judge } = this.#scene;
    this.#gone.add(key);
    if (under === undefined || under.does === "rollback" || this.#of.isLate()) return;
    const { does } = under;
    if (!isApply(under) || !under.allowDelete) {
      judge.breach("deleted", `${does} deleted ${key}, and nobody has allowed it to`);
      return;
    }
    // What a run that was killed has begun to remove, the one that goes on with it brings to its end.
    const began = Math.min(...[under, ...judge.unfinished].map(({ readSource }) => readSource));
    if (!this.#of.isBack() && (this.#since.get(key) ?? Infinity) < began)
      judge.breach("deleted-though-wanted", `${does} deleted ${key}, which the source has`);
    const edited = this.#edited.get(key) ?? 0;
    if (edited > (under.rowsSince ?? Infinity) && this.#isSeen(key, edited))
      judge.breach("deleted", `${does} deleted ${key}, which a colleague had changed meanwhile`);
    const led = this.#of.ledBy?.(key);
    if (led !== undefined && (led.since < under.began || this.#isSeen(key, led.since)))
      judge.breach("deleted-though-used", `${does} deleted ${key}, and ${led.by} leads to it`);
  }

  /** What has gone since the last command; nothing but what the tool has removed. */
  taken(): ReadonlySet<string> {
    const taken = new Set(this.#gone);
    this.#gone.clear();
    this.#looks.length = 0;
    this.#mayRemove = this.mayRemove;
    return taken;
  }

  /** After a moment the tool has asked for it, and before it has sent what is done now. */
  #isSeen(key: string, after: number): boolean {
    const { sentAt } = this.#scene.books;
    return this.#looks.some(({ at, entry }) => at > after && at <= sentAt && this.#of.isLook(entry, key));
  }
}

function isApply({ does }: Under): boolean {
  return appliers.has(does);
}

/** Whether a request names a value as a whole. */
export function names({ query, body }: Pick<LogEntry, "query" | "body">, value: string): boolean {
  const text = JSON.stringify([query, body ?? null]);
  const at = new RegExp(`(?<![\\w ])${value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w ])`);
  return at.test(text);
}
