import type { Identification, OpenTable, RowVersion } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import type { Work } from "../../store/index.ts";
import type { RowLine } from "./line.ts";
import { lineJson, lineOf } from "./line.ts";
import { grouped } from "./pages.ts";
import { mostSamples } from "./tally.ts";
import type { TableDiff } from "./tally.ts";

export interface ExplainOptions {
  /** Names the table's file. */
  readonly id: string;
  readonly open: OpenTable;
  readonly work: Pick<Work, "writeRows" | "readRows">;
  /** Most rows that are asked about, a request each; 0 for none. */
  readonly identify: number;
  readonly history: number;
  readonly concurrency: number;
  readonly stop: AbortSignal;
}

/** How many of what was asked about came to what. */
export interface Insight {
  readonly identified: {
    readonly asked: number;
    readonly left: number;
    readonly joins: number;
    readonly proposed: number;
    readonly alone: number;
    /** Why no more were asked about. */
    readonly trouble?: string;
  };
  readonly explained: { readonly asked: number; readonly left: number; readonly trouble?: string };
}

/** So many proposals of one row are told. */
const mostProposals = 10;

/** What an answer came to; what is not known has a reason. */
type Asked<T> = { readonly found: T } | { readonly notKnown: string };

/**
 * Asks the target about rows that a diff lists: which master a new one would join, and since when a drifted one is as it
 * is. It is put beside the row in the table's file, for people: what an approval is bound to stays as it was.
 */
export async function explainTable(
  diff: TableDiff,
  options: ExplainOptions,
): Promise<{ readonly diff: TableDiff; readonly insight: Insight }> {
  const { open, work, id, concurrency, stop } = options;
  const identify = new Questions(open.identify === undefined ? 0 : options.identify);
  const history = new Questions(open.history === undefined ? 0 : options.history);
  const told = { joins: 0, proposed: 0, alone: 0 };
  const samples = [...diff.samples];
  let at = 0;

  const ask = async (line: RowLine): Promise<RowLine> => {
    if (line.action === "create") {
      const { identify: about } = open;
      if (about === undefined) return line;
      const values = fromEntries(
        (line.fields ?? []).flatMap(({ name, to }): [string, Json][] =>
          to === undefined ? [] : [[name, to]],
        ),
      );
      const asked = await identify.ask(async () => about(values));
      if (asked === undefined) return line;
      if ("notKnown" in asked) return { ...line, identify: { notKnown: asked.notKnown } };
      if ("notKnown" in asked.found) {
        identify.giveUp(asked.found.notKnown);
        return line;
      }
      told[outcomeOf(asked.found)] += 1;
      return { ...line, identify: identification(asked.found) };
    }
    if (line.action !== "drift" && line.action !== "conflict") return line;
    const { address } = line;
    if (address === undefined) return line;
    const asked = await history.ask(async () => open.history?.(address));
    if (asked === undefined || "notKnown" in asked || asked.found === undefined) return line;
    const fields = stillSo(line, asked.found, open);
    return { ...line, history: changesIn({ fields }, asked.found, open) };
  };

  const isAsked = { create: identify.most > 0, drift: history.most > 0, conflict: history.most > 0 };
  const wanted = (["create", "drift", "conflict"] as const).filter(
    (action) => isAsked[action] && diff.counts[action] > 0,
  );
  if (wanted.length > 0) {
    const writer = await work.writeRows(id);
    try {
      for await (const group of grouped(work.readRows(id), concurrency)) {
        if (stop.aborted) break;
        for (const line of await Promise.all(group.map(async (json) => ask(lineOf(json))))) {
          if (at < Math.min(mostSamples, samples.length)) samples[at] = line;
          at += 1;
          await writer.add(lineJson(line));
        }
      }
      if (!stop.aborted) await writer.finish();
    } finally {
      await writer.abandon();
    }
  }
  return {
    diff: { ...diff, samples },
    insight: { identified: { ...identify.counts, ...told }, explained: history.counts },
  };
}

/** Questions of one kind: bounded, and given up when nothing answers them. */
class Questions {
  readonly most: number;
  #asked = 0;
  #left = 0;
  #refusedInARow = 0;
  #trouble: string | undefined;

