import type { Json, JsonObject } from "../../model/json.ts";
import { own, text } from "../../model/json.ts";
import type { WriteClient } from "../../service/index.ts";
import type { FoundCreate, Release, Released, RowAnswer, RowTask, TableWriter } from "../kind.ts";
import { answerEach, isAbsent, isLost, isRefused, twiceAtMost } from "./answers.ts";
import type { TablePlan } from "./records.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

const priority = "MEDIUM";
/** Records that one request names: their URNs are all that it holds. */
const perPublish = 1_000;

export interface WriterOptions {
  readonly client: WriteClient;
  readonly urn: string;
  readonly name: string;
  readonly publish: TablePlan["publish"];
  readonly table: ReferenceTable;
  readonly patienceMs: number;
}

/**
 * Writes to the draft of a table and publishes exactly what it wrote (document 2, "Reference data"). What others have in
 * their drafts is theirs.
 */
export function referenceWriter(options: WriterOptions): TableWriter {
  const { client, urn: tableUrn, table } = options;
  const { referenceData } = client;
  const drafts = new Drafts(options);

  async function change(tasks: readonly RowTask[]): Promise<readonly RowAnswer[]> {
    const taken = await drafts.ofOthers(tasks);
    // Of what can be read nothing has to be asked for by a change.
    const begun = drafts.isSeen ? new Set<RowTask>() : await drafts.begunByOthers(tasks);
    const free = tasks.filter(
      (task) => !begun.has(task) && !taken.has(table.keyOf(whole(task).values) ?? ""),
    );
    const answered = new Map<RowTask, RowAnswer>();
    if (free.length > 0) {
      const records = await referenceData.changeDraft(tableUrn, free.map(recordOf));
      for (const [index, answer] of answersOf(free, records, table).entries()) {
        const task = free[index];
        if (task !== undefined) answered.set(task, answer);
      }
    }
    return tasks.map(
      (task) => answered.get(task) ?? { state: "refused", reason: begun.has(task) ? notAsLeft : othersDraft },
    );
  }

  return {
    perBatch: 100,
    repeats: false,
    blame: (pointers) =>
      pointers.flatMap((pointer) => {
        const index = /^#?\/records\/(\d+)(?:\/|$)/.exec(pointer)?.[1];
        return index === undefined ? [] : [Number(index)];
      }),
    send: async (tasks) => {
      if (tasks[0]?.action !== "delete") return change(tasks);
      const strayed = await drafts.strayed(tasks);
      return answerEach(tasks, async (task) =>
        strayed.has(task)
          ? { state: "refused", reason: drafts.isSeen ? othersDraft : notAsLeft }
          : remove(client, tableUrn, task.address ?? ""),
      );
    },
    strayed: (tasks) => drafts.strayedSince(tasks),
    release: releaseOf(options),
    find: (tasks, again) => drafts.find(tasks, again),
  };
}

const othersDraft =
  "somebody has a draft of it at the target: it would be published with ours. Nothing of it was sent";
const notAsLeft =
  "somebody has changed it at the target, in a draft or published. It was looked at with a change that changes nothing: if nobody has a draft of it, that has left an empty one, to be discarded in the web application";

function recordOf({ action, address, values }: RowTask): JsonObject {
  const entries = Object.entries(values).map(([name, value]): JsonObject => ({ name, value }));
  return action === "update" && address !== undefined
    ? { urn: address, values: entries }
    : { values: entries };
}

function isAddressed({ address }: RowTask): boolean {
  return address !== undefined && address !== "";
}

/** Its key, as it is. */
function unchanging(task: RowTask, table: ReferenceTable): JsonObject {
  const { values } = whole(task);
  const names = table.key.map((name): JsonObject => ({ name, value: own(values, name) ?? null }));
  return { urn: task.address ?? "", values: names };
}

async function remove(client: WriteClient, tableUrn: string, address: string): Promise<RowAnswer> {
  try {
    await client.referenceData.deleteDraft(tableUrn, address);
    return { state: "done", address };
  } catch (error) {
    if (!isRefused(error)) throw error;
    return { state: "refused", reason: error.message };
  }
}

