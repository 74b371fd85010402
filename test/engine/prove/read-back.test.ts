import { expect, test } from "vitest";
import { ReadBack } from "../../../src/engine/prove/read-back.ts";
import { newTask, TaskMap } from "../../../src/engine/apply/task.ts";
import type { Feed, MovedKind } from "../../../src/kinds/kind.ts";
import { printOf } from "../../../src/model/canonical.ts";
import type { AppliedChange } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { text } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Shape } from "../../../src/model/shape.ts";

const shape: Shape = { known: ["name"], serverOwned: ["/urn", "/kind"] };
const thing = (kind: string, urn: string, name: string): JsonObject => ({ kind, urn, name });
const print = (name: string): string => printOf({ name }, shape);

/** Two lists: `terms` and `words` stand in one of them, `rules` in the other. */
class Stand {
  readonly mapping = new MappingTable();
  /** By list, what it shows; an Error in place of it. */
  readonly shows = new Map<string, readonly JsonObject[] | Error>();
  readonly listed: string[] = [];
  readonly told: string[] = [];
  readonly fetched: string[] = [];
  readonly #stop = new AbortController();
  readonly kinds: readonly MovedKind[];
  readonly back: ReadBack;

  constructor({
    fetch,
    known = ["terms", "words", "rules", "links", "primaries"],
  }: {
    readonly fetch?: (urn: string) => JsonObject | undefined;
    readonly known?: readonly string[];
  } = {}) {
    const feeds = new Map(["one", "two", "three"].map((name) => [name, this.#feed(name)]));
    const kind = (name: string, feed: string, more: object = {}): MovedKind =>
      ({
        name,
        mode: "entity",
        feed: feeds.get(feed),
        shape,
        accept: (body: JsonObject) =>
          body["kind"] === name ? { urn: text(body, "urn"), name: text(body, "name"), body } : undefined,
        ...more,
      }) as unknown as MovedKind;
    this.kinds = [
      kind("terms", "one"),
      kind("words", "one"),
      kind("rules", "two"),
      kind("links", "two", { mode: "link" }),
      kind("primaries", "three", {
        mode: "overlay",
        locate: ({ urn }: { urn: string }) => `over ${urn}`,
        called: () => "primary",
        fetch: async (_client: unknown, { urn }: { urn: string }) => {
          this.fetched.push(urn);
          return fetch?.(urn);
        },
      }),
    ];
    const records = new Map(["i1", "i2"].map((urn) => [urn, { urn }]));
    this.back = new ReadBack({
      client: {} as never,
      registry: { moved: () => this.kinds } as never,
      target: {
        snapshot: { kinds: () => known },
        given: { given: async () => new Map(), find: () => undefined },
        overlays: {
          get: (name: string, urn: string) => (name === "primaries" && urn === "p" ? "over i1" : undefined),
        },
        pairs: { records },
      } as never,
      mapping: this.mapping,
      marks: {} as never,
      report: ({ type }) => this.told.push(type),
      stop: this.#stop.signal,
    });
  }

  #feed(name: string): Feed {
    const [shows, listed] = [this.shows, this.listed];
    return {
      name,
      async *pages() {
        listed.push(name);
        const page = shows.get(name) ?? [];
        if (page instanceof Error) throw page;
        yield page;
      },
    };
  }

  /** A row of an object that is to show this name. */
  row(kind: string, source: string, target: string, name: string, more: Partial<MappingEntry> = {}): void {
    this.mapping.set(kind, source, {
      name,
      target,
      origin: "created",
      targetFingerprint: print(name),
      ...more,
    });
  }

  begin(...changes: readonly AppliedChange[]): void {
    const tasks = new TaskMap();
    for (const change of changes) {
      const kind = this.kinds.find(({ name }) => name === change.kind) as MovedKind;
      const task = newTask(change, kind, "main", [], []);
      tasks.set(task.id, task);
    }
    this.back.begin(tasks);
  }

  async soon(): Promise<readonly string[]> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    return this.listed;
  }
}

function change(kind: string, source: string, more: Partial<AppliedChange> = {}): AppliedChange {
  return {
    id: `${kind}:${source}`,
    kind,
    action: "update",
    outcome: "done",
    source: { urn: source, name: source },
    fields: [],
    diagnostics: [],
    ...more,
  } as unknown as AppliedChange;
}

const term = change("terms", "s");
const gone = change("terms", "g", { action: "delete", target: { urn: "t-g", name: "G" } });

/** A term that was to be brought to `Sent`, and shows this. */
function brought(shown: string, more: Partial<MappingEntry> = {}): Stand {
  const stand = new Stand();
  stand.row("terms", "s", "t", "Sent", more);
  stand.shows.set("one", [thing("terms", "t", shown)]);
  return stand;
}

test("a kind is listed once the last of it is written, with what stands in its list, and no other", async () => {
  const stand = brought("Sent");
  stand.begin(term);
  expect(await stand.soon()).toEqual([]);
  stand.back.kindDone("terms");
  expect(await stand.soon()).toEqual(["one"]);
  expect(stand.told).toEqual([]);
  const { kinds, isAsSent } = await stand.back.shown([term]);
  expect([[...kinds], isAsSent]).toEqual([["terms", "words"], true]);
});

test("who waits for it is told how far it is, and the last of all opens what nobody has said is done", async () => {
  const stand = brought("Sent");
  stand.begin(term);
  expect((await stand.back.shown([term])).isAsSent).toBe(true);
  expect(stand.told).toEqual(["read"]);
});

test("what the run has not read before is not read back", async () => {
  const stand = new Stand({ known: ["terms", "rules"] });
  stand.begin(term);
  expect([...(await stand.back.shown([])).kinds]).toEqual(["terms"]);
});

test.each(["delete", "link"])("by a %s others are felt: all are read, after everything", async (what) => {
  const stand = brought("Sent");
  stand.begin(what === "delete" ? gone : change("links", "l"));
  for (const { name } of stand.kinds) stand.back.kindDone(name);
  expect(await stand.soon()).toEqual([]);
  const { kinds, isAsSent } = await stand.back.shown([]);
  expect([[...kinds], isAsSent]).toEqual([["terms", "words", "rules", "links", "primaries"], true]);
  expect(stand.listed).toEqual(["one", "two", "three"]);
});

test.each<[string, string, Partial<MappingEntry>]>([
  ["it shows something else", "Other", {}],
  ["a step of it is left", "Sent", { unfinished: "publish" }],
  ["another one has the pair", "Sent", { target: "other" }],
])("nothing is proved where %s", async (_what, shown, more) => {
  const stand = brought(shown, more);
  stand.begin(term);
  expect((await stand.back.shown([term])).isAsSent).toBe(false);
});

test("what was left, deleted or is of a kind that was not written needs no proof", async () => {
  const stand = brought("Other");
  stand.begin(term);
  const left = [change("terms", "s", { outcome: "failed" }), gone, change("rules", "r")];
  expect((await stand.back.shown(left)).isAsSent).toBe(true);
});

test("what was deleted and is there again is no proof, whoever has made it", async () => {
  const stand = new Stand();
  stand.shows.set("one", [thing("terms", "t-g", "G")]);
  stand.begin(gone);
  expect((await stand.back.shown([gone])).isAsSent).toBe(false);
  const other = new Stand();
  other.shows.set("one", [thing("words", "t-g", "G")]);
  other.begin(gone);
  expect((await other.back.shown([gone])).isAsSent).toBe(true);
});

test("what is there and was only changed is nothing that came back", async () => {
  const stand = brought("Sent");
  const changed = change("terms", "s", { target: { urn: "t", name: "T" } });
  stand.begin(changed, gone);
  expect((await stand.back.shown([changed, gone])).isAsSent).toBe(true);
});

test("a list that is refused proves nothing, and ends nothing", async () => {
  const stand = brought("Sent");
  stand.shows.set("one", new Error("refused"));
  stand.begin(term);
  expect((await stand.back.shown([])).isAsSent).toBe(false);
});

test("what nobody needs any more is not read", async () => {
  const stand = brought("Sent");
  stand.begin(term);
  await stand.back.abandon();
  expect(stand.listed).toEqual([]);
});

const primary = change("primaries", "p");

/** A primary monitor that was to be brought to `Sent`; no list shows it, or one does. */
async function unlisted(
  fetch: (urn: string) => JsonObject | undefined,
  {
    shown = [],
    changes = [primary],
  }: { readonly shown?: readonly JsonObject[]; readonly changes?: readonly AppliedChange[] } = {},
) {
  const stand = new Stand({ fetch });
  stand.row("primaries", "p", "over i1", "Sent");
  stand.shows.set("three", shown);
  stand.begin(primary);
  const { isAsSent } = await stand.back.shown(changes);
  return { isAsSent, fetched: stand.fetched };
}

const sent = (): JsonObject => thing("primaries", "over i1", "Sent");

test("what no list shows is read by itself, through what it lies over", async () => {
  expect(await unlisted(sent)).toEqual({ isAsSent: true, fetched: ["i1"] });
  expect(await unlisted(() => thing("primaries", "over i1", "Other"))).toEqual({
    isAsSent: false,
    fetched: ["i1"],
  });
  expect(await unlisted(() => undefined)).toEqual({ isAsSent: false, fetched: ["i1"] });
  const refused = (): never => {
    throw new Error("refused");
  };
  expect(await unlisted(refused)).toEqual({ isAsSent: false, fetched: ["i1"] });
});

test("what a list shows is not read once more, nor what is to be shown of no other kind, nor what has no place", async () => {
  expect(await unlisted(sent, { shown: [sent()] })).toEqual({ isAsSent: true, fetched: [] });
  const other = [thing("primaries", "over i1", "Other")];
  expect(await unlisted(sent, { shown: other })).toEqual({ isAsSent: false, fetched: [] });
  expect(await unlisted(sent, { changes: [change("primaries", "p", { outcome: "failed" })] })).toEqual({
    isAsSent: true,
    fetched: [],
  });
  expect(await unlisted(sent, { changes: [change("rules", "p")] })).toEqual({ isAsSent: true, fetched: [] });
  expect(await unlisted(sent, { changes: [change("primaries", "q")] })).toEqual({
    isAsSent: false,
    fetched: [],
  });
});
