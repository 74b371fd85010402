import { text } from "../../model/json.ts";
import type { TrendPoint } from "../../model/parity.ts";
import { percentOf } from "../../model/parity.ts";
import type { MonitorPlace } from "../../service/index.ts";
import type { Side } from "./side.ts";
import { isUnread } from "./side.ts";

/** Runs of a side that a trend looks back at. */
const mostRuns = 5;

/** Quality of the last runs, the oldest first: one that evaluated nothing, or cannot be read, is left out. */
export async function trendOf(side: Side, place: MonitorPlace): Promise<readonly TrendPoint[]> {
  const runs = await side.ask(() => side.client.quality.latestRuns(place, mostRuns));
  if (runs === undefined || isUnread(runs)) return [];
  const points = await Promise.all(
    runs.map(async (run): Promise<readonly TrendPoint[]> => {
      const [workflow, startedAt] = [text(run, "workflowUrn"), text(run, "startedAt")];
      if (workflow === undefined || startedAt === undefined || text(run, "processingState") !== "FINISHED")
        return [];
      // Only the quality as a whole is wanted: the answer need not hold more than one attribute.
      const evaluation = await side.evaluation({ ...place, workflow }, [place.item]);
      if (evaluation === undefined || isUnread(evaluation) || evaluation.quality === undefined) return [];
      const percent = percentOf(evaluation.quality);
      return percent === undefined ? [] : [{ startedAt, percent }];
    }),
  );
  return points.flat().toReversed();
}
