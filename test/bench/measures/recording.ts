import { join } from "node:path";
import { readProfile, shareOf } from "../command/profile.ts";
import type { Share } from "../command/profile.ts";
import type { Row } from "../row.ts";
import { middle, seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import { stage } from "./stage.ts";

/**
 * What keeping the journal and the mapping files costs of a whole `sync`: the share of a profile's samples that lie under
 * the store, without snapshots, diffs and events. From the sources, since a bundle has no files to tell apart. Writing and
 * syncing by the system's own threads is not in it; it is little, as what the main thread asks for is.
 */
export async function recording({ of, quick }: Bench): Promise<readonly Row[]> {
  const shares: Share[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await using at = await stage(quick ? 500 : 5_000);
    await at.desk.sync(of, { profile: true });
    shares.push(shareOf(readProfile(join(at.desk.folder, "profile")), isRecording));
  }
  if (shares.every(({ part }) => part === 0))
    throw new Error("no sample lies under the store: its files have moved, or are called otherwise");
  const [first] = shares;
  return [
    {
      key: "recording",
      what: "journal and mapping, share of processor time",
      ...middle(shares.map(({ part, all }) => (part / all) * 100)),
      unit: "%",
      goal: { most: 5, under: true },
      from: `${seconds(first?.part ?? 0)} of ${seconds(first?.all ?? 0)} in a profile of the main thread`,
    },
  ];
}

/** The work of a plan is kept by the store as well, and is neither journal nor mapping. */
const work =
  /\/src\/store\/(?:files\/)?(?:snapshot|event-log|work|manifest|content-digest|kept-runs|scratch)/;
/** Nor are the reports, which are made piece by piece while they are written. */
const reports = /\/src\/(?:report\/|cli\/present|model\/json-pieces)/;

/** The disk serves all alike: whose work it is, only a caller can say. */
const disk = /\/src\/store\/files\/(?:node-disk|bytes)\.ts/;

export function isRecording(urls: readonly string[]): boolean {
  return (
    urls.some((url) => url.includes("/src/store/") && !disk.test(url)) &&
    !urls.some((url) => work.test(url) || reports.test(url))
  );
}
