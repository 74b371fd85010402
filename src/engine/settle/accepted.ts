import type { Step, StepAnswer, StepItem } from "../../kinds/kind.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { ReadClient } from "../../service/index.ts";

export type Accepted = Pick<Extract<StepAnswer, { state: "accepted" }>, "handle" | "waitMs">;
type Done = Extract<StepAnswer, { state: "done" }>;

/** What the service says in the end of what it took on, as far as it says anything. */
export type Followed =
  | Done
  | Extract<StepAnswer, { state: "refused" }>
  /** Not finished within the limit: the next run asks again. */
  | { readonly state: "later"; readonly reason: string }
  /** It will not say: for a person. */
  | { readonly state: "unknown"; readonly reason: string }
  | { readonly state: "stopped" };

export interface FollowOptions {
  readonly step: Step;
  readonly client: ReadClient;
  readonly item: StepItem;
  /** Asked again after `waitMs`; 0 is at once. */
  readonly accepted: Accepted;
  /** Why an answer cannot be true; then it says nothing. */
  readonly disbelieved: (answer: Done) => string | undefined;
  /** Returns when the new handle is durable: the one before may be worth nothing any more. */
  readonly renamed: (handle: string) => Promise<void>;
  /** Rejects when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly stopped: () => boolean;
  /** In place of what the step says; milliseconds. */
  readonly atMostMs?: number;
}

export const acceptedText = "accepted by the service, not finished";

/** Where a step says nothing of it, milliseconds. */
const usuallyAtMost = 30 * 60_000;

/** A service that asks to be asked without a pause is given one, milliseconds. */
const shortestWait = 50;

/** What is not found is asked for once more after so long, milliseconds: it may not show at once, and a gateway may not have found the service. */
export const secondLookMs = 5_000;

/** A stopped run is not held up by a long wait, milliseconds. */
const longestSleep = 1_000;

/**
 * Asks until the service says what became of what it has accepted: nothing is sent again meanwhile. An answer that is
 * lost is asked for again, and so is one time what is not found, whoever says so. Throws what no further asking will mend, such as a sign-in that is refused.
 */
export async function follow(options: FollowOptions): Promise<Followed> {
  const { step, stopped } = options;
  const limit = options.atMostMs ?? step.atMostMs ?? usuallyAtMost;
  let { handle, waitMs } = options.accepted;
  let waited = 0;
  let said = "";
  let isMissed = false;
  // Neither a clock that stands still nor an answer that takes long makes the wait longer than the limit.
  const began = performance.now();
  for (;;) {
    const left = limit - Math.max(waited, performance.now() - began);
    if (left <= 0)
      return { state: "later", reason: `${acceptedText} within ${limit / 1_000} s${said} (${handle})` };
    const ms = Math.min(waitMs, left);
    if (!(await slept(ms, options))) return { state: "stopped" };
    waited += ms;
    const answer = await asked(handle, options);
    const isMissedAgain = isMissed;
    isMissed = answer.state === "missed";
    switch (answer.state) {
      case "accepted":
        if (answer.handle !== handle) await options.renamed(answer.handle);
        ({ handle, waitMs } = answer);
        said = "";
        break;
      case "missed":
        if (isMissedAgain) return answer.believed;
        said = `; the last answer: ${answer.believed.reason}`;
        waitMs = Math.max(secondLookMs, waitMs);
        break;
      case "lost":
        said = `; the last answer: ${answer.reason}`;
        break;
      default:
        return answer;
    }
    if (stopped()) return { state: "stopped" };
    waitMs = Number.isFinite(waitMs) ? Math.max(shortestWait, waitMs) : longestSleep;
  }
}

type Ending = Extract<Followed, { readonly reason: string }>;
type Asked =
  | Followed
  | Extract<StepAnswer, { state: "accepted" }>
  | { readonly state: "lost"; readonly reason: string }
  /** It is not found; what that comes to when it is said again. */
  | { readonly state: "missed"; readonly believed: Ending };

async function asked(handle: string, options: FollowOptions): Promise<Asked> {
  const { step, client, item, stopped } = options;
  if (step.poll === undefined)
    return { state: "unknown", reason: `${acceptedText}, and this version of ferry cannot ask (${handle})` };
  let answer: StepAnswer;
  try {
    answer = await step.poll(client, item, handle);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    if (stopped() || trouble.fatal === "stopped") return { state: "stopped" };
    if (trouble.fatal === "sign-in" || trouble.fatal === "permission") throw error;
    if (!isRefusal(trouble)) return { state: "lost", reason: trouble.reason };
    const reason = `${acceptedText}, and it will not say more (${handle}): ${trouble.reason}`;
    const believed: Ending = { state: "unknown", reason };
    return trouble.absent ? { state: "missed", believed } : believed;
  }
  if (answer.state === "unknown") return { state: "lost", reason: answer.reason };
  if (answer.state === "refused" && answer.missing === true) return { state: "missed", believed: answer };
  const wrong = answer.state === "done" ? options.disbelieved(answer) : undefined;
  return wrong === undefined ? answer : { state: "lost", reason: wrong };
}

/** The question was refused, which says nothing of what was accepted; asked again it would be refused again. */
function isRefusal({ state, fatal }: Trouble): boolean {
  return state === "refused" && fatal === undefined;
}

/** In short pieces, so that nobody waits for long whose run has come to its end meanwhile. */
async function slept(ms: number, { sleep, stopped }: FollowOptions): Promise<boolean> {
  for (let left = ms; left > 0; left -= longestSleep) {
    if (stopped()) return false;
    try {
      await sleep(Math.min(left, longestSleep));
    } catch (error) {
      if (stopped()) return false;
      throw error;
    }
  }
  return !stopped();
}
