import type { Unbuilt } from "./built.ts";
import type { LiveLookup } from "./live-lookup.ts";

/** What it refers to is not there; where that should have come with a created object it waits, and nothing is wrong with it. */
export function unbuilt(open: readonly string[], live: LiveLookup): Unbuilt {
  const born = open.map((urn) => live.unborn(urn)).find((why) => why !== undefined);
  const reason = `what it refers to is not at the target: ${open.join(", ")}`;
  return born === undefined
    ? { state: "failed", reason }
    : { state: "blocked", reason: `${reason}: ${born}` };
}
