import type { OpenTable } from "../../kinds/kind.ts";
import { waits } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { RowsWriter } from "../../store/index.ts";
import type { RowLine } from "./line.ts";
import { isReviving } from "./overwriting.ts";
import { lineDigest, lineText, rowActions } from "./line.ts";

/** Changes that a report shows, from the first on; all of them stand in the table's file. */
export const mostSamples = 20;
/** Blocked rows that it names behind these: many changes do not hide what needs a person. */
const mostBlocked = 20;

export type RowCounts = Readonly<Record<RowLine["action"], number>>;

/** What is to be done with the rows of a table. */
export interface TableDiff {
  readonly counts: RowCounts;
  /** Of the source. */
  readonly rows: number;
  readonly samples: readonly RowLine[];
  /** Of all that is told of rows, in order. */
  readonly digest: string;
  /** The same without what earlier runs have left open; absent where none is. */
  readonly besideLeft?: string | undefined;
  /** Of what is left to a person, in order, whatever else is told. */
  readonly waiting: string;
  /** Of those that are written, the ones of which something is left to a person. */
  readonly byHand: number;
  /** Rows that both sides have and that were never brought together before. */
  readonly firstContact: number;
  /** Of the others that are written, the ones in which somebody else has said something at the target. */
  readonly overwrites: number;
  /** Of those that are written, the ones that take something away from other rows at the target. */
  readonly taking: number;
  /** Rows that are there and inactive, and are written over and made active. */
  readonly revived: number;
  /** Rows that were moved once, that the source has no more, and that stay. */
  readonly gone: number;
  /** Rows that were moved before, and those of them that would be deleted. */
  readonly moved: number;
  readonly movedGone: number;
  /** Rows that only the target has and that stay there. */
  readonly staying: number;
  /** Of those that are blocked the ones that are no mistake in the source's rows: these, and what a run has left open. */
  readonly blameless: number;
  /** A run that did not come to its end has compared these rows, or the first of them: what changed since is not in it. */
  readonly isEarlier?: boolean;
}

/** A row that is written says why only where something of it is not. */
function hasHandWork({ action, reason }: RowLine): boolean {
  return (action === "create" || action === "update") && reason !== undefined;
}

/** It is there and inactive, and is made anew in its place: people may have switched it off. */
function isMadeInPlace({ action, address }: RowLine): boolean {
  return action === "create" && address !== undefined;
}

/** The same, also where that it counts is one of the values that are moved. */
function isRevived(line: RowLine, asMade: JsonObject): boolean {
  const { action, print, was, fields = [] } = line;
  if (isMadeInPlace(line)) return true;
  const isFirst = action === "update" && print !== undefined && was === undefined;
  return isFirst && fields.some(({ name, to }) => isReviving(name, to, asMade));
}

/** What is made where nothing was has no other side yet. */
function isFirstContact(line: RowLine): boolean {
  const { action, print, was } = line;
  return print !== undefined && was === undefined && (action !== "create" || isMadeInPlace(line));
}

/** What the target has is not what the last run left there, and the source's word takes its place. */
function isOverwritten(line: RowLine, asMade: JsonObject): boolean {
  const { action, print, was, fields = [] } = line;
  if (isMadeInPlace(line))
    return fields.some(({ from, to }) => from !== undefined && JSON.stringify(from) !== JSON.stringify(to));
  const isOthers = print !== undefined && print[1] !== was?.[1];
  if (action !== "update" || !isOthers) return false;
  return fields.some(
    ({ name, from, to }) => from !== undefined && !(was === undefined && isReviving(name, to, asMade)),
  );
}

/** Counts rows as they are written down. */
export class TableTally {
  readonly #writer: RowsWriter;
  readonly #asMade: JsonObject;
  readonly #counts = Object.fromEntries(rowActions.map((action) => [action, 0])) as Record<
    RowLine["action"],
    number
  >;
  readonly #samples: RowLine[] = [];
  #byHand = 0;
  #firstContact = 0;
  #overwrites = 0;
  #taking = 0;
  #revived = 0;
  #moved = 0;
  #movedGone = 0;
  #staying = 0;
  #blameless = 0;
  #digest = "";
  #besideLeft: string | undefined;
  #waiting = "";

  /** `begun`: what stands in the writer's lines already. */
  constructor(
    writer: RowsWriter,
    { asMade = {} }: Pick<OpenTable, "asMade">,
    begun?: Omit<TableDiff, "gone">,
  ) {
    this.#writer = writer;
    this.#asMade = asMade;
    if (begun === undefined) return;
    Object.assign(this.#counts, begun.counts);
    this.#samples.push(...begun.samples);
    this.#byHand = begun.byHand;
    this.#firstContact = begun.firstContact;
    this.#overwrites = begun.overwrites;
    this.#taking = begun.taking;
    this.#revived = begun.revived;
    this.#moved = begun.moved;
    this.#movedGone = begun.movedGone;
    this.#staying = begun.staying;
    this.#blameless = begun.blameless;
    this.#digest = begun.digest;
    this.#waiting = begun.waiting;
  }

  /** Of the source. */
  get rows(): number {
    const all = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    return all - this.#counts.delete - this.#staying;
  }

  /** What is unchanged is counted and not written. Await it when it is a promise. */
  add(line: RowLine, isLeft = false): void | Promise<void> {
    this.#counts[line.action] += 1;
    if (isFirstContact(line)) this.#firstContact += 1;
    if (line.was !== undefined) this.#moved += 1;
    if (line.was !== undefined && line.action === "delete") this.#movedGone += 1;
    if (line.takes !== undefined) this.#taking += 1;
    else if (isOverwritten(line, this.#asMade)) this.#overwrites += 1;
    if (isRevived(line, this.#asMade)) this.#revived += 1;
    if (line.action === "unchanged") return;
    if (hasHandWork(line)) this.#byHand += 1;
    if (this.#samples.length < mostSamples) this.#samples.push(line);
    else if (line.action === "blocked" && this.#samples.length < mostSamples + mostBlocked)
      this.#samples.push(line);
    const text = lineText(line);
    if (isLeft) this.#besideLeft ??= this.#digest;
    else if (this.#besideLeft !== undefined) this.#besideLeft = lineDigest(this.#besideLeft, text);
    this.#digest = lineDigest(this.#digest, text);
    if (waits(line.action) || hasHandWork(line)) this.#waiting = lineDigest(this.#waiting, text);
    return this.#writer.add(text);
  }

  /** A row that only the target has, and that stays there. */
  staying(line: RowLine): void | Promise<void> {
    this.#staying += 1;
    if (line.action === "blocked") this.#blameless += 1;
    return this.add(line);
  }

  /** What a run has left open: it is told, and waits. */
  left(line: RowLine): void | Promise<void> {
    if (line.action === "blocked") this.#blameless += 1;
    return this.add(line, true);
  }

  async finish(): Promise<void> {
    await this.#writer.finish();
  }

  async abandon(): Promise<void> {
    await this.#writer.abandon();
  }

  diff(): Omit<TableDiff, "gone"> {
    return {
      counts: { ...this.#counts },
      rows: this.rows,
      samples: [...this.#samples],
      digest: this.#digest,
      ...(this.#besideLeft === undefined ? {} : { besideLeft: this.#besideLeft }),
      waiting: this.#waiting,
      byHand: this.#byHand,
      firstContact: this.#firstContact,
      overwrites: this.#overwrites,
      taking: this.#taking,
      revived: this.#revived,
      moved: this.#moved,
      movedGone: this.#movedGone,
      staying: this.#staying,
      blameless: this.#blameless,
    };
  }
}
