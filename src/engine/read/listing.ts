import type { Feed, Listed, MovedKind } from "../../kinds/kind.ts";
import type { ReadClient } from "../../service/index.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import type { GivenReader } from "./given-reader.ts";
import type { Report } from "../progress.ts";
import { gatheredFrom } from "./gather.ts";
import type { GatheredKinds } from "./gather.ts";
import { withinDepth } from "./depth.ts";
import { together } from "../together.ts";

type Taken = "left" | void;

/**
 * Reads every listing that the kinds need, each once, and gives each object to the kind that accepts it. It either
 * returns after the last page of all listings or throws: an error is never emptiness. Stopped, it throws the reason.
 */
export async function readListings(options: {
  readonly client: ReadClient;
  readonly kinds: readonly MovedKind[];
  readonly given: GivenReader;
  readonly side: "source" | "target";
  readonly report: Report;
  readonly stop?: AbortSignal | undefined;
  /** Resolves to `left` where nothing is kept of it, and nothing has to be remembered: there may be a million of them. */
  readonly take: (kind: MovedKind, listed: Listed) => Taken | Promise<Taken>;
  /** Given kinds that the listings show. */
  readonly gathered?: GatheredKinds | undefined;
  /** A listing begins when this has resolved for its kinds. */
  readonly ready?: (kinds: readonly MovedKind[]) => Promise<void>;
}): Promise<void> {
  const feeds = new Map<Feed, MovedKind[]>();
  for (const kind of options.kinds) feeds.set(kind.feed, [...(feeds.get(kind.feed) ?? []), kind]);
  const failed = new AbortController();
  const enough = options.stop === undefined ? failed.signal : AbortSignal.any([failed.signal, options.stop]);
  await together(
    [...feeds].map(async ([feed, kinds]) => {
      try {
        await readFeed(options, feed, kinds, enough);
      } catch (error) {
        failed.abort();
        throw error;
      }
    }),
  );
  options.stop?.throwIfAborted();
}

async function readFeed(
  options: Parameters<typeof readListings>[0],
  feed: Feed,
  kinds: readonly MovedKind[],
  enough: AbortSignal,
): Promise<void> {
  const { client, given, side, report, take, gathered = new Map() } = options;
  await options.ready?.(kinds);
  const names = new Set(options.kinds.map(({ name }) => name));
  if (enough.aborted) return;
  const seen = new Map(kinds.map((kind) => [kind, new TextSet()]));
  let count = 0;
  const pages = feed.pages(client, { kinds: names, given: given.given.bind(given) });
  for await (const page of ahead(gatheredFrom(pages, feed, gathered))) {
    if (enough.aborted) return; // Another listing failed, and its error is thrown: nothing comes of this one.
    for (const { classifyBy } of kinds) {
      if (classifyBy === undefined) continue;
      const urns = page.map((body) => classifyBy.urn(body)).filter((urn) => urn !== undefined);
      await given.given(classifyBy.kind, urns);
    }
    for (const body of page) {
      for (const kind of kinds) {
        const listed = kind.accept(body, given.find);
        // Lists are not isolated from concurrent changes (document 2): an object may come twice.
        if (listed === undefined || seen.get(kind)?.has(listed.urn) === true) continue;
        if ((await take(kind, withinDepth(listed))) !== "left") seen.get(kind)?.add(listed.urn);
      }
    }
    count += page.length;
    report({ type: "read", side, kind: feed.name, count });
  }
}

/** The next page is on its way while this one is looked at; never more than one. */
export async function* ahead<T>(pages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const source = pages[Symbol.asyncIterator]();
  const fetch = (): Promise<IteratorResult<T>> => {
    const coming = source.next();
    coming.catch(() => undefined); // Thrown when it is its turn; nobody may come to take it before.
    return coming;
  };
  let coming = fetch();
  try {
    for (;;) {
      const page = await coming;
      if (page.done === true) return;
      coming = fetch();
      yield page.value;
    }
  } finally {
    await source.return?.();
  }
}
