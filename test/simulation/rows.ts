import { appliers, type Under } from "./breach.ts";
import type { LogEntry } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { asText, isArray, isObject, type Json } from "../../src/emulator/json.ts";
import type { Review } from "../../src/emulator/reference-data/store.ts";
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
import { askedBy, type Asked, type At } from "./what-was-sent.ts";

/** A table of reference data that the plan moves: how many rows the source has, and of which the target has one already. */
export interface TablePlan {
  readonly rows: number;
  readonly there: readonly number[];
  readonly publish: "direct" | "approve" | "review";
  /** The target offers a filter of drafts, which no document has. */
  readonly showsDrafts?: true;
  /** A change leaves a deletion that stands in the draft as it is: what becomes of one is in no document. */
  readonly keepsDeletions?: true;
  /** The target keeps what rows say in capitals. */
  readonly isInCapitals?: true;
}

export function drawTable(dice: Dice): TablePlan {
  return {
    rows: 1 + dice.below(12),
    there: dice.some(3, () => dice.below(12)),
    publish: dice.pick(["direct", "direct", "approve", "review", "review"]),
    ...(dice.chance(0.2) ? { showsDrafts: true } : {}),
    ...(dice.chance(0.3) ? { keepsDeletions: true } : {}),
    ...(dice.chance(0.2) ? { isInCapitals: true } : {}),
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
  /** Of these, since when, where something was sent about it before. */
  readonly #markedBehind = new Map<TableRecord, number>();
  readonly #known = new Known();
  /** Since the last run that came to its end. */
  #hasGoneBack = false;
  #made = 0;
  #isByHand = false;
  /** Keys of what the tool has removed, as the plan has it: whoever had drafted its deletion has wanted the same. */
  readonly #mayGo = new Set<string>();
  /** What a colleague has published of rows about which something was sent before, and when a run has looked at it since. */
  readonly #late = new Map<string, { readonly text: string; seen: number | undefined }>();
  /** Keys of what a rollback was at, since the last run that came to its end: the next one may meet it for the first time. */
  readonly #putBack = new Set<string>();
  /** Keys of all of these: what was sent arrives behind theirs, and a change stands in the draft from then on, which is told (README). */
  readonly #behind = new Set<string>();
  /** What the target has come to. */
  readonly #done = new WeakSet<LogEntry>();
  /** Of these, what a run has told of its draft. */
  readonly #isTold = new Set<string>();
  /** What a person has had forgotten while the target was at work on what a killed run had sent of it: no run tells what comes of that (README). */
  readonly #forgotten = new Set<string>();
  /** Of these, what a publication was asked for that may come to them after the command. */
  readonly #going = new Set<string>();
  /** The last run has said that rows are in doubt. */
  #isInDoubt = false;
  /** A rollback came to no end: what it had drafted stays there until that is allowed, and what it had published is drift. */
  #isHalfBack = false;
  /** A request that was sent again at once arrived after all, and what came after it may be in that by then (README). */
  #isLate = false;

  /** What a person has said yes to in a review. */
  readonly #approved = new Map<TableRecord, string>();
  /** What a colleague has written into a draft of ours, and when. */
  readonly #within = new Map<TableRecord, { readonly text: string; readonly since: number; seen?: number }>();
  /** By key: when a colleague has made by hand what ours was to be, which waited to be published, and when a run has looked at it since. */
  readonly #beside = new Map<string, { readonly since: number; seen?: number }>();
  /** Of these, those of which ours was published all the same, by whoever had looked before: both are there (README). */
  readonly #twice = new Set<string>();
  /** By row: what has put its deletion into the draft. */
  readonly #deletedUnder = new WeakMap<TableRecord, Under>();
  /** What the target was asked to publish. */
  readonly #asked = new WeakSet<TableRecord>();
  /** Nothing is published without a person's yes. */
  readonly #isReviewed: boolean;

  /** Where the plan has rows removed. */
  readonly #removals: Removals | undefined;

  constructor(scene: Scene, plan: TablePlan, removes: boolean) {
    const { rows, there, showsDrafts, keepsDeletions, isInCapitals } = plan;
    this.#scene = scene;
    this.#isReviewed = plan.publish === "review";
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
    if (isInCapitals === true) this.#keepInCapitals();
    this.#said = this.#saidNow();
    this.#removals = removes ? this.#watch() : undefined;
    this.#watchPublications();
  }

  /** Whoever writes a row there, it is kept in that form. */
  #keepInCapitals(): void {
    const target = this.#target;
    const form = (values: JsonObject): JsonObject =>
      Object.hasOwn(values, "name") ? { ...values, name: asText(values["name"]).toUpperCase() } : values;
    const [create, change] = [target.create.bind(target), target.change.bind(target)];
    target.create = (urn, sequence, values) => create(urn, sequence, form(values));
    target.change = (record, values) => change(record, form(values));
  }

  /** A deletion counts when its publication is asked for: it shows after a while. */
  #watch(): Removals {
    return new Removals(this.#scene, {
      wanted: () => new Set(this.#source.records().map(codeOf)),
      isLook,
      isBack: () => this.#hasGoneBack,
      isLate: () => this.#isLate || this.#sawLate(),
    });
  }

  /** Judges what is published when that is asked for. */
  #watchPublications(): void {
    const { books, judge, world } = this.#scene;
    const { referenceData } = books.target;
    const publish = referenceData.publish.bind(referenceData);
    referenceData.publish = (table, records, delay) => {
      if (!this.#isByHand)
        for (const record of records) {
          if (record.state === "DELETED")
            this.#removals?.gone(codeOf(record), this.#deletedUnder.get(record) ?? judge.sentUnder());
          if (record.state === "DELETED" && judge.sentUnder()?.does !== "rollback")
            this.#going.add(codeOf(record));
          this.#asked.add(record);
          this.#judgeOver(record);
          this.#judgeBeside(record);
          const isWithin = this.#judgeWithin(record);
          if (this.#isReviewed && !isWithin) this.#judgeApproved(record);
          // Their mark came behind the request.
          if ((this.#markedBehind.get(record) ?? 0) <= books.sentAt || !this.#marked.delete(record)) continue;
          this.#removed.add(codeOf(record));
          judge.excuses.window += 1;
        }
      publish(table, records, delay);
    };
    world.emulator.on(({ phase, entry }) => {
      if (phase === "before-commit" && isOfDraft(entry) && judge.sentUnder()?.does === "rollback")
        for (const code of this.keysIn({ path: entry.path, body: entry.body ?? null }))
          this.#putBack.add(code);
      if (phase === "after-commit") {
        this.#done.add(entry);
        if (entry.tenant === "prod" && entry.method === "DELETE")
          this.#noteDeletion(entry, judge.sentUnder());
      }
      if (phase !== "answered" || entry.tenant !== "prod") return;
      for (const theirs of [this.#late, this.#beside])
        for (const [code, one] of theirs) if (isLook(entry, code)) one.seen ??= books.tick;
      if (/\/draft\/(?:batch|filter)$/.test(entry.path))
        for (const [{ urn }, theirs] of this.#within) if (names(entry, urn)) theirs.seen ??= books.tick;
    });
  }

  #noteDeletion({ path }: LogEntry, under: Under | undefined): void {
    const record = this.#target
      .open()
      .find(({ urn }) => path.endsWith(encodeURIComponent(urn)) || path.endsWith(urn));
    if (record?.state === "DELETED" && under !== undefined) this.#deletedUnder.set(record, under);
  }

  /** What a colleague has published behind what was sent stays, where a run has looked at it since, and the plan reports what has drifted. */
  #judgeOver(record: TableRecord): void {
    const { books, judge } = this.#scene;
    const code = codeOf(record);
    const late = this.#late.get(code);
    const isGone = record.state === "DELETED";
    if (late === undefined || (!isGone && said(record.draft) === late.text)) return;
    this.#late.delete(code);
    // Whoever removes what only the target has has been judged.
    if (isGone && this.#recordOf(this.#source, code) === undefined && this.#removals !== undefined) return;
    const under = judge.sentUnder();
    const policies = [under, ...judge.unfinished].flatMap((one) => one?.policy ?? []);
    if (policies.some(({ drift, conflict }) => drift !== "report" || conflict !== "report")) {
      judge.excuses.policy += 1;
      return;
    }
    const isMetAnew = this.#putBack.has(code) && under?.does !== "rollback";
    if (isMetAnew || (late.seen ?? Infinity) > books.sentAt) judge.excuses.window += 1;
    else
      judge.breach(
        "overwritten",
        `a colleague made the row ${code} ${late.text} behind what was sent, and ${under?.does ?? ""} publishes ${isGone ? "its deletion" : said(record.draft)}`,
      );
  }

  /** What a colleague has made by hand stays the only one, where it was there before the run, or the run has looked since. */
  #judgeBeside(record: TableRecord): void {
    const { books, judge } = this.#scene;
    const code = codeOf(record);
    const theirs = this.#beside.get(code);
    if (theirs === undefined || record.published !== undefined || !this.#isBesideTheirs(record)) return;
    const under = judge.sentUnder();
    if ((theirs.seen ?? Infinity) <= books.sentAt || theirs.since < (under?.began ?? 0)) {
      const what = `a colleague has made the row ${code}, and ${under?.does ?? ""} publishes ours beside it`;
      judge.breach("made-twice", what);
      return;
    }
    judge.excuses.window += 1;
    this.#twice.add(code);
  }

  /**
   * What a colleague has written into a draft of ours is published by nobody but people, where it was there before the run, or the run has looked
   * since. Whether it is theirs that is published.
   */
  #judgeWithin(record: TableRecord): boolean {
    const { books, judge } = this.#scene;
    const theirs = this.#within.get(record);
    this.#within.delete(record);
    if (theirs === undefined || record.state === "DELETED" || said(record.draft) !== theirs.text)
      return false;
    const under = judge.sentUnder();
    const isSeen = (theirs.seen ?? Infinity) <= books.sentAt || theirs.since < (under?.began ?? 0);
    if (isSeen)
      judge.breach(
        "draft-published",
        `a colleague has written ${theirs.text} into a draft of ours, and ${under?.does ?? ""} publishes it`,
      );
    else judge.excuses.window += 1;
    return true;
  }

  /** Nothing is published where the plan asks for a person's yes, but what has it, as it was then. */
  #judgeApproved(record: TableRecord): void {
    const { judge } = this.#scene;
    const what = record.state === "DELETED" ? "its deletion" : said(record.draft);
    if (record.state !== "DELETED" && this.#approved.get(record) === what) return;
    const under = judge.sentUnder();
    // It had a yes as its publication was sent; what was made of it while that was on its way nobody has seen.
    if (this.#approved.has(record) && under?.overAt !== undefined) {
      judge.excuses.window += 1;
      return;
    }
    judge.breach(
      "not-approved",
      `${under?.does ?? ""} publishes ${what} of the row ${codeOf(record)}, which nobody has approved`,
    );
  }

  /** What the plan says of it. */
  static plan({ publish }: TablePlan): readonly JsonObject[] {
    return [{ table: name, key: [rowKey], publish }];
  }

  act({ side, how, object, value, when }: TimedAct, { key }: At = {}): string | undefined {
    if (side === "source") return this.#atSource(how, object, value, key);
    if (key !== undefined) return this.#onTheSame(key, how, value);
    return this.#atTarget(how, object, value, when.at === "before");
  }

  /** Keys of the records that a request names, or says how they are to be. */
  keysIn({ path, body }: Asked): readonly string[] {
    const text = decodeURIComponent(path) + JSON.stringify(body);
    const review = [...this.#scene.books.target.referenceData.reviews.values()].find(({ urn }) =>
      text.includes(urn),
    );
    const named = this.#target
      .records()
      .filter((record) => text.includes(record.urn) || review?.records.has(record) === true);
    return [...new Set([...named.map(codeOf), ...keysGiven(body)])];
  }

  #atSource(how: Act["how"], object: number, value: number, key: string | undefined): string | undefined {
    const all = this.#source.records();
    const record =
      key === undefined ? all[object % Math.max(1, all.length)] : this.#recordOf(this.#source, key);
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
    if (how === "part" || how === "refuse") return this.#decideInPart(how, object, value);
    if (how === "ask") return this.#putUp();
    if (how === "more") return this.#writeInto(object, value);
    if (how === "recreate") return this.#makeBeside(object, value);
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
      this.#late.delete(code);
      seed.removeRecord(this.#target, record);
      return `removed the row ${code} at the target`;
    }
    seed.editRecord(this.#target, record, { name: `theirs ${value}` });
    this.#removals?.edited(code);
    if (this.#late.has(code)) this.#late.set(code, { text: textOf(record), seen: undefined });
    if (this.#own.has(code)) this.#own.set(code, textOf(record));
    else {
      this.#touched.add(code);
      this.#known.edited(code, textOf(record), isAtRest);
      if (this.#underWay().includes(code)) this.#behind.add(code);
    }
    return `changed the row ${code} at the target`;
  }

  /** A colleague is at work on just the row that a request is about which was sent and has no answer. */
  #onTheSame(code: string, how: Act["how"], value: number): string | undefined {
    const { target } = this.#scene.books;
    const record = this.#recordOf(this.#target, code);
    const what = `the row ${code} at the target, about which something was sent`;
    if (this.#own.has(code) || record?.state === "REVIEW") return undefined;
    if (record === undefined) {
      // Nobody has had one: it is met for the first time.
      this.#touched.add(code);
      seed.seedRecord(target, this.#target, { code, name: `theirs ${value}` });
      return `made ${what}`;
    }
    const isOpen = record.state !== "UNCHANGED";
    switch (how) {
      case "remove":
        if (record.published === undefined) return undefined;
        this.#touched.add(code);
        this.#removed.add(code);
        this.#known.edited(code, "", false);
        this.#late.delete(code);
        this.#marked.delete(record);
        seed.removeRecord(this.#target, record);
        return `removed ${what}`;
      case "recreate":
        if (record.published === undefined) return undefined;
        this.#marked.delete(record);
        seed.removeRecord(this.#target, record);
        this.#theirs(code, seed.seedRecord(target, this.#target, { code, name: `theirs ${value}` }));
        return `removed ${what}, and made it again`;
      case "draft-delete":
        if (isOpen || record.published === undefined) return undefined;
        this.#touched.add(code);
        this.#marked.set(record, textOf(record));
        this.#markedBehind.set(record, (this.#scene.books.tick += 1));
        this.#target.setState(record, "DELETED");
        return `drafted the deletion of ${what}`;
      case "publish":
        if (!isOpen || this.#isTheirs(record) || this.#isBesideTheirs(record)) return undefined;
        this.#publishedByHand.add(code);
        this.#touched.add(code);
        if (record.state === "DELETED") this.#removed.add(code);
        this.#byHand(() => target.referenceData.publish(this.#target, [record], "at-once"));
        return `published what stands in the draft of ${what}`;
      case "discard":
        if (!isOpen || this.#isTheirs(record)) return undefined;
        this.#discard(record);
        return `discarded the draft of ${what}`;
      default:
        if (record.published === undefined) return undefined;
        this.#marked.delete(record);
        seed.editRecord(this.#target, record, { name: `theirs ${value}` });
        this.#theirs(code, record);
        return `changed ${what}`;
    }
  }

  /** A process was cut off while the target was at work on what it had sent about these rows, and it has not come to that yet. */
  #underWay(): readonly string[] {
    const { sent } = this.#scene;
    if (sent === undefined || this.#done.has(sent)) return [];
    const asked = askedBy(this.#scene);
    return asked?.path.startsWith("/api/reference-data/") === true ? this.keysIn(asked) : [];
  }

  /** What a colleague has published of a row about which something was sent. */
  #theirs(code: string, record: TableRecord): void {
    this.#touched.add(code);
    this.#removals?.edited(code);
    this.#known.edited(code, textOf(record), false);
    this.#scene.books.tick += 1;
    this.#behind.add(code);
    this.#late.set(code, { text: textOf(record), seen: undefined });
  }

  /** A person decides on a review: publishes it then, or leaves that to whoever asked; rejects it, and discards what was in it. */
  #decide(how: "publish" | "discard", object: number, value: number): string | undefined {
    const review = this.#openReview(object);
    if (review === undefined) return undefined;
    const records = [...review.records];
    if (how === "discard") seed.decideReview(this.#scene.books.target, review.urn, "reject");
    else this.#approve(review, records);
    if (how === "discard") for (const record of records) this.#discard(record);
    const publishes = how === "publish" && value % 2 === 0;
    if (publishes) this.#publishByHand(records);
    this.#noteDrafts();
    return `${how === "discard" ? "rejected" : "approved"} a review of ${records.length} rows${publishes ? ", and published them" : ""}`;
  }

  /**
   * A person decides on a part of a review, and then publishes some of what is approved, or leaves that to whoever asked. `refuse`: some are refused
   * and discarded, and the rest waits on; or all the rest is rejected, and discarded or left in the draft.
   */
  #decideInPart(how: "part" | "refuse", object: number, value: number): string | undefined {
    const { target } = this.#scene.books;
    const review = this.#openReview(object);
    if (review === undefined) return undefined;
    const all = [...review.records];
    const count = all.length === 1 ? value % 2 : 1 + (value % (all.length - 1));
    const some = Array.from({ length: count }, (_, index) => all[(object + index) % all.length]).flatMap(
      (record) => record ?? [],
    );
    const ofAll = `${count} of ${all.length} rows of a review`;
    if (how === "refuse" && value % 3 === 0) {
      seed.decideReview(target, review.urn, "reject", (record) => some.includes(record));
      for (const record of some) this.#discard(record);
      this.#noteDrafts();
      return `refused and discarded ${ofAll} (${some.map(codeOf).join(", ")})`;
    }
    this.#approve(review, some);
    const isWhole = !target.referenceData.reviews.has(review.urn);
    const rest = all.filter((record) => !some.includes(record));
    if (how === "refuse" && !isWhole) {
      seed.decideReview(target, review.urn, "reject");
      if (value % 3 === 1) for (const record of rest) this.#discard(record);
    }
    const published = some.slice(0, [0, 0, 1, some.length][value % 4]);
    this.#publishByHand(published);
    this.#noteDrafts();
    const refused = how === "part" ? "" : `, rejected the rest${value % 3 === 1 ? ", and discarded it" : ""}`;
    return `approved ${ofAll} (${some.map(codeOf).join(", ")})${published.length === 0 ? "" : `, published ${published.length} of them`}${refused}`;
  }

  #openReview(object: number): Review | undefined {
    const { reviews } = this.#scene.books.target.referenceData;
    const open = [...reviews.values()].filter(({ records }) => records.size > 0);
    return open[object % Math.max(1, open.length)];
  }

  #approve({ urn }: Review, records: readonly TableRecord[]): void {
    for (const record of records) this.#approved.set(record, said(record.draft));
    seed.decideReview(this.#scene.books.target, urn, "approve", (record) => records.includes(record));
    this.#noteDrafts();
  }

  #publishByHand(approved: readonly TableRecord[]): void {
    const { target } = this.#scene.books;
    const records = approved.filter((record) => !this.#isBesideTheirs(record));
    for (const record of records) this.#publishedByHand.add(codeOf(record));
    this.#byHand(() => target.referenceData.publish(this.#target, records, "at-once"));
    for (const record of records) {
      const place = this.#drafts.findIndex((draft) => draft.record === record);
      if (place < 0) continue;
      this.#drafts.splice(place, 1);
      this.#own.set(codeOf(record), textOf(record));
    }
  }

  /** What colleagues have drafted is put up for review, by one of them. */
  #putUp(): string | undefined {
    const records = this.#drafts.map(({ record }) => record).filter(({ state }) => state === "NEW");
    if (records.length === 0) return undefined;
    seed.putUpForReview(this.#scene.books.target, this.#target, records);
    this.#noteDrafts();
    return `put up for review ${records.length} rows that were drafted at the target`;
  }

  /** Into a draft of ours: what stands there from then on is theirs as well, and published by nobody but people. */
  #writeInto(object: number, value: number): string | undefined {
    const open = this.#target
      .open()
      .filter((record) => ["NEW", "CHANGED"].includes(record.state) && !this.#isTheirs(record));
    const record = open[object % Math.max(1, open.length)];
    if (record === undefined || this.#own.has(codeOf(record))) return undefined;
    this.#target.change(record, { name: `theirs in it ${value}` });
    this.#touched.add(codeOf(record));
    this.#within.set(record, { text: said(record.draft), since: (this.#scene.books.tick += 1) });
    return `wrote into the draft of the row ${codeOf(record)} at the target`;
  }

  /** What ours is to be, which nobody has published yet, a colleague makes by hand. */
  #makeBeside(object: number, value: number): string | undefined {
    const isWaiting = (record: TableRecord): boolean =>
      record.published === undefined && !this.#isTheirs(record) && !this.#isBesideTheirs(record);
    const waiting = this.#target.open().filter(isWaiting);
    const record = waiting[object % Math.max(1, waiting.length)];
    if (record === undefined) return undefined;
    const code = codeOf(record);
    this.#touched.add(code);
    seed.seedRecord(this.#scene.books.target, this.#target, { code, name: `theirs ${value}` });
    this.#beside.set(code, { since: (this.#scene.books.tick += 1) });
    // The target has been asked for ours already, and comes to it.
    if (this.#asked.has(record)) this.#twice.add(code);
    return `made the row ${code} at the target, which waits to be published`;
  }

  /** A person has decided on them, and they say what they said. */
  #noteDrafts(): void {
    const gone = this.#drafts.filter(({ record }) => this.#target.get(record.urn) !== record);
    for (const draft of gone) this.#drafts.splice(this.#drafts.indexOf(draft), 1);
    for (const draft of this.#drafts) draft.values = draftOf(draft.record);
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
      if (this.#isLate) this.#going.add(code);
    }
    this.#isLate ||= this.#sawLate();
    if (does === "rollback" && (result === undefined || stopped.has(result.exitCode)))
      this.#isHalfBack = true;
    const isApply = appliers.has(does);
    for (const { summary } of result?.diagnostics ?? [])
      // Also what was sent right behind theirs, by one that had looked before.
      for (const code of new Set([...this.#behind, ...this.#touched]))
        if (/\bdraft\b/.test(summary) && new RegExp(`\\b${code}\\b`).test(summary)) this.#isTold.add(code);
    this.#judgeMarked(does);
    if (result !== undefined && (isApply || does === "rollback"))
      this.#isInDoubt = result.exitCode === exitCodes.inDoubt && areRowsInDoubt(result);
    if (does === "rollback") this.#hasGoneBack = true;
    else if (isApply && result?.exitCode === exitCodes.done) {
      this.#hasGoneBack = false;
      this.#putBack.clear();
    }
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
    for (const code of this.#underWay()) this.#forgotten.add(code);
    return [{ decision: "abandon", source: id }];
  }

  #approveAll(): boolean {
    const { reviews } = this.#scene.books.target.referenceData;
    const waiting = [...reviews.values()].filter(({ records }) => records.size > 0);
    for (const review of waiting) this.#approve(review, [...review.records]);
    return waiting.length > 0;
  }

  #publishOurs(): void {
    // What is forgotten is met for the first time.
    this.#late.clear();
    for (const record of this.#target.open()) if (this.#isBesideTheirs(record)) this.#discard(record);
    const ours = this.#target.open().filter((record) => !this.#isTheirs(record));
    // What a run had asked for, and a person brings about, who has it forgotten: from now on it is the person's.
    for (const record of ours) this.#touched.add(codeOf(record));
    // And what a person has published out of a review of which the rest waits: it is forgotten with that.
    for (const code of this.#publishedByHand) this.#touched.add(code);
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
      const isOnItsWay = this.#forgotten.has(code);
      const twins = this.#target
        .records()
        .filter((other) => codeOf(other) === code && !(isOnItsWay && other.published === undefined));
      if (twins.length > (this.#twice.has(code) ? 2 : 1))
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
        !(this.#within.has(record) && result?.exitCode !== exitCodes.done) &&
        known.has(codeOf(record)) &&
        !this.#isTold.has(codeOf(record)) &&
        !this.#forgotten.has(codeOf(record)) &&
        !this.#isLookedAt(record)
      )
        judge.breach("lost", `the row ${codeOf(record)} stands in the draft at the end`);
  }

  /** Somebody has made the row that ours was to be, and that shows: a person publishes no second one. */
  #isBesideTheirs(record: TableRecord): boolean {
    const code = codeOf(record);
    return (
      record.published === undefined &&
      !this.#isTheirs(record) &&
      this.#target.records().some((other) => other.published !== undefined && codeOf(other) === code)
    );
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

/** Of rows that are to be made, and of those whose key is said. */
function keysGiven(body: Json): readonly string[] {
  const records = isObject(body) ? body["records"] : undefined;
  return (isArray(records) ? records : []).flatMap((record) => {
    const values = isObject(record) ? record["values"] : undefined;
    return (isArray(values) ? values : []).flatMap((entry) =>
      isObject(entry) && entry["name"] === rowKey ? [asText(entry["value"])] : [],
    );
  });
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
  return said(published);
}

/** In one form, whichever a side keeps: no two texts differ in capitals alone. */
function said(values: JsonObject): string {
  return JSON.stringify([values["code"], asText(values["name"]).toLowerCase()]);
}

/** A request by which the tool sees what is published under a key. */
function isLook(entry: LogEntry, code: string): boolean {
  return entry.path.endsWith("/published/filter") && names(entry, code);
}

/** Something that is asked of the target to be drafted, put up, approved, or published. */
function isOfDraft({ tenant, path }: LogEntry): boolean {
  return tenant === "prod" && path.startsWith("/api/reference-data/") && !path.endsWith("/filter");
}

function draftOf({ draft, state }: TableRecord): string {
  return JSON.stringify([draft["code"], draft["name"], state]);
}
