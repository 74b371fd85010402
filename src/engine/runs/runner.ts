import { waitTold } from "../waiting.ts";
import type { ActionKind, ServiceRun, Step, StepAnswer, StepItem } from "../../kinds/kind.ts";
import { passingTrouble, troubleOf } from "../../kinds/trouble.ts";
import type { IntentItem } from "../../model/journal.ts";
import type { JsonObject } from "../../model/json.ts";
import { isArray, isObject, own } from "../../model/json.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";
import type { Recorder } from "../apply/recorder.ts";
import type { Report } from "../progress.ts";
import { follow, secondLookMs } from "../settle/accepted.ts";
import type { Doubt } from "../settle/subtraction.ts";

/** What is to be started: once, whatever happens to the answer. */
export interface Start {
  /** Names it in the journal: two starts of one key are never under way together. */
  readonly key: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly target?: string;
  /** Of what the run is about, as it is now: a run of what was otherwise then does not stand for this one. */
  readonly print?: string | undefined;
}

export type Ended =
  | { readonly state: "finished"; readonly workflow: string }
  /** It ended without: failed, was cancelled, was skipped. */
  | { readonly state: "failed"; readonly workflow: string; readonly reason: string }
  /** The service did not take it on. */
  | { readonly state: "refused"; readonly reason: string; readonly notOffered: boolean }
  /** It goes on at the service; another run takes it up by what the journal knows. */
  | {
      readonly state: "later";
      readonly reason: string;
      readonly workflow?: string;
      /** Nothing of it goes on: there is nothing to take up. */
      readonly cancelled?: true;
    }
  /** Which workflow it made, if any, a person has to say. */
  | { readonly state: "ask"; readonly reason: string; readonly candidates: readonly ServiceRun[] };

export interface RunnerOptions {
  readonly client: WriteClient;
  readonly recorder: Recorder;
  readonly report: Report;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly stop: AbortSignal;
  /** How long a start whose answer was lost may still arrive, milliseconds. */
  readonly quietPeriodMs: number;
  /** How long one workflow is waited for, milliseconds. */
  readonly workflowMs: number;
  /** What is awaited when the run is interrupted is cancelled by it; without it, it goes on at the service. */
  readonly cancel?: (handle: string) => Promise<Cancelled>;
}

/** `why`: the request for it failed. */
export interface Cancelled {
  readonly isCancelled: boolean;
  readonly why?: string;
}

/** So often a start that is known not to have arrived is sent again. */
const mostAttempts = 3;

/**
 * Starts runs of the service and waits for their end. Each start is an intent before it is sent, with the runs that were
 * there before; its workflow is recorded as soon as it is known; a lost answer is settled by what is there and was not.
 */
export class Runner {
  readonly kind: ActionKind;
  readonly #options: RunnerOptions;

  constructor(kind: ActionKind, options: RunnerOptions) {
    this.kind = kind;
    this.#options = options;
  }

  /** `wait`: false where its end is nobody's concern. */
  async start(start: Start, { wait = true }: { readonly wait?: boolean } = {}): Promise<Ended> {
    for (let attempt = 1; ; attempt += 1) {
      const ended = await this.#attempt(start, wait);
      if (ended !== "again") return ended;
      if (attempt >= mostAttempts)
        return {
          state: "refused",
          reason: `the answer to its start was lost ${attempt} times, and no start arrived`,
          notOffered: false,
        };
    }
  }

  /** What an earlier run has started, or may have. Never sends the start again by itself: `again` says that it may be. */
  async takeUp(open: Doubt): Promise<Ended | "again"> {
    const item = itemOf(open.item);
    if (open.handle !== undefined) return this.#await(open.op, item, open.handle);
    if (open.asks !== true) return this.#settle(open.op, item);
    const candidates = await this.kind.seenSince(
      this.#options.client,
      item.body,
      new Set(knownIn(item.body)),
    );
    return { state: "ask", reason: open.reason, candidates };
  }

  /** Asks once, and once more for what is not found; its end goes on record. What cannot be asked about goes on. */
  async hasEnded({ op, item, handle }: Doubt): Promise<boolean> {
    if (handle === undefined) return false;
    const about = itemOf(item);
    const { client, sleep, stop } = this.#options;
    try {
      let answer = await this.kind.start.poll?.(client, about, handle);
      if (answer?.state === "refused" && answer.missing === true) {
        await sleep(secondLookMs);
        answer = await this.kind.start.poll?.(client, about, handle);
      }
      if (answer?.state === "done")
        await this.#record(op, about, { result: "done", target: handle, entry: null });
      else if (answer?.state === "refused")
        await this.#record(op, about, { result: "not-done", reason: answer.reason });
      else return false;
      return true;
    } catch (error) {
      if (!stop.aborted && troubleOf(error) === undefined) throw error;
      return false;
    }
  }

