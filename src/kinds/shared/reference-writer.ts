import { display } from "../../model/display.ts";
import type { JsonObject } from "../../model/json.ts";
import { text } from "../../model/json.ts";
import { plural } from "../../model/plural.ts";
import type { WriteClient } from "../../service/index.ts";
import type { Release, Released, Releasing, RowAnswer, RowTask, TableWriter } from "../kind.ts";
import { answerEach, isLost, isRefused, isSurelyAbsent, twiceAtMost } from "./answers.ts";
import { keptBy } from "./kept-values.ts";
import { othersDeletion, whole } from "./draft-records.ts";
import type { WriterOptions } from "./reference-drafts.ts";
import { approved, Drafts, priority } from "./reference-drafts.ts";
import type { ReferenceTable } from "./reference-table.ts";
import { valuesOf } from "./row-values.ts";

/** Records that one request names: their URNs are all that it holds. */
const perPublish = 1_000;

/**
 * Writes to the draft of a table and publishes exactly what it wrote (document 2, "Reference data"). What others have in
 * their drafts is theirs.
 */
export function referenceWriter(options: WriterOptions): TableWriter {
  const { client, urn: tableUrn, table } = options;
  const { referenceData } = client;
  const drafts = new Drafts(options);
  /** What went into the request for these: some of those that are to be sent are left out of it. */
  const requested = new WeakMap<readonly RowTask[], readonly RowTask[]>();

  async function change(tasks: readonly RowTask[]): Promise<readonly RowAnswer[]> {
    const taken = await drafts.ofOthers(tasks);
    // Of what can be read nothing has to be asked for by a change.
    const begun = drafts.isSeen ? new Map<RowTask, never>() : await drafts.begunByOthers(tasks);
    const isFree = (task: RowTask): boolean =>
      !begun.has(task) && (taken.size === 0 || !taken.has(table.keyOf(whole(task).values) ?? ""));
    const free = tasks.filter(isFree);
    requested.set(tasks, free);
    const answers =
      free.length === 0
        ? []
        : answersOf(free, await referenceData.changeDraft(tableUrn, free.map(recordOf)), table);
    if (free.length === tasks.length) return answers;
    const answered = new Map(free.map((task, index) => [task, answers[index]]));
    return tasks.map(
      (task) => answered.get(task) ?? { state: "refused", reason: reasons[begun.get(task) ?? "seen"] },
    );
  }

  return {
    perBatch: 100,
    repeats: false,
    blame: (pointers, tasks) => {
      const blamed = new Set(pointers.map((pointer) => /^#?\/records\/(\d+)(?:\/|$)/.exec(pointer)?.[1]));
      return (requested.get(tasks) ?? []).filter((_task, place) => blamed.has(String(place)));
    },
    send: async (tasks) => {
      if (tasks[0]?.action !== "delete") return change(tasks);
      const strayed = await drafts.strayed(tasks);
      return answerEach(tasks, async (task) =>
        strayed.has(task)
          ? { state: "refused", reason: drafts.isSeen ? othersDraft : notAsLeft }
          : remove(client, tableUrn, task.address ?? ""),
      );
    },
    withdraw: async (tasks) => withdraw(tasks, drafts, options),
    strayed: (tasks, after) => drafts.strayedSince(tasks, after),
    unsent: (tasks) => drafts.without(tasks),
    unpublished: (tasks) => drafts.unpublished(tasks),
    release: releaseOf(options),
    find: (tasks, again) => drafts.find(tasks, again),
  };
}

const othersDraft =
  "somebody has a draft of it at the target: it would be published with ours. Nothing of it was sent";
const notAsLeft =
  "somebody has changed it at the target, in a draft or published. It was looked at with a change that changes nothing: if nobody has a draft of it, that has left an empty one, to be discarded in the web application";

const reasons = { changed: notAsLeft, deleted: othersDeletion, seen: othersDraft };

function recordOf({ action, address, values }: RowTask): JsonObject {
  const entries = Object.keys(values).map((name): JsonObject => ({ name, value: values[name] ?? null }));
  return action === "update" && address !== undefined
    ? { urn: address, values: entries }
    : { values: entries };
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

const stillDeleted =
  "an interrupted run has marked it as deleted in the draft, or was about to, and the plan does not ask for that any more: look for its draft at the target";

/** What is looked at is left with an empty draft, which is published. Where that needs a person's yes it is that person's to see to. */
async function withdraw(
  tasks: readonly RowTask[],
  drafts: Drafts,
  options: WriterOptions,
): Promise<ReadonlyMap<RowTask, string>> {
  const asked = (of: readonly RowTask[]): ReadonlyMap<RowTask, string> =>
    new Map(of.map((task) => [task, stillDeleted]));
  if (options.publish === "review") return asked(tasks);
  const { marked, empty } = await drafts.taken(tasks);
  const addresses = empty.flatMap(({ address }) => address ?? []);
  if (addresses.length === 0) return asked(marked);
  const release = releaseOf(options);
  const how = { title: options.name, isLeft: false, areHidden: false, areDeletions: false };
  const released = await release.send(addresses, { ...how, after: "draft" });
  if (released.state !== "held") return asked(marked);
  // It is in a review that nobody can name.
  if (released.review.urn === "") return asked([...marked, ...empty]);
  await release.approve?.(released.review.urn);
  await release.send(addresses, { ...how, after: "approval" });
  return asked(marked);
}

/**
 * The answer has the records as the draft has them now: by URN, and what is new by its key. Where it has as many new ones as were to
 * be made, none is lost: what has another key by now (the service has shortened it, say) is the one in its place.
 */
function answersOf(
  tasks: readonly RowTask[],
  records: readonly JsonObject[],
  table: ReferenceTable,
): readonly RowAnswer[] {
  const byUrn = new Map(records.map((record) => [text(record, "urn") ?? "", record]));
  const known = new Set(tasks.map(({ address }) => address));
  const made = records.filter((record) => !known.has(text(record, "urn")));
  const byKey = Map.groupBy(made, (record) => table.keyOf(valuesOf(record)));
  // To work a key out takes its time: of each task once.
  const found = tasks.map((task) =>
    task.action === "update" ? [] : (byKey.get(table.keyOf(task.values)) ?? []),
  );
  const inPlace = madeOtherwise(tasks, found, made);
  return tasks.map((task, index): RowAnswer => {
    if (task.action === "update") return keptBy(task, byUrn.get(task.address ?? ""), table);
    const [record, ...more] = found[index] ?? [];
    if (record !== undefined && more.length === 0)
      return { state: "done", address: text(record, "urn") ?? "" };
    const other = inPlace.get(task);
    if (other !== undefined) return { state: "unclear", reason: otherKey(other, table) };
    return {
      state: "unknown",
      reason: `the answer ${record === undefined ? "does not have it" : "has it several times"}`,
    };
  });
}

/** Of what was to be made and does not have its key: what was made in its place. `found`: what has the key of each task. */
function madeOtherwise(
  tasks: readonly RowTask[],
  found: readonly (readonly JsonObject[])[],
  made: readonly JsonObject[],
): ReadonlyMap<RowTask, JsonObject | undefined> {
  const isFound = (index: number): boolean => found[index]?.length === 1;
  const otherTasks = tasks.filter(({ action }, index) => action !== "update" && !isFound(index));
  if (otherTasks.length === 0) return new Map();
  const taken = new Set(found.flatMap((records) => (records.length === 1 ? records : [])));
  const others = made.filter((record) => !taken.has(record));
  return new Map(
    others.length === otherTasks.length ? otherTasks.map((task, index) => [task, others[index]]) : [],
  );
}

function otherKey(record: JsonObject, table: ReferenceTable): string {
  const { name } = table.rowOf(record);
  return `the service has put it into the draft under another key, as ${display(JSON.stringify(name))} (${text(record, "urn") ?? ""}): nothing of it was published, and it is not sent again. Give the row that key at the source`;
}

/** It is asked for what is NEW and CHANGED (document 2, request-review), and holds nothing else. */
const noDeletion = "a review takes no deletion: publish or discard it in the web application of the target";

/** Where a service refuses a review of nothing, it may be refused for that; what is not found (404) is the address. */
function isOfNothing(error: unknown): boolean {
  return isRefused(error) && error.status !== 404;
}

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
  const unnamed = (title: string): Held => held("", `${title} (the answer that named it was lost)`);
  /** A review takes no deletion (document 2, "Reference data record states"): that it holds nothing says nothing. */
  const reviewOfNone = async (ask: () => Promise<string>, title: string): Promise<Released> => {
    try {
      return held(await twiceAtMost(ask), title);
    } catch (error) {
      // Nobody can be asked.
      if (isOfNothing(error)) return { state: "accepted" };
      throw error;
    }
  };
  const review = async (
    addresses: readonly string[],
    { title, isLeft, areHidden, areDeletions }: Releasing,
  ): Promise<Released> => {
    const filter = { and: [{ recordUrn: { in: addresses } }, { state: { in: ["NEW", "CHANGED"] } }] };
    const records = plural(addresses.length, "record");
    const description = `${records} of ${name}, moved by urn-ferry`;
    const ask = async (): Promise<string> =>
      referenceData.requestReview(urn, { name: title, priority, description, filter });
    if (areDeletions) return reviewOfNone(ask, title);
    try {
      const urn = await ask();
      // What is in a review is neither new nor changed: a run that was killed has put them into one that nobody can name.
      return isLeft && (await isEmpty(urn)) ? unnamed(title) : held(urn, title);
    } catch (error) {
      if (areHidden && isOfNothing(error)) return unnamed(title);
      if (!isLost(error)) throw error;
    }
    try {
      // What is in a review is neither new nor changed: where the first request was heard, this one holds nothing.
      const second = await ask();
      if (!(await isEmpty(second))) return held(second, title);
    } catch (error) {
      // Of what it is refused for otherwise the next run is told: it finds the rows in the draft.
      if (!isOfNothing(error)) throw error;
    }
    return unnamed(title);
  };
  return {
    fromDraft: true,
    perRelease: publish === "direct" ? perPublish : 10 * perPublish,
    patienceMs,
    ...(publish === "approve"
      ? {
          approve: async (reviewUrn: string) => {
            await approved(client, reviewUrn);
          },
        }
      : {}),
    async send(addresses, how) {
      if (publish !== "direct" && how.after === "draft") {
        // One that went by another plan may have left them to one that wants a person's yes.
        if (publish === "review" && how.areDeletions) return { state: "refused", reason: noDeletion };
        const asked = await review(addresses, how);
        if (asked.state !== "accepted") return asked;
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
          if (page.items.some((record) => text(record, "state") === "REVIEW"))
            return page.total === undefined ? {} : { left: page.total };
        return "approved";
      } catch (error) {
        if (isSurelyAbsent(error)) return "gone";
        throw error;
      }
    },
  };
}
