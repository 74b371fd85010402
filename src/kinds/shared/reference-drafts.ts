import type { Json, JsonObject } from "../../model/json.ts";
import { own, text } from "../../model/json.ts";
import { asKept } from "../../model/value-form.ts";
import type { WriteClient } from "../../service/index.ts";
import type { FoundCreate, RowTask, SentAfter } from "../kind.ts";
import { isAbsent, isLost, isNotTaken, isRefused, isSurelyAbsent, twiceAtMost } from "./answers.ts";
import {
  changed,
  inItsForm,
  isDeleted,
  isUnderReview,
  isWithout,
  unchanging,
  whole,
} from "./draft-records.ts";
import type { TablePlan } from "./records.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

export const priority = "MEDIUM";

export interface WriterOptions {
  readonly client: WriteClient;
  readonly urn: string;
  readonly name: string;
  readonly publish: TablePlan["publish"];
  readonly table: ReferenceTable;
  readonly patienceMs: number;
}

/** Nothing is sent again: it may be there. */
const lostSearch = {
  notKnown:
    "it was looked for through a review, and what came of that is not known: look at the reviews of the table in the web application",
};

/** What is in the draft: no document has a way to read it, so a review that holds nothing else shows it. */
export class Drafts {
  readonly #options: WriterOptions;
  #isOffered: boolean | undefined;
  /** A change of no attribute at all is not taken, or not answered. */
  #needsValue = false;
  /** That a filter may name URNs is documented where something is published, and not where drafts are read. */
  #takesUrns = true;
  /** The first request finds out; the others wait for it. */
  #first: Promise<unknown> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Drafts can be read: what nobody has a draft of was not touched by looking. */
  get isSeen(): boolean {
    return this.#isOffered === true;
  }

  /**
   * Keys, as the table says them, of rows that somebody has a draft of; none where that cannot be known beforehand. One
   * that says just what is to be said may be what an earlier request of ours has left.
   */
  async ofOthers(tasks: readonly RowTask[]): Promise<ReadonlySet<string>> {
    const { table } = this.#options;
    if (this.#isOffered === undefined) await this.#first;
    if (this.#isOffered === false) return new Set();
    const open = await this.#drafts(tasks);
    if (open === undefined) return new Set();
    const keyOf = (task: RowTask): string | undefined => table.keyOf(whole(task).values);
    const wanted = new Map(tasks.map((task) => [keyOf(task), task]));
    const addressed = new Map(tasks.filter(isAddressed).map((task) => [task.address, task]));
    // What is published stays in the draft dataset (document 2): it is nobody's draft.
    const drafts = open.filter((record) => text(record, "state") !== "UNCHANGED");
    const keys = drafts.flatMap((record) => {
      // One whose key somebody has changed is in the way of both, of its own row and of the one that has that key.
      const met = [wanted.get(table.keyOf(valuesOf(record))), addressed.get(text(record, "urn"))];
      return met.flatMap((task) => {
        const isOurs = task?.action === "update" && !isDeleted(record) && this.#says(record, task);
        return task === undefined || isOurs ? [] : (keyOf(task) ?? []);
      });
    });
    return new Set(keys);
  }

  /**
   * Updates of rows that say, in the draft, neither what was published when they were looked at nor what is to be said (an
   * earlier request of ours may have left that): whoever changed the same attribute could not be told once ours is there. `deleted`: one
   * stands in the draft as deleted, and a change leaves it so: ours would be put there by each run, and published by none.
   */
  async begunByOthers(tasks: readonly RowTask[]): Promise<ReadonlyMap<RowTask, "changed" | "deleted">> {
    const asked = tasks.filter((task) => task.action === "update" && isAddressed(task));
    const plain = new Map(asked.map((task): [RowTask, RowTask] => [{ ...task, values: {} }, task]));
    const deleted = new Set<RowTask>();
    const otherwise = await this.#answered([...plain.keys()], (task, draft) => {
      if (isDeleted(draft)) deleted.add(task);
      return !isDeleted(draft) && this.#says(draft, plain.get(task) ?? task);
    });
    return new Map(
      [...otherwise].map((task) => [plain.get(task) ?? task, deleted.has(task) ? "deleted" : "changed"]),
    );
  }

