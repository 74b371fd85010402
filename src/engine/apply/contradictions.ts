import type { MovedKind, StepAnswer, StepItem } from "../../kinds/kind.ts";
import type { StepEffect } from "../../model/journal.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { subEntityKeys, temporaryKey } from "../../model/sub-entity.ts";
import { isUuid, parseUrn, urnType } from "../../model/urn.ts";
import type { Loss } from "../settle/subtraction.ts";
import { onlyAdds } from "../facets/standing.ts";
import { listedUrns } from "../read/own-urns.ts";
import type { TargetState } from "../read/target.ts";
import type { Built } from "./built.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

/** What is known of the target from before the first write. */
export interface Stood {
  /** Something had this URN: what is created gets one of its own. */
  has(urn: string): boolean;
  /** Tenants that its URNs name, the plan's realm among them. */
  readonly tenants: ReadonlySet<string>;
  /** Whether they were seen in URNs, and not only in the plan. */
  readonly isSeen: boolean;
}

export function stoodAt({ snapshot, pairs }: Pick<TargetState, "snapshot" | "pairs">, realm: string): Stood {
  const kinds = snapshot.kinds();
  const tenants = listedUrns({ snapshot, pairs }).flatMap((urn) => parseUrn(urn ?? "")?.tenant ?? []);
  return {
    has: (urn) => pairs.records.has(urn) || kinds.some((kind) => snapshot.has(kind, urn)),
    tenants: new Set([realm, ...tenants]),
    isSeen: tenants.length > 0,
  };
}

interface Sent {
  readonly task: Task;
  readonly built: Built;
}

interface Answered extends Sent {
  /** What it named is kept of an answer that nobody can believe. */
  readonly answer: StepAnswer | ({ readonly state: "unknown" } & Loss);
}

/** The answers to one request as far as they can be true; whatever else was answered is an answer lost. */
export function believed(
  sent: readonly Sent[],
  answers: readonly StepAnswer[],
  { stood, mapping }: { readonly stood: Stood; readonly mapping: MappingTable },
): readonly Answered[] {
  const none: StepAnswer = { state: "unknown", reason: "the answer has no result for it" };
  const answered = sent.map((one, index) => ({ ...one, answer: answers[index] ?? none }));
  const wrong = contradictions(answered, stood, mapping);
  return answered.map((one, index) => {
    const reason = wrong[index];
    if (reason === undefined || one.answer.state !== "done") return one;
    const { target: named } = one.answer;
    return { ...one, answer: { state: "unknown", reason, ...(named === undefined ? {} : { named }) } };
  });
}

/** Why what was asked for later cannot be true of an object that was sent. */
export function disbelieved(
  sent: Sent,
  answer: StepAnswer,
  known: { readonly stood: Stood; readonly mapping: MappingTable },
): string | undefined {
  const [one] = believed([sent], [answer], known);
  return one?.answer.state === "unknown" ? one.answer.reason : undefined;
}

/**
 * What cannot be true of the answers to one request, in their order; undefined where nothing speaks against one. The
 * request may have done all that was asked: such an answer says no more than a lost one, and is settled like it.
 */
function contradictions(
  answered: readonly Answered[],
  stood: Stood,
  mapping: MappingTable,
): readonly (string | undefined)[] {
  const [urns, keys] = [new Map<string, number>(), new Map<string, number>()];
  for (const { task, answer } of answered) {
    if (answer.state !== "done") continue;
    if (currentStep(task).effect === "creates") count(urns, answer.target ?? "");
    for (const key of Object.values(answer.keys ?? {})) count(keys, key);
  }
  return answered.map(({ task, built, answer }) => {
    if (answer.state !== "done") return undefined;
    const { effect } = currentStep(task);
    const wrong =
      effect === "creates"
        ? wrongUrn(task.kind, task.change.source?.urn ?? "", answer.target ?? "", mapping, {
            stood,
            named: urns,
          })
        : undefined;
    return (
      wrong ??
      otherObject(task.kind, effect, built.item, answer.target) ??
      wrongKeys(built.item, answer.keys, keys)
    );
  });
}

/** The URN of what was created. What stood there before is not known of a request of an earlier run. */
export function wrongUrn(
  kind: MovedKind,
  source: string,
  urn: string,
  mapping: MappingTable,
  { stood, named }: { readonly stood?: Stood; readonly named?: ReadonlyMap<string, number> } = {},
): string | undefined {
  const parts = parseUrn(urn);
  if (parts === undefined) return `the answer names "${urn}", which is no URN`;
  if ((named?.get(urn) ?? 0) > 1) return `the answer names ${urn} for several objects`;
  // Not every type name is documented: what the object is at the source, it is at the target.
  const types = [...kind.urnTypes, urnType(source)];
  if (!types.includes(urnType(urn))) return `the answer names ${urn}, which is not one of the ${kind.name}`;
  const isForeign = stood?.isSeen === true || parts.tenant === parseUrn(source)?.tenant;
  if (isForeign && stood?.tenants.has(parts.tenant) === false)
    return `the answer names ${urn}, which is of another tenant`;
  if (stood?.has(urn) === true) return `the answer names ${urn}, which was there before`;
  const claimed = mapping.claimedBy(urn);
  if (claimed !== undefined && claimed.source !== source)
    return `the answer names ${urn}, which is the twin of ${claimed.source}`;
  return undefined;
}

/** What a change was answered with; a relation may be answered with anything. */
export function otherObject(
  kind: MovedKind,
  effect: StepEffect,
  item: StepItem,
  urn: string | undefined,
): string | undefined {
  const isAbout = effect === "releases" || (effect === "changes" && !onlyAdds(kind));
  if (!isAbout || urn === undefined || urn === item.target) return undefined;
  return `the answer is about ${urn}, another object`;
}

/** New sub-entities have keys of their own, each one, and only those that were sent. */
function wrongKeys(
  { body }: StepItem,
  keys: Readonly<Record<string, string>> = {},
  named: ReadonlyMap<string, number>,
): string | undefined {
  const answered = Object.entries(keys);
  if (answered.length === 0) return undefined;
  const sent = subEntityKeys(body);
  const [unknown] = answered.find(([key]) => !sent.has(temporaryKey(key))) ?? [];
  if (unknown !== undefined) return `the answer has a key for ${unknown}, which was never sent`;
  const odd = answered.find(([, key]) => !isUuid(key) || (named.get(key) ?? 0) > 1)?.[1];
  if (odd === undefined) return undefined;
  return isUuid(odd) ? `the answer has the key ${odd} twice` : `the answer has "${odd}" for a key`;
}

function count(into: Map<string, number>, key: string): void {
  into.set(key, (into.get(key) ?? 0) + 1);
}
