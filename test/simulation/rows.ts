import { appliers } from "./breach.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { asText } from "../../src/emulator/json.ts";
import type { Table, TableRecord } from "../../src/emulator/reference-data/table.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes, type Result } from "../../src/model/result.ts";
import type { Decision } from "../../src/operations/resolve.ts";
import type { Dice } from "./dice.ts";
import type { Ended } from "./ended.ts";
import { Known } from "./known.ts";
import { forgetDoubts, type Records } from "./records.ts";
import { names, Removals } from "./removals.ts";
import type { Scene } from "./scene.ts";
import type { Act, TimedAct } from "./story.ts";

/** A table of reference data that the plan moves: how many rows the source has, and of which the target has one already. */
export interface TablePlan {
  readonly rows: number;
  readonly there: readonly number[];
  readonly publish: "direct" | "approve" | "review";
  /** The target offers a filter of drafts, which no document has. */
  readonly showsDrafts?: true;
  /** A change leaves a deletion that stands in the draft as it is: what becomes of one is in no document. */
  readonly keepsDeletions?: true;
}

export function drawTable(dice: Dice): TablePlan {
  return {
    rows: 1 + dice.below(12),
    there: dice.some(3, () => dice.below(12)),
    publish: dice.pick(["direct", "direct", "approve", "review", "review"]),
    ...(dice.chance(0.2) ? { showsDrafts: true } : {}),
    ...(dice.chance(0.3) ? { keepsDeletions: true } : {}),
  };
}

const name = "Countries";

/** By which `resolve` knows it. */
const id = `reference-data:${name}`;

/** By which its rows are told apart. */
export const rowKey = "code";

const stopped: ReadonlySet<number> = new Set([exitCodes.interrupted, exitCodes.failed, exitCodes.permission]);

interface Draft {
  readonly record: TableRecord;
  /** As the colleague left it. */
  values: string;
}

/**
 * Rows of a table on both sides, judged by the tables themselves: each row of the source once at the target, nobody's
 * draft published, nothing else touched.
 */
export class Rows implements Records {
  readonly #scene: Scene;
  readonly #source: Table;
  readonly #target: Table;
  /** What the source says, as people left it. */
  #said = "";
  /** Rows that the source never had: by key, as people left them. */
  readonly #own = new Map<string, string | undefined>();
  /** Keys of both sides at which somebody was at work at the target. */
  readonly #touched = new Set<string>();
  /** Keys of rows that a person has published out of a review. */
  readonly #publishedByHand = new Set<string>();
  /** Keys of rows that somebody has removed at the target. */
  readonly #removed = new Set<string>();
  readonly #drafts: Draft[] = [];
  /** Rows of which a colleague has drafted the deletion, with what was published of each then. */
  readonly #marked = new Map<TableRecord, string>();
  readonly #known = new Known();
  /** Since the last run that came to its end. */
  #hasGoneBack = false;
  #made = 0;
  #isByHand = false;
  /** Keys of what the tool has removed, as the plan has it: whoever had drafted its deletion has wanted the same. */
  readonly #mayGo = new Set<string>();
  /** Of these, what a publication was asked for that may come to them after the command. */
  readonly #going = new Set<string>();
  /** The last run has said that rows are in doubt. */
  #isInDoubt = false;
  /** A rollback came to no end: what it had drafted stays there until that is allowed, and what it had published is drift. */
  #isHalfBack = false;
  /** A request that was sent again at once arrived after all, and what came after it may be in that by then (README). */
  #isLate = false;

  /** Where the plan has rows removed. */
  readonly #removals: Removals | undefined;