/** The answer has the records as the draft has them now: by URN, and what is new by its key. */
function answersOf(
  tasks: readonly RowTask[],
  records: readonly JsonObject[],
  table: ReferenceTable,
): readonly RowAnswer[] {
  const byUrn = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
  const known = new Set(tasks.map(({ address }) => address));
  const made = Map.groupBy(
    records.filter((record) => !known.has(text(record, "urn"))),
    (record) => table.keyOf(valuesOf(record)),
  );
  return tasks.map((task): RowAnswer => {
    if (task.action === "update") return changed(task, byUrn.get(task.address ?? ""), table);
    const [record, ...more] = made.get(table.keyOf(task.values)) ?? [];
    if (record === undefined) return { state: "unknown", reason: "the answer does not have it" };
    if (more.length > 0) return { state: "unknown", reason: "the answer has it several times" };
    return { state: "done", address: text(record, "urn") ?? "" };
  });
}

/** What else the draft has is somebody else's: it would be published with ours. */
function changed(task: RowTask, draft: JsonObject | undefined, table: ReferenceTable): RowAnswer {
  if (draft === undefined) return { state: "unknown", reason: "the answer does not have it" };
  const expected = { ...task.before, ...task.values };
  const values = valuesOf(draft);
  const names = new Set([...Object.keys(expected), ...Object.keys(values)]);
  const other = [...names].find((name) => {
    const [there, wanted] = [own(values, name) ?? null, own(expected, name) ?? null];
    return table.text(name, there) !== table.text(name, wanted);
  });
  if (other === undefined) return { state: "done", address: task.address ?? "" };
  const reason = `the draft of it at the target has another ${other} than what is published: somebody is changing it. Our values are in that draft now, and nothing of it was published`;
  return { state: "refused", reason };
}

const underReview =
  "it is under review already, in one that a run asked for and was killed: approve or reject that one in the web application, and run again";

type Held = Extract<Released, { readonly state: "held" }>;

