import type { IntentItem } from "../../model/journal.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";

/** One thing that a run did to one object. */
export interface Deed {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly what: "created" | "changed" | "deleted" | "assigned";
  readonly target: string;
  /** Fingerprint that the run left at the target. */
  readonly left: string | undefined;
  /** Fingerprint that it found there. */
  readonly before: string | undefined;
  /** Of its first step. */
  readonly intent: IntentItem;
  /** What takes its changes back, the newest first; of something deleted, those that came before. */
  readonly undos: readonly Undo[];
  /** All that was sent of it, the oldest first. */
  readonly sent: readonly SentBody[];
  /** Keys that the service assigned to new sub-entities: source key to target key. */
  readonly keys: Readonly<Record<string, string>>;
  /** A delete whose answer was lost, and that was not seen to happen: where it is there, this is what the run did to it, if anything. */
  readonly unsure?: { readonly instead: Deed | undefined };
  /** Kinds of what was said of something deleted, and went with it: its steward. */
  readonly saidOf?: readonly string[];
  /** The run has written another object since that the source object stood for then. */
  readonly isFormer?: true;
  /** Of something created: its request had no answer, and what it has made was found by what it looks like. */
  readonly isFound?: true;
  /** Of what one of the runs has created: the next one did not find there what that had left. */
  readonly isTouchedBetween?: true;
}

export interface Undo {
  /** Absent: what it was before is not on record. */
  readonly patch: Json | undefined;
  /** The keys as they were known after the change. */
  readonly keys: Readonly<Record<string, string>>;
  /** What the change had sent, where the run that went on with it did not find there what it had left. */
  readonly touched?: Json | undefined;
}

export interface SentBody {
  readonly body: Json | undefined;
  /** The keys as they were known after it. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What is on record of an object: all of it where the run made or deleted it, else what its kind has kept with the change. */
export function onRecord({ what, intent }: Deed): JsonObject {
  const [whole, sent] = [
    intent.whole,
    what === "deleted" ? intent.undo : what === "created" ? intent.body : {},
  ];
  return { ...(isObject(whole) ? whole : {}), ...(isObject(sent) ? sent : {}) };
}
