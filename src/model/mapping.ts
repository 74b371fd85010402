import { digest, stableText } from "./canonical.ts";

/**
 * One row of the persisted table: what a source object has become at the target.
 *
 * `source` and `target` fingerprints are those of the last apply; together with what both sides hold now they
 * make the diff three-way.
 */
export interface MappingEntry {
  readonly name: string;
  /** URN at the target. */
  readonly target: string;
  /**
   * created: ferry made it. adopted: it was there and accepted as the twin. explicit: a person said so.
   * paired: laid over something that exists on both sides (an overlay); never deleted.
   */
  readonly origin: "created" | "adopted" | "explicit" | "paired";
  /**
   * Fingerprint, in the target's URN space, of the source object that the target was last brought to. Absent while it
   * was never brought to one, or not wholly: what is known of the target alone is no first contact.
   */
  readonly sourceFingerprint?: string;
  /** Of the same source object, as the source says it in its own URNs. Absent where it refers to nothing. */
  readonly ownFingerprint?: string;
  /**
   * Fingerprint of the target object as last written, accepted or left, also by a rollback; but where that brought back
   * what was drift before the run, as it was known before that.
   */
  readonly targetFingerprint?: string;
  /** Keys of sub-entities: UUID at the source to UUID at the target. */
  readonly keys?: Readonly<Record<string, string>>;
  /**
   * JSON pointers of fields that were the target's own when the source was first brought there, and of which the source
   * says nothing. They stay the target's until it does.
   */
  readonly left?: readonly string[];
  /**
   * Fields in which the target stays as it is although the source says otherwise, because a person decided so or they
   * were merged: JSON pointer to a print of what the source said then.
   */
  readonly kept?: Readonly<Record<string, string>>;
  /** The twin before this one, where it was gone and a new one took its place: what referred to it is told by it. */
  readonly former?: Pick<MappingEntry, "target" | "keys">;
  /** The step that is still to be done, for example `publish`. */
  readonly unfinished?: string;
  /**
   * With a step that is still to be done: the print that the row has of the target from then on, because what comes back
   * is what somebody had changed, and is to be told again.
   */
  readonly drifted?: string;
  /**
   * With a publish that is still to be done: the print of what was published when our draft was opened over it. What
   * is published otherwise meanwhile is somebody's work, which our draft does not hold.
   */
  readonly over?: string;
  /** The run that wrote it last. */
  readonly run?: string;
}

/** Whether somebody's version of a field was to stay at the target: what is there is as it was left, and theirs all the same. */
export function keepsTheirs({ kept = {} }: Pick<MappingEntry, "kept">): boolean {
  return Object.keys(kept).length > 0;
}

/** Of a row as it was when somebody looked: whatever is brought to the object after that gives it another one. */
export function printOfRow(row: MappingEntry | undefined): string {
  if (row === undefined) return "";
  const { target, sourceFingerprint = "", targetFingerprint = "", run = "" } = row;
  return digest(stableText([target, sourceFingerprint, targetFingerprint, run])).slice(0, 16);
}

/** Something has been brought to the object since it was decided: by this decision, or in spite of it. */
export function isCarriedOut(
  { row }: { readonly row?: string | undefined },
  now: MappingEntry | undefined,
): boolean {
  return row !== undefined && row !== printOfRow(now);
}

/** Who source and target are; a state file that belongs to other environments is refused. */
export interface Parties {
  readonly source: Party;
  readonly target: Party;
}
export interface Party {
  readonly name: string;
  readonly baseUrl: string;
  /** The realm, which is the tenant's name (document 1, Authentication 3). */
  readonly tenant: string;
}
