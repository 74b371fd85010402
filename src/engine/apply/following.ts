import { troubleOf } from "../../kinds/trouble.ts";
import type { Trouble } from "../../kinds/trouble.ts";
import type { IntentRecord } from "../../model/journal.ts";
import type { Accepted, Followed } from "../settle/accepted.ts";
import { acceptedText, follow } from "../settle/accepted.ts";
import { doubtOf } from "../settle/subtraction.ts";
import type { Built } from "./built.ts";
import { disbelieved } from "./contradictions.ts";
import type { ExecutorOptions, OpenDoubt } from "./executor-options.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

/** What the executor does with what is found out. */
interface Ends {
  /** Nobody asks any more. */
  readonly stopped: () => boolean;
  /** All outcomes so far are durable. */
  readonly recorded: () => Promise<void>;
  readonly ended: (open: OpenDoubt, found: Exclude<Followed, { state: "stopped" }>) => Promise<void>;
  /** Not finished; its handle is in the journal. */
  readonly left: (task: Task, reason: string) => void;
  readonly fatal: (trouble: Trouble) => void;
  /** A defect. */
  readonly failed: (error: unknown) => void;
  readonly idle: () => void;
}

interface Sent {
  readonly task: Task;
  readonly built: Built;
  readonly intent: IntentRecord;
}

/** What the service has accepted: it is asked about until the service says what became of it, and holds no place. */
export class Following {
  readonly #options: ExecutorOptions;
  readonly #ends: Ends;
  /** Kinds of which some will be finished after this run. */
  readonly left = new Set<string>();
  #count = 0;

  constructor(options: ExecutorOptions, ends: Ends) {
    this.#options = options;
    this.#ends = ends;
  }

  get count(): number {
    return this.#count;
  }

  /** The outcome with the handle is on its way to the disk; nothing is asked before it is there. */
  async begin(sent: Sent, accepted: Accepted): Promise<void> {
    const { task } = sent;
    const ends = this.#ends;
    this.#count += 1;
    try {
      await ends.recorded();
      await this.#follow(sent, accepted);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) ends.failed(error);
      else ends.fatal(trouble);
      this.left.add(task.kind.name);
      ends.left(task, acceptedText);
    } finally {
      this.#count -= 1;
      ends.idle();
    }
  }

  async #follow({ task, built, intent }: Sent, accepted: Accepted): Promise<void> {
    const { client, recorder, settler, now } = this.#options;
    const { kind } = task;
    const { source } = built.intent;
    const ends = this.#ends;
    const found = await follow({
      step: currentStep(task),
      client,
      item: built.item,
      accepted,
      disbelieved: (answer) => disbelieved({ task, built }, answer, this.#options),
      renamed: (handle) => recorder.outcome(kind.name, intent.op, [{ source, result: "accepted", handle }]),
      sleep: (ms) => settler.sleep(ms),
      stopped: ends.stopped,
    });
    if (found.state !== "done" && found.state !== "refused") this.left.add(kind.name);
    if (found.state === "stopped") {
      ends.left(task, `${acceptedText}; the next run asks again`);
      return;
    }
    const doubt = doubtOf(intent, built.intent, { reason: acceptedText }, now());
    await ends.ended({ task, built, doubt }, found);
  }
}