  /** What is not in the draft as it should be. What is to be deleted must not stand in it as deleted yet. */
  async strayed(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>> {
    const asked = tasks.filter(isAddressed);
    return (await this.#shown(asked)) ?? this.#answered(asked);
  }

  /**
   * The same of what was sent. A deletion that stands in the draft would be undone by a change, and be one that nobody asked for:
   * where drafts cannot be read it is not asked after.
   */
  async strayedSince(
    tasks: readonly RowTask[],
    after: SentAfter,
  ): Promise<ReadonlyMap<RowTask, "changed" | "gone" | "hidden">> {
    const asked = tasks.filter(isAddressed);
    const drafts = await this.#drafts(asked);
    // What is new and takes no change is not there, unless it is in a review that was asked for.
    const mayBeHeld = after === "draft" && this.#options.publish !== "direct";
    const refused = new Set<RowTask>();
    const changed =
      drafts === undefined
        ? await this.#answered(
            asked.filter(({ action }) => action !== "delete"),
            undefined,
            (task) => void refused.add(task),
          )
        : this.#strayedIn(asked, drafts);
    const isLost = after === "lost-review";
    // One that is marked as deleted is published by nobody who means it to be there. What is under review already no other review takes.
    const standing = drafts?.filter((record) => !isDeleted(record) && !(isLost && isUnderReview(record)));
    const there = standing === undefined ? undefined : new Set(standing.map((record) => text(record, "urn")));
    const isGone = (task: RowTask): boolean =>
      task.action === "create" &&
      (there === undefined ? refused.has(task) && !mayBeHeld : !there.has(task.address));
    const reviewed = new Set(drafts?.filter(isUnderReview).map((record) => text(record, "urn")));
    const isHidden = (task: RowTask): boolean =>
      task.action === "create" && mayBeHeld && (refused.has(task) || reviewed.has(task.address));
    return new Map([
      ...[...changed].map((task) => [task, "changed"] as const),
      ...asked.filter(isHidden).map((task) => [task, "hidden"] as const),
      ...asked.filter(isGone).map((task) => [task, "gone"] as const),
    ]);
  }

  /** Changes of which no draft has anything. What is under review, or takes no look, may have it. */
  async without(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>> {
    const asked = tasks.filter(isAddressed);
    const seen = await this.#drafts(asked);
    const records = seen ?? (await this.#answers(asked));
    const drafts = new Map(records.map((record) => [text(record, "urn"), record]));
    const { table } = this.#options;
    return new Set(
      asked.filter((task) => {
        const draft = drafts.get(task.address);
        return draft === undefined ? seen !== undefined : isWithout(task, draft, table);
      }),
    );
  }

  /** Those that are new in the draft, or under review, by their URNs: a service that does not say so tells nothing of them. */
  async unpublished(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>> {
    const asked = tasks.filter(isAddressed);
    const drafts = (await this.#drafts(asked)) ?? (await this.#answers(asked));
    const unpublished = drafts.filter((record) => text(record, "state") === "NEW" || isUnderReview(record));
    const urns = new Set(unpublished.map((record) => text(record, "urn")));
    return new Set(asked.filter(({ address }) => urns.has(address)));
  }

  /**
   * Deletions that nobody asks for any more, looked at with a change that changes nothing: whether that takes one back is in no document,
   * and the answer tells. `marked`: those that stand in the draft still, or may. `empty`: where nothing else stands in it.
   */
  async taken(tasks: readonly RowTask[]): Promise<{
    readonly marked: readonly RowTask[];
    readonly empty: readonly RowTask[];
  }> {
    const asked = tasks.filter(isAddressed);
    const seen = await this.#drafts(asked);
    const deleted = new Set(seen?.filter(isDeleted).map((record) => text(record, "urn")));
    const looked = seen === undefined ? asked : asked.filter(({ address }) => deleted.has(address));
    const answers = new Map((await this.#answers(looked)).map((record) => [text(record, "urn"), record]));
    const draftOf = ({ address }: RowTask): JsonObject | undefined => answers.get(address);
    const isFree = (task: RowTask): boolean => {
      const draft = draftOf(task);
      return draft !== undefined && !isDeleted(draft);
    };
    const free = looked.filter(isFree);
    return {
      marked: [...tasks.filter((task) => !isAddressed(task)), ...looked.filter((task) => !isFree(task))],
      empty: free.filter((task) => changed(task, draftOf(task), this.#options.table).state === "done"),
    };
  }

  /** undefined where drafts cannot be read. */
  async #shown(asked: readonly RowTask[]): Promise<ReadonlySet<RowTask> | undefined> {
    const drafts = await this.#drafts(asked);
    return drafts === undefined ? undefined : this.#strayedIn(asked, drafts);
  }

  /** By their keys, and by their URNs: somebody may have changed the key in the draft. */
  async #drafts(asked: readonly RowTask[]): Promise<readonly JsonObject[] | undefined> {
    if (asked.length === 0) return [];
    const urns = asked.filter(isAddressed).map(({ address = "" }) => address);
    return this.#options.table.ask(asked.map(whole), async (keys) => this.#readAlso(keys, urns));
  }

  async #readAlso(keys: JsonObject, urns: readonly string[]): Promise<readonly JsonObject[] | undefined> {
    if (urns.length === 0 || !this.#takesUrns) return this.#read(keys);
    try {
      return await this.#read({ or: [keys, { recordUrn: { in: urns } }] });
    } catch (error) {
      if (!isNotTaken(error)) throw error;
      const found = await this.#read(keys);
      this.#takesUrns = false;
      return found;
    }
  }

  #strayedIn(asked: readonly RowTask[], records: readonly JsonObject[]): ReadonlySet<RowTask> {
    const { table } = this.#options;
    const drafts = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
    return new Set(
      asked.filter((task) => {
        const draft = drafts.get(task.address ?? "");
        const isOther = (wanted: RowTask): boolean => changed(wanted, draft, table).state === "refused";
        return isOther(task) && (draft === undefined || isOther(inItsForm(task, draft, table)));
      }),
    );
  }

  async #answered(
    asked: readonly RowTask[],
    mayBe: (task: RowTask, draft: JsonObject) => boolean = () => false,
    refused?: (task: RowTask) => void,
  ): Promise<ReadonlySet<RowTask>> {
    const records = await this.#answers(asked, refused);
    const byUrn = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
    const strayed = [...this.#strayedIn(asked, records)];
    return new Set(strayed.filter((task) => !mayBe(task, byUrn.get(task.address ?? "") ?? {})));
  }

  /** A change that changes nothing is answered with what is in the draft. What is refused says nothing (it is under review, or gone). */
  async #answers(
    asked: readonly RowTask[],
    refused: (task: RowTask) => void = () => undefined,
  ): Promise<readonly JsonObject[]> {
    if (asked.length === 0) return [];
    try {
      return await this.#lookedAt(asked);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const [only, ...more] = asked;
      if (only !== undefined && more.length === 0) {
        refused(only);
        return [];
      }
      const middle = Math.ceil(asked.length / 2);
      const [first, second] = [asked.slice(0, middle), asked.slice(middle)];
      return [...(await this.#answers(first, refused)), ...(await this.#answers(second, refused))];
    }
  }

  /**
   * What the draft says of these. None of their attributes is named ("only the listed attributes are updated"), since whatever somebody
   * has made of that one in the draft would be lost; where a service does not take that, the key, which people change least.
   */
  async #lookedAt(asked: readonly RowTask[]): Promise<readonly JsonObject[]> {
    const { client, urn, table } = this.#options;
    const look = async (names: readonly string[]): Promise<readonly JsonObject[]> =>
      twiceAtMost(async () =>
        client.referenceData.changeDraft(
          urn,
          asked.map((task) => unchanging(task, names)),
        ),
      );
    if (!this.#needsValue) {
      try {
        const records = await look([]);
        const told = new Set(records.map((record) => text(record, "urn")));
        if (asked.every(({ address }) => told.has(address))) return records;
      } catch (error) {
        if (!isNotTaken(error)) throw error;
      }
    }
    const records = await look(table.key);
    this.#needsValue = true;
    return records;
  }

  async find(
    tasks: readonly RowTask[],
    again: boolean,
  ): Promise<ReadonlyMap<string, FoundCreate> | { readonly notKnown: string }> {
    const { table } = this.#options;
    const ask = async (keys: JsonObject): Promise<readonly JsonObject[] | typeof lostSearch> => {
      const filter = { and: [{ state: { in: ["NEW"] } }, keys] };
      return (await this.#read(filter)) ?? (again ? lostSearch : await this.#throughReview(filter));
    };
    const found = await table.ask(tasks, ask).catch((error: unknown) => {
      if (!isRefused(error)) throw error;
      return { notKnown: `drafts cannot be looked at: ${error.message}` };
    });
    if ("notKnown" in found) return found;
    const byKey = Map.groupBy(found, (record) => table.keyOf(valuesOf(record)) ?? "");
    return new Map(
      tasks.flatMap((task): [string, FoundCreate][] => {
        const [record, ...more] = byKey.get(table.keyOf(task.values) ?? "") ?? [];
        if (record === undefined) return [];
        return [[task.key, this.#judge(task, record, more.length)]];
      }),
    );
  }

  #judge(task: RowTask, record: JsonObject, more: number): FoundCreate {
    if (more > 0) return { state: "unclear", reason: `${more + 1} drafts at the target have its key` };
    if (this.#says(record, task)) return { state: "ours", address: text(record, "urn") ?? "" };
    return { state: "unclear", reason: "a draft at the target has its key and says something else" };
  }

  #says(record: JsonObject, task: RowTask): boolean {
    const { table } = this.#options;
    const values = valuesOf(record);
    // Nothing is counted as done by that, so it may say what it said before as well.
    const wanted = { ...task.before, ...asKept({ values: task.values }, values, table) };
    return [...new Set([...Object.keys(values), ...Object.keys(wanted)])].every((name) => {
      const at = (of: JsonObject): Json => own(of, name) ?? null;
      return table.text(name, at(values)) === table.text(name, at(wanted));
    });
  }

  /** undefined where the service has no such way. */
  async #read(filter: JsonObject): Promise<readonly JsonObject[] | undefined> {
    if (this.#isOffered === false) return undefined;
    const reading = this.#records(filter);
    this.#first ??= reading.catch(() => undefined);
    return reading;
  }

  async #records(filter: JsonObject): Promise<readonly JsonObject[] | undefined> {
    const { client, urn } = this.#options;
    try {
      const records: JsonObject[] = [];
      for await (const { items } of client.referenceData.draftRecords(urn, filter)) records.push(...items);
      this.#isOffered = true;
      return records;
    } catch (error) {
      if (this.#isOffered === true || !isAbsent(error)) throw error;
      this.#isOffered = false;
      return undefined;
    }
  }

  async #throughReview(filter: JsonObject): Promise<readonly JsonObject[] | { readonly notKnown: string }> {
    const { client, urn, name } = this.#options;
    const title = `${name}: what became of records whose creation had no answer`;
    const description = "Made by urn-ferry to see its own drafts, and approved by it at once.";
    let review: string;
    try {
      review = await client.referenceData.requestReview(urn, { name: title, priority, description, filter });
    } catch (error) {
      // An error is never emptiness. What a review took that nobody can name is not among the drafts any more.
      if (isLost(error)) return lostSearch;
      throw error;
    }
    const records: JsonObject[] = [];
    try {
      for await (const { items } of client.referenceData.reviewRecords(review)) records.push(...items);
      if (records.length > 0) await approved(client, review);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return {
        notKnown: `they may be in the review "${title}" (${review}), which has to be approved: ${error.message}`,
      };
    }
    return records;
  }
}

/** A review that is gone once it was approved without an answer was approved by that. */
export async function approved({ referenceData }: WriteClient, review: string): Promise<void> {
  try {
    await referenceData.approveReview(review);
  } catch (error) {
    if (!isLost(error)) throw error;
    await referenceData.approveReview(review).catch((again: unknown) => {
      if (!isSurelyAbsent(again)) throw again;
    });
  }
}

function isAddressed({ address }: RowTask): boolean {
  return address !== undefined && address !== "";
}
