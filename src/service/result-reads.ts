import type { JsonObject } from "../model/json.ts";
import { isArray, isObject, own } from "../model/json.ts";
import { at } from "./address.ts";
import type { Path } from "./address.ts";
import type { Reader } from "./call.ts";
import { readOne } from "./requests.ts";
import { bulkOfResults, evaluation, listOfRuns, listOfSamples, runResults, sampleHeaders } from "./shapes.ts";

/** A monitor as paths name it; `monitor` is a URN, or `primary`. */
export interface MonitorPlace {
  readonly item: string;
  readonly monitor: string;
}

/** A run of a monitor; `workflow` is a URN, or `latest` for the one that was started last. */
export interface RunPlace extends MonitorPlace {
  readonly workflow: string;
}

/**
 * Document 2, "Data-quality results". Single reads give undefined only when the service itself says 404: of an
 * evaluation that is what it says of a run without one. All throw ServiceError.
 */
export interface ResultReads {
  /** Up to 100 pairs; what has no completed run is left out of the answer. */
  results(monitors: readonly MonitorPlace[]): Promise<readonly JsonObject[]>;
  /** The runs that were started last, the newest first, at most 100. */
  latestRuns(place: MonitorPlace, most: number): Promise<readonly JsonObject[] | undefined>;
  /** `{ dqEvaluationState }`: what there is of an evaluation is asked for when it is FINISHED (Rules 1). */
  runResults(place: RunPlace): Promise<JsonObject | undefined>;
  /** Without attributes: with the results of all of them. */
  evaluation(place: RunPlace, attributeUrns?: readonly string[]): Promise<JsonObject | undefined>;
  sampleHeaders(place: RunPlace): Promise<readonly JsonObject[] | undefined>;
  /** The first ones, at most 100. */
  samples(place: RunPlace, most: number): Promise<readonly JsonObject[] | undefined>;
}

function runsOf({ item, monitor }: MonitorPlace): Path {
  return at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings`;
}

export function resultReads(reader: Reader): ResultReads {
  return {
    results: async (monitors) => {
      if (monitors.length === 0) return [];
      const filter = monitors.map(({ item, monitor }) => ({ catalogItemUrn: item, dqMonitorUrn: monitor }));
      const path = at`/api/data-quality/v1/results/dq-evaluation/bulk`;
      // It reads; the pairs are too many for a query.
      return await reader.read({ method: "POST", at: path, body: { filter } }, ({ body }) =>
        objectsIn(bulkOfResults(body), "data"),
      );
    },
    latestRuns: async (place, most) => {
      const query = { size: most, sort: "-startedAt" };
      return objectsOrNone(await readOne(reader, runsOf(place), listOfRuns, query), "data");
    },
    runResults: ({ item, monitor, workflow }) =>
      readOne(
        reader,
        at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings/${workflow}/results`,
        runResults,
      ),
    evaluation: ({ item, monitor, workflow }, attributeUrns = []) =>
      readOne(
        reader,
        at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings/${workflow}/results/dq-evaluation`,
        evaluation,
        { attributeUrns: { each: attributeUrns } },
      ),
    sampleHeaders: async ({ item, monitor, workflow }) => {
      const path = at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings/${workflow}/results/dq-evaluation/invalid-samples/headers`;
      return objectsOrNone(await readOne(reader, path, sampleHeaders), "headers");
    },
    samples: async ({ item, monitor, workflow }, most) => {
      const path = at`/api/data-quality/v1/catalog-items/${item}/dq-monitors/${monitor}/processings/${workflow}/results/dq-evaluation/invalid-samples`;
      return objectsOrNone(await readOne(reader, path, listOfSamples, { size: most }), "data");
    },
  };
}

function objectsOrNone(body: JsonObject | undefined, key: string): readonly JsonObject[] | undefined {
  return body === undefined ? undefined : objectsIn(body, key);
}

function objectsIn(body: JsonObject, key: string): readonly JsonObject[] {
  const list = own(body, key);
  return isArray(list) ? list.filter(isObject) : [];
}
