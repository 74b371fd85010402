import type { MovedKind, StepItem } from "../../kinds/kind.ts";
import { fingerprint } from "../../model/canonical.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { IntentItem } from "../../model/journal.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { ReadClient } from "../../service/index.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { addressed } from "./address.ts";

/** What a step sends for an object, and the intent that goes before it. */
export interface Built {
  readonly item: StepItem;
  readonly intent: IntentItem;
  /** The object at the target after the step and before it, stripped; for steps that change it. */
  readonly expected?: JsonObject;
  readonly before?: JsonObject;
  /** What it takes the place of there, which nobody could tell before that was born. */
  readonly takenOver?: Omit<Diagnostic, "coordinate"> | undefined;
  /** Why the step is not to be sent after all, by what its kind cannot tell of the object: asked right before it. */
  readonly besides?: (client: ReadClient) => Promise<string | undefined>;
}

/** It is not sent, and why; `blocked` where it waits for something and nothing is wrong with it. */
export interface Unbuilt {
  readonly state: "failed" | "blocked" | "done";
  readonly reason: string;
  /** `done`: what was born says already all that was to be brought there. */
  readonly known?: Omit<MappingEntry, "run">;
}

export interface Origin {
  readonly source: string;
  readonly name: string;
}

export interface Twin extends Origin {
  /** URN at the target. */
  readonly target: string;
}

export function builtCreate(kind: MovedKind, origin: Origin, body: JsonObject): Built {
  return {
    item: { ...origin, body, whole: body },
    intent: { ...origin, fingerprint: fingerprint(body, kind.shape), body },
    expected: body,
  };
}

/** The object will be all that the source says: for its row in the mapping. */
export function asTheSource(built: Built, own: Pick<IntentItem, "ownFingerprint">): Built {
  const { fingerprint: print } = built.intent;
  return print === undefined
    ? built
    : { ...built, intent: { ...built.intent, sourceFingerprint: print, ...own } };
}

/** `more` is kept with the intent. */
export function builtChange(
  kind: MovedKind,
  twin: Twin,
  change: {
    /** The patch. */
    readonly body: JsonObject;
    readonly whole: JsonObject;
    /** Stripped. */
    readonly before: JsonObject;
    readonly expected: JsonObject;
    /** It opens a draft over what is published, which is to be published. */
    readonly opensDraft?: boolean;
  },
  more: Pick<
    IntentItem,
    "sourceFingerprint" | "ownFingerprint" | "left" | "kept" | "paired" | "parted" | "drifted" | "undo"
  > = {},
): Built {
  const { body, whole, before, expected, opensDraft = false } = change;
  const print = fingerprint(before, kind.shape);
  return {
    item: { ...twin, body, whole },
    intent: {
      ...twin,
      fingerprint: fingerprint(expected, kind.shape),
      before: print,
      ...(opensDraft ? { over: print } : {}),
      body,
      ...addressed(kind, whole),
      ...more,
    },
    expected,
    before,
  };
}

/**
 * A publish or a delete: nothing is sent but the address. `print` is what is to be published, `over` what is published
 * under it.
 */
export function builtBare(
  kind: MovedKind,
  twin: Twin,
  whole: JsonObject,
  print: string | undefined,
  more: { readonly undo?: Json; readonly over?: string | undefined } = {},
): Built {
  const { undo, over } = more;
  return {
    item: { ...twin, body: {}, whole },
    intent: {
      ...twin,
      ...(print === undefined ? {} : { fingerprint: print }),
      ...addressed(kind, whole),
      ...(undo === undefined ? {} : { undo }),
      ...(over === undefined ? {} : { over }),
    },
  };
}