  constructor(scene: Scene, { rows, there, showsDrafts, keepsDeletions }: TablePlan, removes: boolean) {
    this.#scene = scene;
    const { source, target } = scene.books;
    if (showsDrafts === true) target.quirks.draftFilter = "offered";
    if (keepsDeletions === true) target.quirks.deletedDrafts = "kept";
    const columns = { code: "STRING", name: "STRING" } as const;
    const content = Array.from({ length: rows }, (_, index) => row(index, "as the source says"));
    this.#source = seed.seedReferenceTable(source, { name, columns, rows: content });
    const known = [...new Set(there)].map((index) => row(index, "as it was before"));
    const own = { code: "OWN", name: "of the target alone" };
    this.#target = seed.seedReferenceTable(target, { name, columns, rows: [...known, own] });
    for (const record of this.#target.records()) {
      const code = codeOf(record);
      if (this.#recordOf(this.#source, code) === undefined) this.#own.set(code, textOf(record));
    }
    this.#said = this.#saidNow();
    this.#removals = removes ? this.#watch() : undefined;
  }

  /** A deletion counts when its publication is asked for: it shows after a while. */
  #watch(): Removals {
    const { referenceData } = this.#scene.books.target;
    const removals = new Removals(this.#scene, {
      wanted: () => new Set(this.#source.records().map(codeOf)),
      isLook: (entry, code) => entry.path.endsWith("/filter") && names(entry, code),
      isBack: () => this.#hasGoneBack,
      isLate: () => this.#isLate || this.#sawLate(),
    });
    const publish = referenceData.publish.bind(referenceData);
    referenceData.publish = (table, records, delay) => {
      if (!this.#isByHand)
        for (const record of records) if (record.state === "DELETED") removals.gone(codeOf(record));
      publish(table, records, delay);
    };
    return removals;
  }

  /** What the plan says of it. */
  static plan({ publish }: TablePlan): readonly JsonObject[] {
    return [{ table: name, key: [rowKey], publish }];
  }

  act({ side, how, object, value, when }: TimedAct): string | undefined {
    return side === "source"
      ? this.#atSource(how, object, value)
      : this.#atTarget(how, object, value, when.at === "before");
  }

  #atSource(how: Act["how"], object: number, value: number): string | undefined {
    const all = this.#source.records();
    const record = all[object % Math.max(1, all.length)];
    if (how === "remove" && this.#removals !== undefined && record !== undefined) {
      seed.removeRecord(this.#source, record);
      this.#said = this.#saidNow();
      this.#removals.sourceChanged();
      return `removed the row ${codeOf(record)} at the source`;
    }
    if (how === "create") {
      this.#made += 1;
      const made = row(100 + this.#made, `made ${value}`);
      seed.seedRecord(this.#scene.books.source, this.#source, made);
    } else if (record === undefined) return undefined;
    else seed.editRecord(this.#source, record, { name: `changed ${value}` });
    this.#said = this.#saidNow();
    this.#removals?.sourceChanged();
    return `${how === "create" ? "made" : "changed"} a row at the source`;
  }

  #atTarget(how: Act["how"], object: number, value: number, isAtRest: boolean): string | undefined {
    const { target } = this.#scene.books;
    if (how === "publish" || how === "discard") return this.#decide(how, object, value);
    if (how === "draft" || how === "create") {
      this.#made += 1;
      const values = { code: `THEIRS ${this.#made}`, name: `not yet ${value}` };
      if (how === "draft") {
        const record = seed.draftRecord(target, this.#target, values);
        this.#drafts.push({ record, values: draftOf(record) });
        return `drafted a row at the target`;
      }
      this.#own.set(values.code, textOf(seed.seedRecord(target, this.#target, values)));
      return `made a row at the target`;
    }
    const settled = this.#target
      .records()
      .filter(({ state, published }) => state === "UNCHANGED" && published);
    const record = settled[object % Math.max(1, settled.length)];
    if (record === undefined) return undefined;
    const code = codeOf(record);
    if (how === "draft-delete") {
      this.#touched.add(code);
      this.#marked.set(record, textOf(record));
      this.#target.setState(record, "DELETED");
      return `drafted the deletion of the row ${code} at the target`;
    }
    if (how === "remove") {
      if (this.#own.has(code)) return undefined;
      this.#touched.add(code);
      this.#removed.add(code);
      this.#known.edited(code, "", false);
      seed.removeRecord(this.#target, record);
      return `removed the row ${code} at the target`;
    }
    seed.editRecord(this.#target, record, { name: `theirs ${value}` });
    this.#removals?.edited(code);
    if (this.#own.has(code)) this.#own.set(code, textOf(record));
    else {
      this.#touched.add(code);
      this.#known.edited(code, textOf(record), isAtRest);
    }
    return `changed the row ${code} at the target`;
  }

  /** A person decides on a review: publishes it then, or leaves that to whoever asked; rejects it, and discards what was in it. */
  #decide(how: "publish" | "discard", object: number, value: number): string | undefined {
    const { target } = this.#scene.books;
    const open = [...target.referenceData.reviews.values()].filter(({ records }) => records.size > 0);
    const review = open[object % Math.max(1, open.length)];
    if (review === undefined) return undefined;
    const records = [...review.records];
    seed.decideReview(target, review.urn, how === "publish" ? "approve" : "reject");
    if (how === "discard") for (const record of records) this.#discard(record);
    const publishes = how === "publish" && value % 2 === 0;
    if (publishes) {
      for (const record of records) this.#publishedByHand.add(codeOf(record));
      this.#byHand(() => target.referenceData.publish(this.#target, records, "at-once"));
    }
    return `${how === "discard" ? "rejected" : "approved"} a review of ${records.length} rows${publishes ? ", and published them" : ""}`;
  }

  #discard(record: TableRecord): void {
    if (record.published === undefined) seed.removeRecord(this.#target, record);
    else {
      // What is published is drift, if it is anything, once what was to come over it is gone.
      this.#touched.add(codeOf(record));
      seed.editRecord(this.#target, record, record.published);
    }
  }

  judge(ended: Ended): void {
    const { judge } = this.#scene;
    const { does } = ended.command;
    const { result } = ended;
    const removed = this.#removals?.taken() ?? new Set<string>();
    for (const code of removed) {
      this.#known.removed(code);
      if (this.#removals?.mayRemove === true) this.#mayGo.add(code);
      if (does !== "rollback" || this.#isLate) this.#going.add(code);
    }
    this.#isLate ||= this.#sawLate();
    if (does === "rollback" && (result === undefined || stopped.has(result.exitCode)))
      this.#isHalfBack = true;
    const isApply = appliers.has(does);
    this.#judgeMarked(does);
    if (result !== undefined && (isApply || does === "rollback"))
      this.#isInDoubt = result.exitCode === exitCodes.inDoubt && areRowsInDoubt(result);
    if (does === "rollback") this.#hasGoneBack = true;
    else if (isApply && result?.exitCode === exitCodes.done) this.#hasGoneBack = false;
    if (this.#saidNow() !== this.#said) judge.breach("source-written", `${does} changed rows of the source`);
    for (const [code, before] of this.#own) {
      const record = this.#recordOf(this.#target, code);
      const isGone = record === undefined && this.#going.has(code);
      if ((isGone || (removed.has(code) && does !== "rollback")) && this.#mayGo.has(code)) {
        this.#own.delete(code);
        continue;
      }
      // To look whether somebody has a draft of it leaves an empty one (README).
      const isBegun = record !== undefined && (record.state === "DELETED" || hasEmptyDraft(record));
      const isGoing = isBegun && this.#removals?.mayRemove === true;
      const isAsLeft =
        record?.state === "UNCHANGED" || isGoing || (record !== undefined && this.#marked.has(record));
      if (record !== undefined && textOf(record) === before && isAsLeft) continue;
      judge.breach("overwritten", `the row ${code} is the target's alone, and ${does} changed it`);
    }
    const now = (code: string): string | undefined => {
      const record = this.#recordOf(this.#target, code);
      return record === undefined ? undefined : textOf(record);
    };
    const alike = (): readonly string[] =>
      this.#source.records().flatMap((record) => {
        const code = codeOf(record);
        return now(code) === textOf(record) ? [code] : [];
      });
    for (const code of this.#known.after(ended, now, alike))
      judge.breach(
        "overwritten",
        `a colleague changed the row ${code} before ${does}, and it is ${now(code) ?? "gone"}`,
      );
    for (const { record, values } of this.#drafts) {
      if (record.published !== undefined)
        judge.breach("draft-published", `a colleague's row ${codeOf(record)} was published by ${does}`);
      else if (draftOf(record) !== values || this.#target.get(record.urn) !== record)
        judge.breach(
          "draft-discarded",
          `a colleague's draft ${codeOf(record)} is gone or changed by ${does}`,
        );
    }
  }

  #sawLate(): boolean {
    return this.#scene.world.emulator.log.entries.some(
      ({ fault, path }) => fault === "late-commit" && path.includes("/reference-data/"),
    );
  }

  /** What people do at the target, of which the tool knows nothing. */
  #byHand(act: () => void): void {
    this.#isByHand = true;
    act();
    this.#isByHand = false;
  }

  /**
   * What a rollback deletes of its own may go, also where a later run brings it to its end; a change may take the mark back, and then
   * the row is there (README).
   */
  #judgeMarked(does: string): void {
    const { judge } = this.#scene;
    const isBack = does === "rollback" || this.#hasGoneBack;
    for (const [record, before] of this.#marked) {
      if (record.published === undefined) {
        this.#marked.delete(record);
        if (this.#isLate) {
          this.#removed.add(codeOf(record));
          judge.excuses.window += 1;
        } else if (!isBack && !this.#mayGo.has(codeOf(record)))
          judge.breach(
            "draft-published",
            `${does} published the deletion of ${before}, which a colleague had drafted`,
          );
        continue;
      }
      if (record.state === "DELETED") continue;
      const source = this.#recordOf(this.#source, codeOf(record));
      const isChanged = textOf(record) !== before || (source !== undefined && textOf(source) !== before);
      // The look before ours takes theirs back, and a run that dies behind it is to come to that deletion again.
      const isToGo = source === undefined && this.#removals?.mayRemove === true;
      this.#marked.delete(record);
      if (!isChanged && !isBack && !isToGo)
        judge.breach(
          "draft-discarded",
          `${does} took back the deletion of ${before}, which a colleague had drafted`,
        );
    }
  }

  /** Time goes by, and reviews are approved. */
  async seeTo(result: Result | undefined): Promise<boolean> {
    const isWaiting = this.#approveAll();
    this.#scene.books.target.referenceData.settle();
    if (result?.exitCode !== exitCodes.inDoubt || !areRowsInDoubt(result)) return isWaiting;
    this.#publishOurs();
    await forgetDoubts(this.#scene, id);
    return true;
  }

  /** What a person answers to what is in doubt of the table, after seeing to its drafts; some do not know of it. */
  decided(nature: number): readonly Decision[] {
    if (!this.#isInDoubt || nature % 2 === 0) return [];
    this.#approveAll();
    this.#publishOurs();
    this.#isInDoubt = false;
    return [{ decision: "abandon", source: id }];
  }

  #approveAll(): boolean {
    const { target } = this.#scene.books;
    const waiting = [...target.referenceData.reviews.values()].filter(({ records }) => records.size > 0);
    for (const { urn } of waiting) seed.decideReview(target, urn, "approve");
    return waiting.length > 0;
  }

  #publishOurs(): void {
    const ours = this.#target.open().filter((record) => !this.#isTheirs(record));
    // What a run had asked for, and a person brings about, who has it forgotten: from now on it is the person's.
    for (const record of ours) this.#touched.add(codeOf(record));
    const { referenceData } = this.#scene.books.target;
    this.#byHand(() => {
      referenceData.publish(this.#target, ours, "at-once");
      // Nobody has forgotten what was published before it shows: it would be made once more.
      referenceData.settle();
    });
    // And what a run was to remove, the person has.
    for (const record of ours) if (record.published === undefined) this.#own.delete(codeOf(record));
    this.#scene.say("    a person publishes what stands in the table's drafts, and has it forgotten");
  }

  judgeWhole(result: Result | undefined): void {
    const isTold = this.#isHalfBack && result?.exitCode !== exitCodes.done;
    const { judge } = this.#scene;
    for (const record of this.#source.records()) {
      const code = codeOf(record);
      const twins = this.#target.records().filter((other) => codeOf(other) === code);
      if (twins.length > 1)
        judge.breach("made-twice", `the row ${code} is at the target ${twins.length} times`);
      const [twin] = twins;
      // It is told as removed, unless the plan says that what is gone is made again.
      const isRemoved = this.#removed.has(code) && result?.exitCode !== exitCodes.done;
      if (twin?.published === undefined && (isTold || isRemoved)) continue;
      if (twin?.published === undefined) judge.breach("lost", `the row ${code} is not at the target`);
      else if (!isTold && !this.#touched.has(code) && textOf(twin) !== textOf(record))
        judge.breach("wrong-content", `the row ${code} is ${textOf(twin)} and should be ${textOf(record)}`);
    }
    if (isTold) return;
    const known = new Set(this.#source.records().map(codeOf));
    if (this.#removals !== undefined && result?.exitCode === exitCodes.done)
      for (const record of this.#target.records())
        if (record.published !== undefined && !known.has(codeOf(record)))
          judge.breach("exit-code", `ends with 0, and the row ${codeOf(record)} is at the target alone`);
    for (const record of this.#target.open())
      if (
        !judge.disowned.has(record.urn) &&
        !this.#isTheirs(record) &&
        known.has(codeOf(record)) &&
        !this.#isLookedAt(record)
      )
        judge.breach("lost", `the row ${codeOf(record)} stands in the draft at the end`);
  }

  #isTheirs(record: TableRecord): boolean {
    return this.#marked.has(record) || this.#drafts.some((draft) => draft.record === record);
  }

  /**
   * Where drafts cannot be read, to look leaves an empty one where somebody has published a change, which is told, or out of a review
   * while a run looked what became of it. So does a look that arrives late, and one at what a publication has not come to yet.
   */
  #isLookedAt(record: TableRecord): boolean {
    const isSlow = this.#scene.story.openings?.publishing !== undefined;
    const code = asText(record.draft["code"]);
    const mayBe = isSlow || this.#isLate || this.#touched.has(code) || this.#publishedByHand.has(code);
    return hasEmptyDraft(record) && mayBe;
  }

  #saidNow(): string {
    return this.#source
      .records()
      .map((record) => `${textOf(record)} ${record.state}`)
      .join("\n");
  }

  #recordOf(table: Table, code: string): TableRecord | undefined {
    return table.records().find((record) => codeOf(record) === code);
  }
}

/** Exit code 6 may be about an object as well. A resolve has no changes, and names the rows that a run has asked about. */
export function areRowsInDoubt({ changes, diagnostics }: Result): boolean {
  return (
    changes.some(({ records }) => records !== undefined && records.inDoubt > 0) ||
    diagnostics.some(({ code, severity }) => code === "row-in-doubt" && severity === "error")
  );
}

function row(index: number, said: string): JsonObject {
  return { code: `C${index}`, name: said };
}

function codeOf({ draft, published }: TableRecord): string {
  return asText((published ?? draft)["code"]);
}

/** It says what is published. */
function hasEmptyDraft({ draft, published = {}, state }: TableRecord): boolean {
  return state === "CHANGED" && JSON.stringify(draft) === JSON.stringify(published);
}

/** What is published of it. */
function textOf({ published = {} }: TableRecord): string {
  return JSON.stringify([published["code"], published["name"]]);
}

function draftOf({ draft, state }: TableRecord): string {
  return JSON.stringify([draft["code"], draft["name"], state]);
}
