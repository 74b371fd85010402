import type { DiagnosticCode } from "../../model/codes/index.ts";
import type { StepEffect } from "../../model/journal.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";

/**
 * One recorded step of a write. How a lost answer is settled:
 * - `by-listing`: it made something new; a complete listing less the known, matched by fingerprint.
 * - `by-reading`: it changed something; the object (or its draft) is read back and compared.
 * - `repeat`: doing it again changes nothing.
 */
export interface Step {
  /** What the journal and people call it. */
  readonly name: string;
  readonly effect: StepEffect;
  /** Objects in one request (documents 1 and 2, Limits). */
  readonly atMost: number;
  /** All or nothing: one bad item fails the request and is then singled out. */
  readonly atomic: boolean;
  readonly settle: "by-listing" | "by-reading" | "repeat";
  send(client: WriteClient, items: readonly StepItem[]): Promise<readonly StepAnswer[]>;
  /** The object as the step leaves it: the draft for a patch that opens one, the published version for a publish. */
  readonly readBack?: (client: ReadClient, item: StepItem) => Promise<JsonObject | undefined>;
  /**
   * A change of nothing that is answered with the draft as it stands. For kinds whose draft may not be shown by
   * reading: there a body that looks untouched does not prove that the draft is. A refusal says that something is
   * there that takes no change; it is not the same as no draft.
   */
  readonly probe?: (client: WriteClient, item: StepItem) => Promise<Probed>;
  /**
   * Asks what became of an item that was answered with `accepted`; nothing is sent again while its handle is known.
   * `accepted`: not finished. A failure of the work itself is `refused`.
   */
  readonly poll?: (client: ReadClient, item: StepItem, handle: string) => Promise<StepAnswer>;
  /** How long one run asks for the end of what was accepted, milliseconds; half an hour when left out. */
  readonly atMostMs?: number;
  /**
   * Its path is in none of the documents: a service that answers 404 to the whole request does not have it, and then a
   * person does what it would have done.
   */
  readonly ifAbsent?: Absent;
  /**
   * No document shows it, though it is likely to be there (page 04): a service that answers as if it were not is believed, and the next
   * diff plans without. What the documents show is there, and only something in between can say otherwise.
   */
  readonly isInferred?: true;
  /** Where the whole request is refused: the item that the service's complaint points at. */
  readonly blame?: (pointers: readonly string[]) => number | undefined;
}

/** The same for all objects that it concerns. */
export interface Absent {
  readonly code: DiagnosticCode;
  readonly reason: string;
  readonly suggestion: string;
}

export type Probed =
  | { readonly state: "shown"; readonly draft: JsonObject }
  /** The object does not exist. */
  | { readonly state: "gone" }
  /** The service offers no such change at all. */
  | { readonly state: "absent"; readonly reason: string }
  | { readonly state: "refused"; readonly reason: string };

export interface StepItem {
  readonly source: string;
  readonly name: string;
  /** URN at the target, once it exists. */
  readonly target?: string;
  /** What to send: the whole body for a create, the merge patch for an update. */
  readonly body: JsonObject;
  /** The object at the target as far as it is known: paths of monitors need its catalog item. */
  readonly whole: JsonObject;
}

/** One answer an item, in the order of the items. */
export type StepAnswer =
  | FinalAnswer
  /** The service has taken it on and will finish it later: its name for that, and when to ask for it. */
  | { readonly state: "accepted"; readonly handle: string; readonly waitMs: number };

/** Nothing follows after it by itself. */
export type FinalAnswer =
  | {
      readonly state: "done";
      readonly target?: string;
      readonly keys?: Readonly<Record<string, string>>;
      readonly body?: JsonObject;
    }
  /**
   * The service says that it did not happen, and why. `missing`, of what it has accepted: it knows of no such thing, which is
   * believed when it says so a second time, since nobody says that it shows at once.
   */
  | { readonly state: "refused"; readonly reason: string; readonly missing?: true }
  /**
   * The answer does not say. `failed`: it says that the item failed, in a word that is not known to mean that it was not
   * done; where a request takes all or nothing, what is said of the others may tell.
   */
  | { readonly state: "unknown"; readonly reason: string; readonly failed?: true };