  /** A person says which workflow it is: it is followed from now on. */
  async take({ op, item }: Doubt, handle: string): Promise<Ended> {
    await this.#record(op, itemOf(item), { result: "accepted", handle });
    return this.#await(op, itemOf(item), handle);
  }

  /** A person says that none of them is it: it may be started again. */
  async drop({ op, item }: Doubt): Promise<void> {
    await this.#record(op, itemOf(item), {
      result: "not-done",
      reason: "a person says that it was not started",
    });
  }

  async #attempt(start: Start, wait: boolean): Promise<Ended | "again"> {
    const { recorder } = this.#options;
    if (this.#options.stop.aborted) return stoppedBefore;
    const known = await this.#known(start.body);
    if (known === undefined)
      return {
        state: "refused",
        reason:
          "the service names one run twice in what it has, which cannot be true: after a lost answer nobody could tell which one is new. Nothing was started",
        notOffered: false,
      };
    const body: JsonObject = { ...start.body, known };
    const intent: IntentItem = {
      source: start.key,
      name: start.name,
      body,
      ...(start.target === undefined ? {} : { target: start.target }),
      ...(start.print === undefined ? {} : { before: start.print }),
    };
    const { op } = await recorder.intent(this.kind.name, this.kind.start, [intent]);
    const item = itemOf(intent);
    const answer = await this.#send(item);
    await recorder.sent();
    switch (answer.state) {
      case "accepted":
        await this.#record(op, item, { result: "accepted", handle: answer.handle });
        if (wait) return this.#await(op, item, answer.handle, answer.waitMs);
        await this.#record(op, item, { result: "done", target: answer.handle, entry: null });
        return { state: "later", reason: "it was not waited for", workflow: answer.handle };
      case "refused":
        await this.#record(op, item, { result: "not-done", reason: answer.reason });
        return { state: "refused", reason: answer.reason, notOffered: answer.notOffered };
      case "unknown":
        await this.#record(op, item, { result: "doubt", reason: answer.reason });
        return this.#settle(op, item);
    }
  }

  /**
   * What runs there already. What does not stand in this list and should would be taken for new, and the start would never happen: one
   * that names a run twice in place of another is read once more, and one that is empty until three of them were; undefined where a
   * run stands twice again.
   */
  async #known(body: JsonObject): Promise<readonly string[] | undefined> {
    const all = new Set<string>();
    for (let looks = 1; ; looks += 1) {
      const known = await this.kind.seen(this.#options.client, body);
      for (const urn of known) all.add(urn);
      const isTwice = new Set(known).size < known.length;
      if (isTwice && looks > 1) return undefined;
      const isShown = known.length > 0 || (all.size > 0 && looks > 1);
      if (!isTwice && (isShown || looks > 2)) return [...all];
    }
  }

  async #send(item: StepItem): Promise<Sent> {
    try {
      const [answer] = await this.kind.start.send(this.#options.client, [item]);
      if (answer?.state === "accepted" && answer.handle !== "") return answer;
      if (answer?.state === "refused") return { ...answer, notOffered: false };
      return {
        state: "unknown",
        reason: answer?.state === "unknown" ? answer.reason : "the answer names no workflow",
      };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) throw error;
      const { reason, state, absent, fatal } = trouble;
      if (fatal === "sign-in" || fatal === "permission") {
        // It goes on record before it ends the run: a start that was refused is in nobody's way.
        return { state: "refused", reason, notOffered: false };
      }
      return state === "refused" || absent
        ? { state: "refused", reason, notOffered: absent }
        : { state: "unknown", reason };
    }
  }

  /** By subtraction: what is there now and was not before the start. */
  async #settle(op: string, item: StepItem): Promise<Ended | "again"> {
    const { client, quietPeriodMs, report, sleep, stop } = this.#options;
    const known = new Set(knownIn(item.body));
    // A clock that nobody sets; of one that was lost earlier the whole period is waited all the same.
    const began = performance.now();
    let looks = 0;
    for (;;) {
      if (stop.aborted)
        return { state: "later", reason: "the answer to its start was lost; the next run settles it" };
      const found = await this.kind.seenSince(client, item.body, known);
      const [first] = found;
      if (found.length > 1 && this.kind.anyServes !== true) return this.#ask(op, item, found);
      if (first !== undefined) {
        await this.#record(op, item, { result: "accepted", handle: first.urn });
        return this.#await(op, item, first.urn);
      }
      const left = quietPeriodMs - (performance.now() - began);
      looks += 1;
      // Twice nothing, the second time when nothing can arrive any more.
      if (left <= 0 && looks > 1) {
        const reason = "its answer was lost, and no run of it showed within the quiet period";
        await this.#record(op, item, { result: "not-done", reason });
        return "again";
      }
      const ms = Math.max(1, left);
      const reason = `the start of ${item.name} may still arrive; it is not sent again before`;
      try {
        await waitTold({ report, sleep }, ms, reason);
      } catch (error) {
        if (!stop.aborted) throw error;
      }
    }
  }

  async #ask(op: string, item: StepItem, candidates: readonly ServiceRun[]): Promise<Ended> {
    const reason = `the answer to its start was lost, and ${candidates.length} workflows began since: any of them may be it`;
    await this.#record(op, item, { result: "doubt", reason, asks: true });
    return { state: "ask", reason, candidates };
  }

  async #await(op: string, item: StepItem, handle: string, waitMs = 0): Promise<Ended> {
    const { client, sleep, stop, workflowMs } = this.#options;
    let current = handle;
    const found = await follow({
      step: this.#watched(item),
      client,
      item,
      accepted: { handle, waitMs },
      disbelieved: () => undefined,
      renamed: async (next) => {
        current = next;
        await this.#record(op, item, { result: "accepted", handle: next });
      },
      sleep,
      stopped: () => stop.aborted,
      atMostMs: workflowMs,
    });
    switch (found.state) {
      case "done":
        await this.#record(op, item, { result: "done", target: current, entry: null });
        return { state: "finished", workflow: current };
      case "refused":
        await this.#record(op, item, { result: "not-done", reason: found.reason });
        return { state: "failed", workflow: current, reason: found.reason };
      case "stopped":
        return this.#left(op, item, current);
      case "later":
      case "unknown":
        return { state: "later", reason: found.reason, workflow: current };
    }
  }

  async #left(op: string, item: StepItem, workflow: string): Promise<Ended> {
    const { isCancelled, why } = (await this.#options.cancel?.(workflow)) ?? { isCancelled: false };
    if (!isCancelled) {
      const failed =
        why === undefined ? "" : `; whether it was cancelled is not known, since that failed: ${why}`;
      return { state: "later", reason: `it goes on at the service${failed}`, workflow };
    }
    // What is cancelled is started anew, and not waited for.
    await this.#record(op, item, {
      result: "not-done",
      reason: "it was cancelled when the run was interrupted",
    });
    return { state: "later", reason: "it was cancelled by the interrupt", workflow, cancelled: true };
  }

  /** The step, telling how far its jobs are where the kind knows: where they cannot be read it goes on untold. */
  #watched(item: StepItem): Step {
    const { start } = this.kind;
    const { report } = this.#options;
    let told = "";
    let isTold = true;
    const progress = async (client: ReadClient, handle: string) => {
      try {
        return isTold ? await this.kind.progress?.(client, handle) : undefined;
      } catch (error) {
        passingTrouble(error);
        isTold = false;
        return undefined;
      }
    };
    const poll = async (
      ...[client, about, handle]: Parameters<NonNullable<Step["poll"]>>
    ): Promise<StepAnswer> => {
      const answer = (await start.poll?.(client, about, handle)) ?? {
        state: "unknown",
        reason: "it cannot be asked about",
      };
      const jobs = answer.state === "accepted" ? await progress(client, handle) : undefined;
      const text =
        jobs === undefined || jobs.known === 0 ? "" : `${item.name}: ${jobs.done} of ${jobs.known} jobs done`;
      if (text !== "" && text !== told) report({ type: "stage", stage: "await", detail: text });
      told = text;
      return answer;
    };
    return { ...start, poll };
  }

  async #record(
    op: string,
    { source }: StepItem,
    outcome:
      | { readonly result: "accepted"; readonly handle: string }
      | { readonly result: "done"; readonly target: string; readonly entry: null }
      | { readonly result: "not-done"; readonly reason: string }
      | { readonly result: "doubt"; readonly reason: string; readonly asks?: true },
  ): Promise<void> {
    await this.#options.recorder.outcome(this.kind.name, op, [{ source, ...outcome }]);
  }
}

const stoppedBefore: Ended = { state: "later", reason: "the run was stopped before it was started" };

type Sent =
  | { readonly state: "accepted"; readonly handle: string; readonly waitMs: number }
  | { readonly state: "refused"; readonly reason: string; readonly notOffered: boolean }
  | { readonly state: "unknown"; readonly reason: string };

function itemOf({ source, name, target, body }: IntentItem): StepItem {
  return {
    source,
    name,
    body: isObject(body) ? body : {},
    whole: {},
    ...(target === undefined ? {} : { target }),
  };
}

function knownIn(body: JsonObject): readonly string[] {
  const known = own(body, "known");
  return isArray(known) ? known.filter((urn) => typeof urn === "string") : [];
}
