import type { Feed, Listed, MovedKind } from "../kinds/kind.ts";
import type { ReadClient } from "../service/index.ts";
import type { GivenReader } from "./given-reader.ts";
import type { Report } from "./progress.ts";

/**
 * Reads every listing that the kinds need, each once, and gives each object to the kind that accepts it. It either
 * returns after the last page of all listings or throws: an error is never emptiness.
 */
export async function readListings(options: {
  readonly client: ReadClient;
  readonly kinds: readonly MovedKind[];
  readonly given: GivenReader;
  readonly side: "source" | "target";
  readonly report: Report;
  readonly take: (kind: MovedKind, listed: Listed) => void | Promise<void>;
}): Promise<void> {
  const feeds = new Map<Feed, MovedKind[]>();
  for (const kind of options.kinds) feeds.set(kind.feed, [...(feeds.get(kind.feed) ?? []), kind]);
  const failed = new AbortController();
  await together(
    [...feeds].map(async ([feed, kinds]) => {
      try {
        await readFeed(options, feed, kinds, failed.signal);
      } catch (error) {
        failed.abort();
        throw error;
      }
    }),
  );
}

/**
 * Like Promise.all, but it fails only when everything has ended: whoever cleans up afterwards must not have something
 * still writing behind it.
 */
export async function together(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

async function readFeed(
  options: Parameters<typeof readListings>[0],
  feed: Feed,
  kinds: readonly MovedKind[],
  failed: AbortSignal,
): Promise<void> {
  const { client, given, side, report, take } = options;
  const seen = new Set<string>();
  let count = 0;
  for await (const page of feed.pages(client, given)) {
    if (failed.aborted) return; // Another listing failed, and its error is thrown: nothing comes of this one.
    for (const { classifyBy } of kinds) {
      if (classifyBy === undefined) continue;
      const urns = page.map((body) => classifyBy.urn(body)).filter((urn) => urn !== undefined);
      await given.given(classifyBy.kind, urns);
    }
    for (const body of page) {
      for (const kind of kinds) {
        const listed = kind.accept(body, given.find);
        // Lists are not isolated from concurrent changes (document 2): an object may come twice.
        if (listed === undefined || seen.has(`${kind.name} ${listed.urn}`)) continue;
        seen.add(`${kind.name} ${listed.urn}`);
        await take(kind, listed);
      }
    }
    count += page.length;
    report({ type: "read", side, kind: feed.name, count });
  }
}
