import { expect, test } from "vitest";
import { isRecording } from "../measures/recording.ts";
import type { Profile } from "./profile.ts";
import { shareOf } from "./profile.ts";

const frame = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children: [...children],
});
const source = (path: string): string => `file:///clone/src/${path}`;

/** A microsecond is a sample's share: 1,000 of them are a millisecond. */
function profileOf(nodes: Profile["nodes"], milliseconds: Readonly<Record<number, number>>): Profile {
  const samples = Object.keys(milliseconds).map(Number);
  return { nodes, samples, timeDeltas: samples.map((id) => (milliseconds[id] ?? 0) * 1_000) };
}

test("time belongs to a part with all that is called from it, and idling, garbage and loading are nobody's", () => {
  const profile = profileOf(
    [
      frame(1, "(root)", "", [2, 3, 4, 5, 9]),
      frame(2, "(idle)", ""),
      frame(3, "(garbage collector)", ""),
      frame(4, "(program)", ""),
      frame(5, "send", source("engine/apply/executor.ts"), [6, 8]),
      frame(6, "append", source("store/files/journal.ts"), [7]),
      frame(7, "stringify", ""),
      frame(8, "digest", source("model/canonical.ts")),
      frame(9, "compileSourceTextModule", "node:internal/modules/esm/utils", [10]),
      frame(10, "", source("store/files/journal.ts")),
    ],
    { 2: 500, 3: 40, 4: 30, 5: 10, 6: 3, 7: 2, 8: 5, 9: 70, 10: 20 },
  );
  expect(shareOf(profile, isRecording)).toEqual({ part: 5, all: 20 });
});

test("snapshots and events are kept by the store and are neither journal nor mapping", () => {
  const recording = (...paths: string[]): boolean => isRecording(paths.map(source));
  expect(recording("store/files/atomic-file.ts", "cli/present.ts", "report/text.ts")).toBe(false);
  expect(recording("store/files/journal-writer.ts")).toBe(true);
  expect(recording("operations/state.ts", "store/files/mapping-store.ts")).toBe(true);
  // As it was laid out in 0.1.0.
  expect(recording("store/journal.ts")).toBe(true);
  expect(recording("store/files/snapshot-writer.ts", "store/files/lines.ts")).toBe(false);
  expect(recording("store/files/event-log.ts")).toBe(false);
  expect(recording("engine/apply/executor.ts", "model/canonical.ts")).toBe(false);
});