  constructor(most: number) {
    this.most = most;
  }

  get counts(): { readonly asked: number; readonly left: number; readonly trouble?: string } {
    return {
      asked: this.#asked,
      left: this.#left,
      ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }),
    };
  }

  /** It was no question after all. */
  giveUp(trouble: string): void {
    this.#trouble ??= trouble;
    this.#asked -= 1;
    this.#left += 1;
  }

  /** Undefined where it was not asked. Throws what ends a run. */
  async ask<T>(question: () => Promise<T>): Promise<Asked<T> | undefined> {
    if (this.most === 0) return undefined;
    if (this.#asked >= this.most || this.#trouble !== undefined) {
      this.#left += 1;
      return undefined;
    }
    this.#asked += 1;
    try {
      const found = await question();
      this.#refusedInARow = 0;
      return { found };
    } catch (error) {
      const trouble = troubleOf(error);
      // Whoever refuses to answer this may answer all else: what nobody has an answer to without signing in is asked before.
      if (trouble === undefined || trouble.fatal === "stopped") throw error;
      this.#refusedInARow += 1;
      // One row may be what the service does not take; several are the service.
      if (trouble.state !== "refused" || trouble.fatal !== undefined || this.#refusedInARow >= mostRefused)
        this.#trouble ??= trouble.reason;
      return { notKnown: trouble.reason };
    }
  }
}

const mostRefused = 3;

function outcomeOf({ joins, proposals }: Identification): "joins" | "proposed" | "alone" {
  if (joins !== undefined) return "joins";
  return proposals.length === 0 ? "alone" : "proposed";
}

function identification({ joins, proposals, unrelated }: Identification): JsonObject {
  const match = ({ master, name, rule, quality }: Identification["proposals"][number]): JsonObject =>
    withoutUndefined({ master, name, rule, quality });
  const left = proposals.length - mostProposals;
  return {
    joins: joins === undefined ? null : match(joins),
    proposals: proposals.slice(0, mostProposals).map(match),
    ...(left > 0 ? { moreProposals: left } : {}),
    ...(unrelated === undefined ? {} : { unrelated }),
  };
}

/**
 * Those of the columns in which the two sides differ of which the history can be true: its newest word is what the target shows, and what
 * it tells first is not older than what it tells next. An override hides what is below it; another record's history says nothing of this one.
 */
function stillSo(
  { fields = [] }: Pick<RowLine, "fields">,
  versions: readonly RowVersion[],
  { text: textOf }: Pick<OpenTable, "text">,
): NonNullable<RowLine["fields"]> {
  const times = versions.map(({ from = "" }) => Date.parse(from)).filter((time) => !Number.isNaN(time));
  if (times.some((time, at) => time > (times[at - 1] ?? Infinity))) return [];
  const newest = versions[0]?.values ?? {};
  return fields.filter(
    ({ name, from }) => textOf(name, own(newest, name) ?? null) === textOf(name, from ?? null),
  );
}

/** Pure: for each column in which the two sides differ, since when the target is as it is, and what it was before. */
export function changesIn(
  { fields = [] }: Pick<RowLine, "fields">,
  versions: readonly RowVersion[],
  { text: textOf }: Pick<OpenTable, "text">,
): readonly JsonObject[] {
  const [newest] = versions;
  if (newest === undefined) return [];
  return fields.flatMap(({ name }): readonly JsonObject[] => {
    const valueIn = (version: RowVersion): Json => own(version.values, name) ?? null;
    const now = textOf(name, valueIn(newest));
    const other = versions.findIndex((version) => textOf(name, valueIn(version)) !== now);
    const since = versions[other === -1 ? versions.length - 1 : other - 1];
    // Of columns that it does not keep it says nothing.
    if (since === undefined || versions.every((version) => !Object.hasOwn(version.values, name))) return [];
    const before = other === -1 ? undefined : versions[other];
    return [
      withoutUndefined({
        column: name,
        since: since.from,
        by: since.by,
        from: before === undefined ? undefined : valueIn(before),
        to: valueIn(newest),
        isFirst: before === undefined ? true : undefined,
      }),
    ];
  });
}

function withoutUndefined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