function releaseOf({ client, urn, name, publish, patienceMs }: WriterOptions): Release {
  const { referenceData } = client;
  const isEmpty = async (review: string): Promise<boolean> => {
    for await (const { items } of referenceData.reviewRecords(review)) if (items.length > 0) return false;
    return true;
  };
  const held = (review: string, title: string): Held => ({
    state: "held",
    review: { urn: review, name: title },
  });
  const review = async (addresses: readonly string[], title: string, isLeft: boolean): Promise<Released> => {
    const filter = { and: [{ recordUrn: { in: addresses } }, { state: { in: ["NEW", "CHANGED"] } }] };
    const description = `${addresses.length} records of ${name}, moved by urn-ferry`;
    const ask = async (): Promise<string> =>
      referenceData.requestReview(urn, { name: title, priority, description, filter });
    try {
      const urn = await ask();
      // What is in a review is neither new nor changed: a run that was killed has put them into one that nobody can name.
      return isLeft && (await isEmpty(urn)) ? { state: "refused", reason: underReview } : held(urn, title);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    // What is in a review is neither new nor changed: where the first request was heard, this one holds nothing.
    const second = await ask();
    if (!(await isEmpty(second))) return held(second, title);
    return held("", `${title} (the answer that named it was lost)`);
  };
  return {
    fromDraft: true,
    perRelease: publish === "direct" ? perPublish : 10 * perPublish,
    patienceMs,
    ...(publish === "approve"
      ? {
          approve: async (reviewUrn: string) => {
            await twiceAtMost(async () => referenceData.approveReview(reviewUrn));
          },
        }
      : {}),
    async send(addresses, { after, title, isLeft }) {
      if (publish !== "direct" && after === "draft") {
        const asked = await review(addresses, title, isLeft);
        return asked;
      }
      for (let at = 0; at < addresses.length; at += perPublish)
        await twiceAtMost(async () =>
          referenceData.publishRecords(urn, addresses.slice(at, at + perPublish)),
        );
      return { state: "accepted" };
    },
    async review(reviewUrn) {
      if (reviewUrn === "") return "gone";
      try {
        for await (const page of referenceData.reviewRecords(reviewUrn))
          if (page.items.some((record) => text(record, "state") === "REVIEW")) return "waits";
        return "approved";
      } catch (error) {
        if (isAbsent(error)) return "gone";
        throw error;
      }
    },
  };
}

/** Nothing is sent again: it may be there. */
const lostSearch = {
  notKnown:
    "it was looked for through a review, and what came of that is not known: look at the reviews of the table in the web application",
};

/** What is in the draft: no document has a way to read it, so a review that holds nothing else shows it. */
class Drafts {
  readonly #options: WriterOptions;
  #isOffered: boolean | undefined;
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
    const open = await this.#read(table.filterOf(tasks.map(whole)));
    if (open === undefined) return new Set();
    const wanted = new Map(tasks.map((task) => [table.keyOf(whole(task).values), task]));
    const keys = open.flatMap((record) => {
      const key = table.keyOf(valuesOf(record));
      const task = wanted.get(key);
      const isOurs = task !== undefined && task.action !== "create" && this.#says(record, whole(task).values);
      return key === undefined || isOurs ? [] : [key];
    });
    return new Set(keys);
  }

  /**
   * Updates of rows that say, in the draft, neither what was published when they were looked at nor what is to be said (an
   * earlier request of ours may have left that): whoever changed the same attribute could not be told once ours is there.
   */
  async begunByOthers(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>> {
    const asked = tasks.filter((task) => task.action === "update" && isAddressed(task));
    const plain = new Map(asked.map((task): [RowTask, RowTask] => [{ ...task, values: {} }, task]));
    const otherwise = await this.#answered([...plain.keys()], (task, draft) =>
      this.#says(draft, whole(plain.get(task) ?? task).values),
    );
    return new Set([...otherwise].flatMap((task) => plain.get(task) ?? []));
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
  async strayedSince(tasks: readonly RowTask[]): Promise<ReadonlySet<RowTask>> {
    const asked = tasks.filter(isAddressed);
    return (await this.#shown(asked)) ?? this.#answered(asked.filter(({ action }) => action !== "delete"));
  }

  /** undefined where drafts cannot be read. */
  async #shown(asked: readonly RowTask[]): Promise<ReadonlySet<RowTask> | undefined> {
    if (asked.length === 0) return new Set();
    const shown = await this.#read(this.#options.table.filterOf(asked.map(whole)));
    return shown === undefined ? undefined : this.#strayedIn(asked, shown);
  }

  #strayedIn(asked: readonly RowTask[], records: readonly JsonObject[]): ReadonlySet<RowTask> {
    const { table } = this.#options;
    const drafts = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
    return new Set(
      asked.filter((task) => changed(task, drafts.get(task.address ?? ""), table).state === "refused"),
    );
  }

  /** A change that changes nothing is answered with what is in the draft. What is refused says nothing (it is under review, or gone). */
  async #answered(
    asked: readonly RowTask[],
    mayBe: (task: RowTask, draft: JsonObject) => boolean = () => false,
  ): Promise<ReadonlySet<RowTask>> {
    const { client, urn, table } = this.#options;
    if (asked.length === 0) return new Set();
    let records: readonly JsonObject[];
    try {
      records = await twiceAtMost(async () =>
        client.referenceData.changeDraft(
          urn,
          asked.map((task) => unchanging(task, table)),
        ),
      );
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (asked.length === 1) return new Set();
      const middle = Math.ceil(asked.length / 2);
      const [first, second] = [asked.slice(0, middle), asked.slice(middle)];
      return new Set([...(await this.#answered(first, mayBe)), ...(await this.#answered(second, mayBe))]);
    }
    const byUrn = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
    const strayed = [...this.#strayedIn(asked, records)];
    return new Set(strayed.filter((task) => !mayBe(task, byUrn.get(task.address ?? "") ?? {})));
  }

  async find(
    tasks: readonly RowTask[],
    again: boolean,
  ): Promise<ReadonlyMap<string, FoundCreate> | { readonly notKnown: string }> {
    const { table } = this.#options;
    const filter = { and: [{ state: { in: ["NEW"] } }, table.filterOf(tasks)] };
    const found = (await this.#read(filter)) ?? (again ? lostSearch : await this.#throughReview(filter));
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
    if (this.#says(record, task.values)) return { state: "ours", address: text(record, "urn") ?? "" };
    return { state: "unclear", reason: "a draft at the target has its key and says something else" };
  }

  #says(record: JsonObject, wanted: JsonObject): boolean {
    const { table } = this.#options;
    const values = valuesOf(record);
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
      if (!isRefused(error)) throw error;
      return { notKnown: `drafts cannot be looked at: ${error.message}` };
    }
    const records: JsonObject[] = [];
    try {
      for await (const { items } of client.referenceData.reviewRecords(review)) records.push(...items);
      if (records.length > 0) await twiceAtMost(async () => client.referenceData.approveReview(review));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return {
        notKnown: `they may be in the review "${title}" (${review}), which has to be approved: ${error.message}`,
      };
    }
    return records;
  }
}

/** A task with its key among its values: an update has only what changes. */
function whole({ values, before }: RowTask): { readonly values: JsonObject } {
  return { values: before === undefined ? values : { ...before, ...values } };
}
