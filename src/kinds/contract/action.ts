import type { JsonObject } from "../../model/json.ts";
import type { ReadClient, WriteClient } from "../../service/index.ts";
import type { Step } from "./step.ts";

/** How a run of the service is started, found again and awaited. */
export interface Action {
  /** `starts`: answered with `accepted` under the URN of the workflow; its `poll` tells how that ends. */
  readonly start: Step;
  /**
   * Runs that are there before a start: of those that have ended the newest are enough, since `seenSince` asks for what is newer and
   * for what is under way. What is there then and was not before is what a start made whose answer was lost.
   */
  seen(client: ReadClient, body: JsonObject): Promise<readonly string[]>;
  /** Every run that is not among them and may be one of this kind. */
  seenSince(
    client: ReadClient,
    body: JsonObject,
    before: ReadonlySet<string>,
  ): Promise<readonly ServiceRun[]>;
  /** All that may be one of this kind and has not ended, without what has: where a list of them can be asked for. */
  underWay?(client: ReadClient): Promise<readonly ServiceRun[]>;
  /** Several that began since serve alike: what is wanted is that there is a new one, whoever started it. */
  readonly anyServes?: true;
  /** Jobs that are done, and that are known; what people are told while they wait. */
  progress?(client: ReadClient, handle: string): Promise<{ readonly done: number; readonly known: number }>;
  /** False when it had ended already. */
  cancel(client: WriteClient, handle: string): Promise<boolean>;
  /** Whether what `poll` refused has gone wrong; one that was cancelled or skipped did nothing. */
  wentWrong(reason: string): boolean;
}

export interface ServiceRun {
  readonly urn: string;
  readonly name?: string;
  readonly status?: string;
  readonly startedAt?: string;
}
