import type { Absent, FinalAnswer, StepAnswer } from "../../kinds/kind.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import type { Outcome } from "../../model/change.ts";
import type { IntentRecord, OutcomeItem } from "../../model/journal.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import { uuidOf } from "../../model/urn.ts";
import { asPublished, notDone, patchedBy, publishedIn, turnedOut } from "./answer.ts";
import type { Built } from "./built.ts";
import { isBegun } from "./begun.ts";
import { believed } from "./contradictions.ts";
import { notOffered, told } from "./explain.ts";
import type { ExecutorOptions, OpenDoubt } from "./executor-options.ts";
import { Following } from "./following.ts";
import { type Fallen, fellTogether, isolate } from "./isolate.ts";
import { lookOnceMore } from "./moved-since.ts";
import { OpenKinds } from "./open-kinds.ts";
import { ReadyQueues } from "./queues.ts";
import type { Verdict } from "../settle/settler.ts";
import type { Loss } from "../settle/subtraction.ts";
import { doubtOf } from "../settle/subtraction.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";
import { Waits } from "./waits.ts";

/**
 * Carries out tasks as a dataflow: a change is ready when what it refers to is done; ready changes of a kind go in
 * batches; a failure blocks its dependents and nobody else. It computes no changes: it sends what the diff says.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #ready: ReadyQueues;
  readonly #waits: Waits;
  readonly #doubts: OpenDoubt[] = [];
  readonly #notOffered = new Set<string>();
  /** UUIDs of what this run has deleted. */
  readonly #gone = new Set<string>();
  /** Outcomes that are on their way to the disk. */
  readonly #recording = new Set<Promise<void>>();
  #asked = 0;
  #inFlight = 0;
  /** Created, and what comes with them is looked for: that may take long, and holds no place. */
  #bearing = 0;
  /** What was accepted; it holds no place. */
  readonly #following: Following;
  #openWrites = 0;
  readonly #open: OpenKinds;
  #fatal: Trouble | undefined;
  #defect: Error | undefined;
  #wake: () => void = () => {};

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#open = new OpenKinds(options.tasks.values());
    this.#following = new Following(options, {
      stopped: () => this.#stopped(),
      recorded: () => this.#recorded(),
      ended: (open, found) => this.#ended(open, found),
      left: (task, reason) => this.#finish(task, "in-doubt", reason),
      failed: (error) => this.#fail(error),
      fatal: (trouble) => (this.#fatal ??= trouble),
      idle: () => this.#wake(),
    });
    this.#ready = new ReadyQueues(options.tasks);
    this.#waits = new Waits(options.tasks);
    for (const task of options.tasks.values()) {
      if (!this.#waits.comesLast(task)) this.#openWrites += 1;
    }
    for (const task of options.tasks.values()) {
      this.#ready.expect(task);
      this.#release(task);
    }
  }

  get fatal(): Trouble | undefined {
    return this.#fatal;
  }

  /** `<kind>/<step>` that the service does not offer. */
  get notOffered(): ReadonlySet<string> {
    return this.#notOffered;
  }

  /** Doubts that a person has to decide. */
  get asked(): number {
    return this.#asked;
  }

  /** Some of a kind were accepted, and may turn up at the target at any time. */
  mayTurnUp(kind: string): boolean {
    return this.#following.left.has(kind);
  }

  get doubts(): readonly OpenDoubt[] {
    return this.#doubts;
  }

  /** Works until nothing is ready and nothing is in flight: all is done, or doubts must be settled first. */
  async work(): Promise<void> {
    for (;;) {
      while (!this.#stopped() && this.#inFlight < this.#options.concurrency) {
        const batch = this.#ready.next(this.#inFlight + this.#bearing === 0);
        if (batch === undefined) break;
        this.#inFlight += 1;
        void this.#run(batch).finally(() => {
          this.#inFlight -= 1;
          this.#wake();
        });
      }
      if (this.#inFlight + this.#bearing + this.#following.count === 0) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await this.#recorded();
  }

  /** What settling found out about a doubt. */
  async settled(open: OpenDoubt, answer: Verdict): Promise<void> {
    this.#doubts.splice(this.#doubts.indexOf(open), 1);
    await this.#ended(open, answer);
  }

  async #ended({ doubt, task, built }: OpenDoubt, answer: Verdict): Promise<void> {
    if (answer.state === "again") {
      this.#record(doubt.op, [
        { source: doubt.item.source, result: "not-done", reason: "settled: it had not happened" },
      ]);
      await this.#recorded();
      this.#ready.add(task);
      return;
    }
    if (answer.state === "later" || answer.state === "unknown") {
      const { reason, state } = answer;
      this.#finish(task, "in-doubt", reason);
      if (state === "later") return;
      this.#asked += 1;
      const { source } = doubt.item;
      this.#record(doubt.op, [{ source, result: "doubt", reason, asks: true }]);
      return this.#recorded();
    }
    this.#record(doubt.op, [this.#conclude(task, built, answer)]);
    await this.#recorded();
  }

  /** What nobody got to. */
  leaveRest(): void {
    const why = this.#fatal?.reason ?? "the run was stopped before";
    for (const task of this.#options.tasks.values())
      if (task.outcome === undefined) this.#finish(task, isBegun(task) ? "begun" : "not-started", why);
  }

  #stopped(): boolean {
    return this.#options.stop.aborted || this.#fatal !== undefined || this.#defect !== undefined;
  }

  async #run(batch: readonly Task[]): Promise<void> {
    try {
      await this.#send(batch);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#defect ??=
      error instanceof Error ? error : new Error("something that is no error was thrown", { cause: error });
  }

  async #send(batch: readonly Task[]): Promise<void> {
    const { build, client, recorder } = this.#options;
    for (const task of batch) this.#open.begun(task);
    this.#work();
    const all: { task: Task; built: Built }[] = [];
    for (const task of batch) {
      const built = build(task);
      if ("item" in built) all.push({ task, built });
      else {
        await recorder.stands(task.kind.name, task.change.source?.urn ?? "", built.known);
        this.#finish(task, built.state, built.reason);
      }
    }
    const { free: pairs, hindered, fatal } = await lookOnceMore(all, client, this.#gone);
    this.#fatal ??= fatal;
    if (fatal !== undefined) return;
    for (const { task, reason } of hindered) this.#finish(task, "failed", reason);
    const [first] = pairs;
    if (first === undefined) return;
    const step = currentStep(first.task);
    const kind = first.task.kind.name;
    if (step.ifAbsent !== undefined && this.#notOffered.has(`${kind}/${step.name}`))
      return this.#leave(pairs, step.ifAbsent);
    const intent = await recorder.intent(
      kind,
      step,
      pairs.map(({ built }) => built.intent),
    );
    let answers: readonly StepAnswer[];
    try {
      answers = await step.send(
        client,
        pairs.map(({ built }) => built.item),
      );
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      await recorder.sent();
      this.#failed(pairs, intent, trouble);
      return;
    }
    await recorder.sent();
    // All of them before the first is taken: what two results say of one object is true of neither.
    const answered = believed(pairs, answers, this.#options);
    const fallen = step.atomic ? fellTogether(answered) : undefined;
    if (fallen !== undefined) {
      const sent = answered.map(({ task }) => task);
      this.#record(intent.op, notDone(sent, "the request takes all or nothing, and failed"));
      return this.#apart(fallen);
    }
    const outcomes = answered.map(({ task, built, answer }): OutcomeItem => {
      if (answer.state === "unknown") return this.#doubt(task, built, intent, answer);
      if (answer.state !== "accepted") return this.#conclude(task, built, answer);
      return { source: built.intent.source, result: "accepted", handle: answer.handle };
    });
    this.#record(intent.op, outcomes);
    for (const { task, built, answer } of answered)
      if (answer.state === "accepted") void this.#following.begin({ task, built, intent }, answer);
  }

  /** None of them was done, in a request that takes all or nothing: those that may be innocent are sent again. */
  #apart({ guilty, pieces }: Fallen): void {
    for (const { task, reason } of guilty) this.#finish(task, "failed", reason);
    for (const piece of pieces) this.#ready.addPiece(piece);
  }

  /** The whole request failed. */
  #failed(pairs: readonly { task: Task; built: Built }[], intent: IntentRecord, trouble: Trouble): void {
    const { kind, step } = intent;
    if (trouble.fatal !== undefined) this.#fatal = trouble;
    if (trouble.state === "unknown") {
      const doubts = pairs.map(({ task, built }) => this.#doubt(task, built, intent, trouble));
      this.#record(intent.op, doubts);
      return;
    }
    const tasks = pairs.map(({ task }) => task);
    this.#record(intent.op, notDone(tasks, trouble.reason));
    if (trouble.fatal !== undefined) return;
    const [first] = tasks;
    if (first === undefined) return;
    const { atomic, blame, ifAbsent, isInferred } = currentStep(first);
    const isAbsent = ifAbsent !== undefined && trouble.absent;
    const isNotOffered = isInferred === true && trouble.notOffered;
    if (isNotOffered || isAbsent) this.#notOffered.add(`${kind}/${step}`);
    if (isAbsent) return this.#leave(pairs, ifAbsent);
    const reason = isNotOffered ? notOffered(trouble, step) : trouble.reason;
    // Nothing stands at the address of independent items: that is no word on any of them.
    if (tasks.length === 1 || (!atomic && trouble.absent)) {
      for (const task of tasks) this.#finish(task, "failed", reason);
      return;
    }
    this.#apart(isolate(tasks, blame?.(trouble.pointers), reason));
  }

  /** The service has no such interface: a person is told once for all of them. */
  #leave(pairs: readonly { readonly task: Task }[], why: Absent): void {
    for (const { task } of pairs) {
      task.absent = why;
      this.#finish(task, "failed", why.reason);
    }
  }

  #doubt(task: Task, built: Built, intent: IntentRecord, loss: Loss): OutcomeItem {
    task.attempts += 1;
    this.#doubts.push({ task, built, doubt: doubtOf(intent, built.intent, loss, this.#options.now()) });
    this.#tell(task, "in doubt", loss.reason);
    return { source: built.intent.source, result: "doubt", reason: loss.reason };
  }

  /** A definite answer: moves the task on and says what goes into the journal. */
  #conclude(task: Task, built: Built, answer: Exclude<FinalAnswer, { state: "unknown" }>): OutcomeItem {
    const { source } = built.intent;
    if (answer.state === "refused") {
      this.#finish(task, "failed", answer.reason);
      return { source, result: "not-done", reason: answer.reason };
    }
    const before = this.#options.mapping.get(task.kind.name, source);
    const published = publishedIn(task, answer);
    const wrong = turnedOut(task, built, answer, before, published);
    if (wrong !== undefined) return this.#takeBack(task, built, wrong.entry, wrong.reason);
    task.patched = patchedBy(task, built, answer, before) ?? asPublished(task, published) ?? task.patched;
    const { entryAfter, recorder } = this.#options;
    const entry = entryAfter({ task, intent: built.intent, answer, before, run: recorder.run });
    this.#options.mapping.set(task.kind.name, source, entry);
    if (currentStep(task).effect === "removes") this.#gone.add(uuidOf(built.intent.target ?? ""));
    this.#tell(task, "done");
    task.at += 1;
    if (task.at < task.steps.length) this.#ready.add(task);
    else if (this.#options.births?.isAwaited(task) === true) this.#bear(task, entry?.target ?? "");
    else this.#finish(task, "done");
    const target = entry?.target;
    return { source, result: "done", entry, ...(target === undefined ? {} : { target }) };
  }

  /** The object is there; whatever waits for it may need what comes with it. */
  #bear(task: Task, target: string): void {
    const { births } = this.#options;
    const users = this.#waits.usersOf(task);
    this.#bearing += 1;
    void (births?.find(task, target, users) ?? Promise.resolve())
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#bearing -= 1;
        this.#finish(task, "done");
        this.#wake();
      });
  }

  /** It happened and is not what it should be: the mapping keeps what it said before the change. */
  #takeBack(task: Task, built: Built, entry: MappingEntry | undefined, reason: string): OutcomeItem {
    const { source } = built.intent;
    this.#finish(task, "failed", reason);
    this.#options.mapping.set(task.kind.name, source, entry ?? null);
    return entry === undefined
      ? { source, result: "done", entry: null }
      : { source, result: "done", target: entry.target, entry };
  }

  /**
   * Nobody waits for it before the next request: that one's intent comes after it in the journal and is durable with
   * it or later. An outcome that a crash took was an intent without one, and is settled. The mapping has it by now: what
   * is built next refers to it.
   */
  #record(op: string, items: readonly OutcomeItem[]): void {
    const written = this.#options.recorder.concluded(op, items).catch((error: unknown) => {
      this.#fail(error);
    });
    this.#recording.add(written);
    void written.then(() => this.#recording.delete(written));
  }

  /** All outcomes so far are durable. */
  async #recorded(): Promise<void> {
    await Promise.all(this.#recording);
    if (this.#defect !== undefined) throw this.#defect;
  }

  #finish(task: Task, outcome: Outcome, reason?: string): void {
    if (task.outcome !== undefined) return;
    task.outcome = outcome;
    task.reason = reason;
    task.ended();
    const isLast = this.#waits.comesLast(task);
    if (!isLast) this.#openWrites -= 1;
    const { tasks, kindDone } = this.#options;
    if (this.#open.ended(task) && !this.#stopped()) kindDone?.(task.kind.name);
    this.#work();
    if (outcome !== "done") this.#tell(task, outcome, reason);
    for (const user of this.#waits.usersOf(task)) {
      if (user.outcome !== undefined) continue;
      if (outcome === "done") {
        this.#waits.oneDone(user);
        this.#release(user);
      } else {
        this.#ready.unexpect(user);
        const waits = outcome === "not-started" || outcome === "begun" ? "not-started" : "blocked";
        this.#finish(
          user,
          waits,
          `it waits for ${task.kind.name} "${task.change.source?.name ?? ""}", which is ${outcome}`,
        );
      }
    }
    if (this.#openWrites === 0 && !isLast) {
      for (const other of tasks.values()) if (this.#waits.comesLast(other)) this.#release(other);
    }
    this.#wake();
  }

  /** Once for each: to finish one write may finish others that waited for it, and so come here by two ways. */
  #release(task: Task): void {
    if (task.outcome !== undefined || task.isReleased || !this.#isReady(task)) return;
    task.isReleased = true;
    this.#ready.unexpect(task);
    this.#ready.add(task);
  }

  #isReady(task: Task): boolean {
    return this.#waits.isFree(task) && (!this.#waits.comesLast(task) || this.#openWrites === 0);
  }

  #work(): void {
    this.#options.report({ type: "work", ...this.#open.objects });
  }

  #tell(task: Task, state: string, reason?: string): void {
    this.#options.report(told(task, state, reason));
  }
}
