import type { StepAnswer } from "../../kinds/kind.ts";
import type { IntentItem, Known } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";
import { pairedOrigin } from "../facets/standing.ts";

export interface StepDone {
  readonly task: Task;
  readonly intent: IntentItem;
  readonly answer: Extract<StepAnswer, { state: "done" }>;
  readonly before: MappingEntry | undefined;
  readonly run: string;
}

export type EntryAfter = (done: StepDone) => MappingEntry | null;

/** The object's row in the mapping once a step is done; null when the object is gone. */
export function entryAfter(options: StepDone): MappingEntry | null {
  const { task, intent, answer, before, run } = options;
  const next = task.steps[task.at + 1]?.name;
  const unfinished = next === undefined ? {} : { unfinished: next };
  const prints = printsOf(intent);
  switch (currentStep(task).effect) {
    case "creates": {
      return {
        name: intent.name,
        target: answer.target ?? "",
        origin: "created",
        ...prints,
        ...keysOf(undefined, answer.keys),
        ...formerOf(before, answer.target ?? "", intent),
        ...unfinished,
        run,
      };
    }
    case "changes": {
      const target = intent.target ?? before?.target ?? "";
      const own = ofTwin(before, target);
      return {
        name: intent.name,
        target,
        origin: own?.origin ?? pairedOrigin(task.kind, task.change.action === "adopt"),
        ...prints,
        ...keysOf({ ...own?.keys, ...task.change.work?.keys }, answer.keys),
        ...formerOf(before, target),
        ...unfinished,
        ...driftOf(intent, next),
        ...overOf(intent, next),
        run,
      };
    }
    case "releases":
    case "starts": {
      if (before === undefined) return null;
      return { ...(next === undefined ? allDone(before) : before), ...unfinished, run };
    }
    case "removes":
      return null;
  }
}

/**
 * A row as far as it is of this twin: one of a former twin says nothing of it. What lies over a thing that is made anew has
 * another one by then, and its row is of the old one.
 */
export function ofTwin(before: MappingEntry | undefined, target: string): MappingEntry | undefined {
  return before?.target === target ? before : undefined;
}

function hasAny(
  keys: Readonly<Record<string, string>> | undefined,
): keys is Readonly<Record<string, string>> {
  for (const key in keys) if (Object.hasOwn(keys, key)) return true;
  return false;
}

export function keysOf(
  before: Readonly<Record<string, string>> | undefined,
  fresh: Readonly<Record<string, string>> | undefined,
): { readonly keys?: Readonly<Record<string, string>> } {
  // Most have none of one or of the other, and a copy of what is named by UUIDs is dear.
  if (!hasAny(before)) return hasAny(fresh) ? { keys: fresh } : {};
  return { keys: hasAny(fresh) ? { ...before, ...fresh } : before };
}

/** What is known of parts once a change that was not seen to happen has happened. */
export function keysWith(
  before: Readonly<Record<string, string>> = {},
  { paired, parted = [] }: Pick<IntentItem, "paired" | "parted">,
): Readonly<Record<string, string>> {
  const strangers = new Set(parted);
  return Object.fromEntries(
    Object.entries({ ...before, ...paired }).filter(([source]) => !strangers.has(source)),
  );
}

/** What a step makes known of both sides. */
export function printsOf(
  intent: IntentItem,
): Pick<MappingEntry, "sourceFingerprint" | "ownFingerprint" | "targetFingerprint" | "left" | "kept"> {
  const { fingerprint } = intent;
  return {
    ...knownOf(intent),
    ...(fingerprint === undefined ? {} : { targetFingerprint: fingerprint }),
  };
}

/** What comes back though somebody had changed it: the row says so as soon as no step is left, and remembers it until then. */
export function driftOf(
  { drifted }: IntentItem,
  next: string | undefined,
): Pick<MappingEntry, "drifted" | "targetFingerprint"> {
  if (drifted === undefined) return {};
  return next === undefined ? { targetFingerprint: drifted } : { drifted };
}

/** What our draft was opened over is remembered until it is published. */
export function overOf({ over }: IntentItem, next: string | undefined): Pick<MappingEntry, "over"> {
  return over === undefined || next === undefined ? {} : { over };
}

/** A row whose last step is done. */
export function allDone({ unfinished: _done, over: _below, drifted, ...rest }: MappingEntry): MappingEntry {
  return drifted === undefined ? rest : { ...rest, targetFingerprint: drifted };
}

export function knownOf(row: { readonly [Field in keyof Known]?: Known[Field] | undefined } = {}): Known {
  const { sourceFingerprint, ownFingerprint, left = [], kept = {} } = row;
  return {
    ...(sourceFingerprint === undefined ? {} : { sourceFingerprint }),
    ...(sourceFingerprint === undefined || ownFingerprint === undefined ? {} : { ownFingerprint }),
    ...(left.length === 0 ? {} : { left }),
    ...(Object.keys(kept).length === 0 ? {} : { kept }),
  };
}

/**
 * The twin that another one takes the place of; once there is one it is remembered with the row. Of what a rollback makes again the
 * intent says which that was: its row is gone.
 */
export function formerOf(
  before: MappingEntry | undefined,
  target: string,
  { former: known }: Pick<IntentItem, "former"> = {},
): { readonly former?: Pick<MappingEntry, "target" | "keys"> } {
  if (known !== undefined) return { former: { target: known } };
  if (before === undefined) return {};
  if (before.target === target) return before.former === undefined ? {} : { former: before.former };
  return { former: { target: before.target, ...keysOf(before.keys, undefined) } };
}
