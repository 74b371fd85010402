import type { Policy } from "../../src/model/plan.ts";
import { asText, type JsonObject } from "../../src/emulator/json.ts";
import { subEntityKeys } from "../../src/model/sub-entity.ts";
import { type Account, type Accounts, goesAlong, labelOf } from "./accounts.ts";
import type { BookKind, Books, Entry } from "./books.ts";
import { type Breach, type Excuses, type Invariant, looks, starters, type Under } from "./breach.ts";
import { Brought } from "./brought.ts";
import { plainKind, urnOf } from "./kinds/index.ts";
import {
  type Doubts,
  Drafted,
  isBroughtByHand,
  isOpen,
  sentAgain,
  Settled,
  takenByHand,
} from "./in-doubt.ts";
import { type Choice, Decided } from "./decided.ts";
import { without } from "./model-changes.ts";
import { changed, type Leaves, leavesOf, sameTerm, textOf } from "./leaves.ts";
import { StandIns } from "./stand-ins.ts";
import { isInWindow } from "./window.ts";

/** Judges each change that the tool makes at the moment when it is made. */
export class Judge {
  readonly breaches: Breach[] = [];
  /** By what maps it: a part of a rule that a run has taken out. */
  readonly #partsLost: {
    readonly user: string;
    readonly path: string;
    readonly value: string;
    readonly what: string;
  }[] = [];
  readonly excuses: Excuses = { window: 0, policy: 0, kept: 0 };
  /** By plan, what its last apply that made something has made, where nothing disturbed it and no rollback of it came since. */
  readonly wroteLast = new Map<string, readonly string[]>();
  /** Something has happened after which more may be told as drift than what a colleague did. */
  mayAlarm = false;
  /** Targets that the mapping ever named after a command. */
  readonly paired = new Set<string>();
  /** Named by an answer that was then said to be a refusal: a service that does that is not seen through (README). */
  readonly disowned = new Set<string>();
  /** What source objects said before each of their changes. */
  readonly #sourceBefore = new Map<string, { at: number; body: JsonObject | undefined }[]>();
  /** Targets that a person told the tool to take. */
  readonly told = new Set<string>();
  /** Targets whose pair a person took away: what was known of them went with it. */
  readonly untold = new Set<string>();
  /** Targets that a new object has taken the place of, as `policy.replace` says: nobody had allowed to delete them, and they stay. */
  readonly replaced = new Set<string>();
  /** Names of what a person had sent again, of whose first creation nobody knew anything. */
  readonly sentOnceMore = new Set<string>();
  /** Targets whose pair an apply made while the plan said that a name is enough: it is a pair from then on. */
  readonly takenByName = new Set<string>();
  readonly #decided = new Decided();
  readonly brought = new Brought();
  readonly drafted = new Drafted();
  /** When the tool last added to the draft that a colleague has of an object. */
  readonly #mixed = new Map<string, number>();
  /** The same where nothing of what the colleague had drafted is left: the moment between look and update (README). */
  readonly #covered = new Map<string, number>();
  /** Under which command each object was sent that the tool has made: it may arrive when that is over. */
  readonly madeUnder = new Map<string, Under>();
  /** Path and body of writes whose answers the tool did not hear. */
  unheard: ReadonlySet<string> = new Set();
  under: Under | undefined;
  /** What was at work when the request was sent that is being answered; it may be over by now. */
  sentUnder: () => Under | undefined = () => this.under;
  /** Runs that did not come to their end, since the last one that did. */
  unfinished: readonly Under[] = [];
  /** Types and properties that the model of a side has otherwise than at the beginning. */
  otherwise: (side: "source" | "target") => ReadonlySet<string> = () => new Set();
  /** The target offers no way to see whether somebody has a draft of a rule. */
  hidesDraftsOfRules = false;
  /** What had an intent and no outcome when the command began, or between two when the last one was over. */
  inDoubt: Doubts = [];
  readonly settled = new Settled();
  readonly #standIns = new StandIns();
  readonly #except: ReadonlySet<Invariant>;
  readonly #books: Books;
  readonly #accounts: Accounts;

  /** Those of `except` are known, and are not looked for. */
  constructor(books: Books, accounts: Accounts, except: ReadonlySet<Invariant> = new Set()) {
    this.#except = except;
    this.#books = books;
    this.#accounts = accounts;
    books.on((entry) => {
      const { under } = this;
      if (entry.actor === "tool") this.under = this.sentUnder();
      if (entry.actor === "tool") this.#judge(entry);
      this.#standIns.note(entry, this.inDoubt, this.unheard);
      accounts.write(entry);
      this.drafted.note(entry, accounts.account(entry.urn), this.under, this.brought);
      if (entry.actor === "colleague" && entry.side === "target") {
        const account = accounts.account(entry.urn);
        this.excuses.window += takenByHand(
          entry,
          account,
          this.brought,
          this.inDoubt,
          // What a run that died had sent may come in a later command.
          this.unfinished[0]?.began ?? this.under?.began ?? entry.tick,
        );
        const cutOff = this.unfinished.at(-1);
        if (cutOff !== undefined && isBroughtByHand(entry, this.inDoubt))
          this.brought.by(cutOff, entry.urn, cutOff.began);
      }
      if (entry.actor === "tool") this.#noteSame(entry);
      if (entry.side === "source") this.#noteSource(entry);
      else if (entry.actor === "tool" && entry.before?.published !== entry.after?.published)
        this.#noteWritten(entry);
      else if (entry.actor === "tool" && this.under?.does === "rollback")
        this.brought.begunBack(entry.urn, textOf(leavesOf(entry.after?.draft)));
      this.under = under;
    });
    // What a run that was cut off had sent arrives behind what a colleague has done: it was sent under that run.
    books.onSame((entry) => {
      const { under } = this;
      this.under = this.sentUnder();
      this.#noteSame(entry);
      this.under = under;
    });
  }

  breach(invariant: Invariant, what: string): void {
    if (this.#except.has(invariant)) return;
    this.breaches.push({ invariant, what });
  }

  decide(target: string, source: string, choice: Choice): void {
    const { touches = [] } = this.#accounts.account(target) ?? {};
    // As it was at some moment of the command: that of its diff.
    const before = touches.flatMap((touch) => (touch.at < (this.under?.began ?? 0) ? [] : [touch.before]));
    const now = this.#books.version("target", target)?.published;
    const said = leavesOf(this.#books.version("source", source)?.published);
    const isSwitchLeft = this.under?.policy.schedules === "disable";
    this.#decided.note(target, { choice, there: [...before, now].map(leavesOf), said, isSwitchLeft });
  }

  /** The target may say otherwise than the source where a person wanted it so. */
  isKept(urn: string): boolean {
    return this.#decided.isKept(urn);
  }

  /** What a source object said at some moment since then, and says no more. */
  sourceSince(urn: string, since: number): readonly JsonObject[] {
    const before = this.#sourceBefore.get(urn) ?? [];
    return before.flatMap(({ at, body }) => (at < since || body === undefined ? [] : [body]));
  }

  /** What is written and says the same, as where namesakes swap their names, is no change. */
  #noteSource({ urn, kind, before, after, tick }: Entry): void {
    const former = this.#sourceBefore.get(urn) ?? [];
    this.#sourceBefore.set(urn, [...former, { at: tick, body: before?.published }]);
    const isThere = before?.published !== undefined && after?.published !== undefined;
    const isSame = changed(leavesOf(before?.published), leavesOf(after?.published)).length === 0;
    if (isThere && isSame) return;
    this.brought.sourceChanged(urn, {
      at: tick,
      from: this.#said(kind, before?.published),
      into: this.#said(kind, after?.published),
    });
  }

  /** What the interface says of a source object hangs on the model there. */
  aroundModel<T>(change: () => T): T {
    const said = (): Map<string, string | undefined> =>
      new Map(
        [...this.#books.published("source")].map(({ kind, urn, body }) => [urn, this.#said(kind, body)]),
      );
    const before = said();
    const result = change();
    const at = (this.#books.tick += 1);
    this.mayAlarm = true;
    for (const [urn, into] of said()) {
      const from = before.get(urn);
      if (from !== into) this.brought.sourceChanged(urn, { at, from, into, isPerhaps: true });
    }
    return result;
  }

  /** All that the interface says of a source object, in one text; undefined where there is nothing published. */
  #said(kind: BookKind, body: JsonObject | undefined): string | undefined {
    return body === undefined ? undefined : textOf(leavesOf(without(kind, body, this.otherwise("source"))));
  }

  /** A colleague was a moment ahead and has done the very same: what was sent stands there by both of them. */
  #noteSame({ side, urn, before, after }: Entry): void {
    const account = this.#accounts.account(urn);
    if (side === "source" || account === undefined || after?.published === undefined) return;
    const [then, now] = [leavesOf(before?.published), leavesOf(after.published)];
    const known = new Map(account.known);
    for (const path of changed(known, now)) {
      const value = now.get(path);
      const name = path.slice(path.lastIndexOf("/") + 1).replace(/\[.*$/, "");
      const isSent = then.get(path) === value && this.#books.sent.includes(JSON.stringify(name));
      if (!isSent || !isInWindow(this.#books, this.under, urn, account.touchedAt.get(path) ?? 0)) continue;
      this.excuses.window += 1;
      if (value === undefined) known.delete(path);
      else known.set(path, value);
      account.known = known;
    }
  }

  #noteWritten({ urn, tick, after }: Entry): void {
    // Also where a later run brings to its end what an interrupted rollback has drafted.
    const isBack = this.brought.isMeantBack(urn, textOf(leavesOf(after?.published)));
    if (this.under?.does === "rollback" || isBack) this.brought.takenBack(urn);
    else this.brought.by(this.under ?? { began: tick, readSource: tick }, urn, tick);
  }

  #judge(entry: Entry): void {
    const { side, urn, kind, before, after } = entry;
    if (side === "source") {
      this.breach("source-written", `${kind} ${urn} of the source was written by the tool`);
      return;
    }
    const mayNot = looks.has(this.under?.does ?? "") || starters.has(this.under?.does ?? "");
    if (mayNot && entry.isBorn !== true)
      this.breach("looked-and-wrote", `${kind} ${urn} was written by ${this.under?.does ?? ""}`);
    const account = this.#accounts.account(urn);
    if (before === undefined && this.under !== undefined) this.madeUnder.set(urn, this.under);
    if (account === undefined || before === undefined) return;
    this.#judgeDraft(entry, account);
    // It goes with what it lies over, and that is judged there; what it said may go a moment before that.
    const goesAlong = (): boolean => after === undefined || this.#isDeleted(urnOf(urn));
    if (plainKind(kind)?.isOver === true && goesAlong()) return;
    if (after === undefined) this.#judgeDelete(entry, account);
    else if (kind === "attributes" || plainKind(kind)?.isList === true) this.#judgeRelease(entry, account);
    // These are only written by what the service does itself when a monitor is deleted: judged there.
    else if (kind !== "dashboards") this.#judgeChange(entry, account);
  }

  /** It was asked for. */
  #isDeleted(urn: string): boolean {
    const addresses = this.#books.addressesOf(urn);
    return this.#books.requests.some(
      ({ method, path }) => method === "DELETE" && addresses.some((address) => path.includes(address)),
    );
  }

  #judgeDraft({ before, after, urn, tick }: Entry, account: Account): void {
    const { draftTouchedAt, draftOpenedAt, label } = account;
    if (before?.draft === undefined || draftTouchedAt === undefined || draftOpenedAt === undefined) return;
    if (after?.draft === before.draft) return;
    if (after?.draft !== undefined) {
      // An empty patch asks for the draft, and leaves it as it is.
      if (changed(leavesOf(before.draft), leavesOf(after.draft)).length === 0) return;
      // The service itself takes a deleted monitor from the drafts of dashboards.
      if (account.kind === "dashboards") return;
      // Named by the run and not published; but it must not happen to one that was there before the run looked.
      if (draftOpenedAt < (this.under?.began ?? 0))
        this.breach("draft-mixed", `the draft that a colleague has of ${label} (${urn}) was added to`);
      else this.excuses.window += 1;
      const theirs = leavesOf(before.draft);
      const left = leavesOf(after.draft);
      const isLeft = (path: string): boolean => left.get(path) === theirs.get(path);
      const isMixed = changed(leavesOf(before.published), theirs).some(isLeft);
      if (isMixed) this.#mixed.set(urn, tick);
      else if (draftOpenedAt >= (this.under?.began ?? 0)) this.#covered.set(urn, tick);
    } else if (after !== undefined && (this.#mixed.get(urn) ?? 0) > draftTouchedAt) {
      // The answer to what was added to it has shown it.
      this.breach(
        "draft-published",
        `the draft that a colleague has of ${label} (${urn}) was added to and published`,
      );
    } else if (
      isInWindow(this.#books, this.under, urn, draftTouchedAt, "draft") ||
      (this.#covered.get(urn) ?? 0) > draftTouchedAt
    ) {
      this.excuses.window += 1;
    } else if (after === undefined && account.kind === "rules" && this.hidesDraftsOfRules) {
      // No request shows it there (README).
      this.excuses.window += 1;
    } else if (after === undefined) {
      this.breach(
        "draft-discarded",
        `${label} (${urn}) was deleted with the draft that a colleague has of it`,
      );
    } else {
      this.breach("draft-published", `the draft that a colleague has of ${label} (${urn}) was published`);
    }
  }

  #judgeChange(entry: Entry, account: Account): void {
    const { urn, before, after } = entry;
    if (account.kind === "rules") this.#judgePartUsers(entry, account.label);
    const [then, now] = [leavesOf(before?.published), leavesOf(after?.published)];
    const paths = changed(then, now);
    if (paths.length === 0) return;
    const { known, label } = account;
    if (known === undefined || this.#isMetAgain(account, then)) {
      this.#judgeFirst(account, then, now);
      return;
    }
    for (const path of paths) {
      if (known.get(path) === then.get(path)) continue;
      // Their own word of a draft that was published: whether that might be is judged as that.
      if (account.drafted.has(path) && account.drafted.get(path) === now.get(path)) continue;
      const touched = account.touchedAt.get(path) ?? 0;
      if (
        isInWindow(this.#books, this.under, urn, touched) ||
        (account.orKnown !== undefined && account.orKnown.get(path) === then.get(path)) ||
        sentAgain(account, then, now, this.#isUnheard(urn), this.brought.isPart(urn))
      )
        this.excuses.window += 1;
      else if (this.#isAskedFor(account, path, now) || this.#decided.isGivenUp(urn, path, then))
        this.excuses.policy += 1;
      else if (this.under?.policy.schedules === "keep" && this.#decided.isSwitchLeft(urn, path))
        this.excuses.policy += 1;
      // Brought by hand to just what the tool had left there before (README).
      else if (this.under?.does === "rollback" && account.states.has(textOf(then))) this.excuses.policy += 1;
      else if (account.kept.get(path) === then.get(path) && then.has(path) && now.has(path))
        this.excuses.kept += 1;
      else
        this.breach(
          "overwritten",
          `${label} (${urn}) ${path}: a colleague's ${then.get(path) ?? "removal"} became ${now.get(path) ?? "nothing"} (${this.under?.does ?? ""})`,
        );
    }
  }

  /**
   * What it had was taken back with the whole target, say, or nobody heard that the tool had made it: the name alone
   * makes it the twin, once more or of another.
   */
  #isMetAgain({ urn, kind, madeBy, known }: Account, then: Leaves): boolean {
    const { does, policy, pairs } = this.under ?? {};
    const isNobodys = madeBy === "people" || (madeBy === "tool" && this.#isUnheard(urn));
    const isOther = known !== undefined && changed(known, then).length > 0 && isNobodys;
    // An interrupted run took it by its name, and this one brings that to its end; what it has said to have done is known.
    const isDone = this.unfinished.some(({ done }) => done?.has(urn));
    // What is there by itself is taken by no name: what only the target has of it stays, and what both said is known.
    const isBegun =
      !isGivenKind(kind) &&
      this.takenByName.has(urn) &&
      !isDone &&
      this.unfinished.some((run) => !run.pairs.has(urn));
    const isNew = pairs?.has(urn) === false || isBegun;
    return isOther && does !== "rollback" && policy?.adopt === "by-name" && isNew;
  }

  /** The tool has never written to it: it is people's, and the plan must say that it may be taken over. */
  #judgeFirst({ urn, kind, label, touchedAt, kept, known }: Account, then: Leaves, now: Leaves): void {
    // What an interrupted run began, under its plan, a later one brings to its end.
    const policies = [this.under, ...this.unfinished].flatMap((under) => under?.policy ?? []);
    const isByName = policies.some(({ adopt }) => adopt === "by-name") || this.takenByName.has(urn);
    const isGiven = isGivenKind(kind);
    const may = isGiven || this.told.has(urn) || isByName || this.#isStandIn(urn);
    if (!may) return this.breach("first-contact", `${label} (${urn}) is people's, and was changed`);
    const lose = (path: string, value: string): void => {
      const touched = touchedAt.get(path);
      // It was paired as it was, and what came after that has drifted.
      // So it is where a person has had the target's version stay.
      const isPaired = kept.size > 0 || this.#decided.isKept(urn);
      // What a killed run has written, and the run of now has a pair of, is known as well.
      const isWritten = known !== undefined && this.under?.pairs.has(urn) === true;
      const isKnown = isPaired || isWritten || this.settled.has(kind, urn) || isOpen(this.inDoubt, kind, urn);
      const isDrift = isKnown && policies.some(({ drift }) => drift === "overwrite");
      const isLate = touched !== undefined && isInWindow(this.#books, this.under, urn, touched);
      const isDecided = this.#decided.isGivenUp(urn, path, then) || this.#decided.isAgreed(urn, path, value);
      if (isLate || this.#isAsOurs(urn, path, value)) this.excuses.window += 1;
      else if ((touched !== undefined && isDrift) || isDecided) this.excuses.policy += 1;
      else this.breach("first-contact", `${label} (${urn}) ${path}: people's ${value} is gone`);
    };
    // Where both say something, nobody knows whose is meant: it is told, unless the plan says that the source wins.
    if (plainKind(kind)?.isOver === true && !policies.some(({ conflict }) => conflict === "source-wins")) {
      for (const [path, value] of then) if (now.has(path) && now.get(path) !== value) lose(path, value);
    }
    // What is taken by its name is to be as the source's; what is there by itself never is.
    if (policies.some(({ targetOnly }) => targetOnly === "remove") || (isByName && !isGiven)) return;
    // A key of the service says nothing: parts that were there are there if their values are.
    const values = new Set(now.values());
    const lost = [...then].filter(
      ([path, value]) => !now.has(path) && !values.has(value) && !/urn$/i.test(path),
    );
    for (const [path, value] of lost) lose(path, value);
  }

  #judgeDelete({ urn, before, tick }: Entry, account: Account): void {
    const [{ label, known }, { under }] = [account, this];
    // A colleague's deletion was published: whether that might be is judged as their draft.
    const isTheirs = before?.draftType === "DELETE" && account.draftOpenedAt !== undefined;
    if (isTheirs && !this.#isDeleted(urn)) return;
    if (under?.allowDelete !== true)
      this.breach("deleted", `${label} (${urn}) was deleted, and nobody allowed it`);
    const then = leavesOf(before?.published);
    // Made over an SQL item since the run began to look, it goes with that: it is not looked for again (README).
    const item = asText(before?.published?.["catalogItemUrn"]);
    const isLate = account.madeBy === "colleague" && account.madeAt >= (under?.began ?? tick);
    if (account.kind === "monitors" && isLate && this.#isDeleted(item)) {
      this.excuses.window += 1;
      return;
    }
    const isOurs =
      known !== undefined ||
      this.told.has(urn) ||
      account.madeBy === "tool" ||
      this.replacesByName(account, under?.policy);
    if (!isOurs && !goesAlong(account) && !this.#isStandIn(urn))
      this.breach("deleted", `${label} (${urn}) is people's, and was deleted`);
    this.#judgeWhose(urn, label);
    const source = under?.pairs.get(urn);
    const isWanted = source !== undefined && this.#books.version("source", source)?.published !== undefined;
    // Something new takes its place, and the plan says that the source's word takes theirs.
    const isReplaced = isWanted && under?.policy.replace === "allow";
    // What the model has no place for any more nobody sees.
    const shown = leavesOf(without(account.kind, before?.published ?? {}, this.otherwise("target")));
    for (const path of known === undefined ? [] : changed(known, then)) {
      const touched = account.touchedAt.get(path) ?? 0;
      if (then.has(path) && !shown.has(path)) this.excuses.kept += 1;
      else if (isInWindow(this.#books, this.under, urn, touched)) this.excuses.window += 1;
      else if (account.kept.get(path) === then.get(path) && then.has(path)) this.excuses.kept += 1;
      // Nothing of theirs is lost with what they took away.
      else if (!then.has(path) && goesAlong(account)) this.excuses.kept += 1;
      else if (!then.has(path) && this.#accounts.namesGone(path + (known?.get(path) ?? "")))
        this.excuses.kept += 1;
      else if (account.kind === "primary-monitors") this.excuses.policy += 1;
      else if (isReplaced && this.#isAskedFor(account, path, then)) this.excuses.policy += 1;
      else
        this.breach(
          "deleted",
          `${label} (${urn}) was deleted, and a colleague's ${path} ${then.get(path) ?? "removal"} with it (${under?.does ?? ""})`,
        );
    }
    this.#judgeUsers(urn, label, tick);
    if (under === undefined || under.does === "rollback" || source === undefined) return;
    // It goes with its SQL item, whatever a person has paired it with (README).
    if (account.kind === "primary-monitors" && this.told.has(urn)) return;
    const since = this.brought.lastChange(source);
    if (isWanted && since < under.began && under.policy.replace !== "allow")
      this.breach("deleted-though-wanted", `${label} (${urn}) was deleted, and ${source} is still there`);
  }

  /** Rules cannot be changed there, and the plan takes what has the same name for the twin, and replaces what differs (plans/README). */
  replacesByName({ kind }: Account, { adopt, replace }: Partial<Policy> = {}): boolean {
    return kind === "rules" && this.hidesDraftsOfRules && adopt === "by-name" && replace === "allow";
  }

  /** Of another plan's runs nothing is taken back, but for what one of them had begun to take back itself. */
  #judgeWhose(urn: string, label: string): void {
    const { inDoubt, madeUnder, under, unfinished } = this;
    const plan = madeUnder.get(urn)?.plan;
    if (under?.does !== "rollback" || plan === undefined || plan === under.plan) return;
    if (inDoubt.length === 0 && unfinished.length === 0 && this.#isDeleted(urn))
      this.breach(
        "rollback-missed",
        `${label} (${urn}) was made by a run of another plan, and is taken back`,
      );
  }

  /**
   * A colleague deleted what the tool had made, or gave it another name, and made the same again before the tool had its
   * answer; or what the tool had sent was never done, and a colleague has made just that: nobody can tell the two apart (README).
   */
  #isStandIn(urn: string): boolean {
    const { kind, label, madeBy } = this.#accounts.account(urn) ?? {};
    const ours = [...this.#accounts.byUrn.values()].filter(
      (other) => other.kind === kind && other.label === label && other.madeBy === "tool",
    );
    const isFor = (other: Account): boolean =>
      (other.gone === "by a colleague" || this.#isRenamed(other)) && !this.paired.has(other.urn);
    const isSole = ours.filter(({ gone }) => gone === undefined).length <= this.#standIns.mostBeside(urn);
    if (madeBy !== "colleague" || !(ours.some(isFor) || isSole)) return false;
    if (isSole) this.excuses.window += 1;
    return true;
  }

  /** What stands in for one of the tool's says there what that one said: it counts as brought, and goes when the source has it no more. */
  #isAsOurs(urn: string, path: string, value: string): boolean {
    const { kind, label } = this.#accounts.account(urn) ?? {};
    const isOurs = (other: Account): boolean =>
      other.kind === kind &&
      other.label === label &&
      other.madeBy === "tool" &&
      other.known?.get(path) === value;
    return [...this.#accounts.byUrn.values()].some(isOurs) && this.#isStandIn(urn);
  }

  #isRenamed({ urn, kind, label, isTouched }: Account): boolean {
    const now = this.#books.version("target", urn)?.published;
    return isTouched && now !== undefined && labelOf(this.#books, "target", kind, now, urn) !== label;
  }

  /** The service takes a term that is about to be deleted from whatever it was assigned to. */
  #judgeRelease({ urn, before, after, tick }: Entry, account: Account): void {
    const [then, now] = [leavesOf(before?.published), leavesOf(after?.published)];
    for (const [path, value] of then) {
      if (now.has(path) || account.known?.get(path) === value) continue;
      // The tool assigned the same term: then it is a person's all the same.
      const isKept = path.includes("termUrn") && [...now.keys()].some((other) => sameTerm(other, path));
      if (isKept) continue;
      if ((account.touchedAt.get(path) ?? 0) >= (this.under?.began ?? tick)) this.excuses.window += 1;
      else
        this.breach(
          "deleted-though-used",
          `a term was deleted that a colleague had assigned: ${path} of ${urn} (${this.under?.does ?? ""})`,
        );
    }
  }

  /** What a colleague made refer to it, before this run began to look. */
  #judgeUsers(urn: string, label: string, tick: number): void {
    const uuid = urn.slice(-36);
    for (const user of this.#accounts.byUrn.values()) {
      if (user.urn === urn || user.gone !== undefined) continue;
      const row = this.#books.version("target", user.urn);
      const attribute = this.#books.target.attributes.get(user.urn);
      const body = row?.published ?? (attribute && { termAssignments: attribute.termAssignments });
      // The primary monitor goes with its item (README).
      const item = asText(row?.published?.["catalogItemUrn"]);
      if (user.kind === "primary-monitors" && this.#isDeleted(item)) continue;
      for (const [path, value] of leavesOf(body)) {
        if (!path.includes(uuid) && !value.includes(uuid)) continue;
        if (user.known?.get(path) === value) continue;
        const touched = user.touchedAt.get(path) ?? 0;
        if (touched >= (this.under?.began ?? tick)) this.excuses.window += 1;
        else
          this.breach(
            "deleted-though-used",
            `${label} (${urn}) was deleted, and ${user.label} (${user.urn}) of a colleague uses it at ${path} (${this.under?.does ?? ""})`,
          );
      }
    }
  }

  /** What a colleague had map a part of a rule that is taken out, before this run began to write: it looks at that right before. */
  #judgePartUsers({ urn, before, after }: Entry, label: string): void {
    const left = subEntityKeys(after?.published ?? {});
    const gone = [...subEntityKeys(before?.published ?? {})].filter((key) => !left.has(key));
    if (gone.length === 0) return;
    const { began = 0, writesSince = began, does = "" } = this.under ?? {};
    for (const user of this.#accounts.byUrn.values()) {
      if (user.gone !== undefined || !user.kind.endsWith("monitors")) continue;
      for (const [path, value] of leavesOf(this.#books.version("target", user.urn)?.published)) {
        if (!gone.some((key) => value.includes(key)) || user.known?.get(path) === value) continue;
        if ((user.touchedAt.get(path) ?? 0) >= writesSince) this.excuses.window += 1;
        else
          this.#partsLost.push({
            user: user.urn,
            path,
            value,
            what: `${label} (${urn}) lost a part, and ${user.label} (${user.urn}) of a colleague maps it at ${path} (${does})`,
          });
      }
    }
  }

  /** What maps a new part in the place of the old one follows in the same run (README), or in the one that goes on with it. */
  judgePartsLost(): void {
    for (const { user, path, value, what } of this.#partsLost.splice(0))
      if (leavesOf(this.#books.version("target", user)?.published).get(path) === value)
        this.breach("deleted-though-used", what);
  }

  #isUnheard(urn: string): boolean {
    return this.#books
      .addressesOf(urn)
      .some((address) => [...this.unheard].some((sent) => sent.includes(address)));
  }

  #isAskedFor({ urn, touchedAt }: Account, path: string, now: Leaves): boolean {
    if (this.under === undefined) return false;
    // A run that died had the source win over all that a colleague had said by then, and left what only the target has; this one does not.
    const hasMet = ({ policy, pairs, began }: Under): boolean =>
      policy.conflict === "source-wins" && pairs.has(urn) && (touchedAt.get(path) ?? 0) < began;
    if (this.under.policy.targetOnly === "remove" && !now.has(path) && this.unfinished.some(hasMet))
      return true;
    // What is in doubt is brought to its end before anything is taken back.
    if (this.under.does === "rollback")
      return this.unfinished.some((under) => this.#isAskedBy(under, urn, path, now));
    // What lies over something is known with that: once another one had its place, nobody knows it any more.
    if (this.untold.has(urn) || this.untold.has(urn.slice(urn.indexOf(" ") + 1))) return true;
    // What an interrupted run began, under its plan, a later one brings to its end.
    return [this.under, ...this.unfinished].some((under) => this.#isAskedBy(under, urn, path, now));
  }

  #isAskedBy(under: Under, urn: string, path: string, now: Leaves): boolean {
    const { drift, conflict, targetOnly } = under.policy;
    const source = under.pairs.get(urn);
    // Also after a rollback, where it differs from the state that came back: the plan says who wins.
    const touched = this.#accounts.account(urn)?.touchedAt.get(path) ?? 0;
    const moved = this.brought.moved(urn, source ?? "", under, touched);
    if (moved !== "yes" && drift === "overwrite") return true;
    if (moved !== "no" && conflict === "source-wins") return true;
    if (drift === "overwrite" && conflict === "source-wins") return true;
    // What nobody has a pair of, since the power took it, is met for the first time; so is what was taken back, as far as nothing else was brought.
    const isMet = source === undefined || this.brought.isNever(urn);
    const isTheTargets = this.#accounts.account(urn)?.kept.has(path) === true || isMet;
    return targetOnly === "remove" && !now.has(path) && isTheTargets;
  }
}

/** Something is there by itself: the service makes it, or it is what people say of something else. */
function isGivenKind(kind: BookKind): boolean {
  return kind === "primary-monitors" || plainKind(kind)?.isOver === true;
}
