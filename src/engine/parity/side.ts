import type { Trouble } from "../../kinds/trouble.ts";
import { troubleOf } from "../../kinds/trouble.ts";
import type { MonitorPlace, ReadClient, RunPlace } from "../../service/index.ts";
import type { BulkResult, Dimension, EvaluationResult } from "./parse.ts";
import { bulkResultOf, dimensionOf, evaluationOf } from "./parse.ts";
import { text } from "../../model/json.ts";

/** What could not be read, in a clause: `its results cannot be read at prod: ...`. */
export interface Unread {
  readonly unread: string;
}

export function isUnread(value: unknown): value is Unread {
  return typeof value === "object" && value !== null && "unread" in value;
}

/**
 * One environment, asked for results. A refusal of one question is a value; what makes all others useless as well (the
 * sign-in, the way there, an interrupt) is thrown. What may not be read at all is asked for once.
 */
export class Side {
  readonly name: string;
  readonly client: ReadClient;
  readonly #dimensions = new Map<string, Dimension>();
  #forbidden: string | undefined;

  constructor(client: ReadClient) {
    this.client = client;
    this.name = client.environment.name;
  }

  /** By the URN of the monitor; what is not in it has no completed run. */
  async bulk(places: readonly MonitorPlace[]): Promise<ReadonlyMap<string, BulkResult> | Unread> {
    const entries = await this.ask(
      () => this.client.quality.results(places),
      (trouble) => {
        if (trouble.fatal === "permission") this.#forbidden = this.#unread(trouble).unread;
      },
    );
    if (isUnread(entries)) return entries;
    return new Map(entries.map((entry) => [text(entry, "dqMonitorUrn") ?? "", bulkResultOf(entry)]));
  }

  /** Undefined where the run has no evaluation (404). */
  async evaluation(
    place: RunPlace,
    attributes?: readonly string[],
  ): Promise<EvaluationResult | undefined | Unread> {
    const body = await this.ask(() => this.client.quality.evaluation(place, attributes));
    if (body === undefined || isUnread(body)) return body;
    const result = evaluationOf(body);
    for (const dimension of result.dimensions) this.#dimensions.set(dimension.urn, dimension);
    return result;
  }

  /** Page 04: a service may not have the list; then the evaluations themselves tell (`dimension`). */
  async readDimensions(): Promise<void> {
    await this.ask(async () => {
      for await (const { items } of this.client.quality.dimensions())
        for (const body of items) {
          const dimension = dimensionOf(body);
          if (dimension !== undefined) this.#dimensions.set(dimension.urn, dimension);
        }
    });
  }

  dimension(urn: string): Dimension | undefined {
    return this.#dimensions.get(urn);
  }

  async ask<T>(question: () => Promise<T>, also?: (trouble: Trouble) => void): Promise<T | Unread> {
    // Results that nobody may read here are not asked for again.
    if (this.#forbidden !== undefined) return { unread: this.#forbidden };
    try {
      return await question();
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined || isFatal(trouble)) throw error;
      also?.(trouble);
      return this.#unread(trouble);
    }
  }

  #unread({ reason }: Trouble): Unread {
    return { unread: `its results cannot be read at ${this.name}: ${reason}` };
  }
}

/** A permission may be missing for results alone: then they are what cannot be compared. */
function isFatal({ fatal }: Trouble): boolean {
  return fatal === "sign-in" || fatal === "unreachable" || fatal === "stopped";
}
