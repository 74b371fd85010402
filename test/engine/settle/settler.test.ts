import { expect, test } from "vitest";
import type { ChangeInDoubt, PublishInDoubt, Verdict } from "../../../src/engine/settle/settler.ts";
import { Settler } from "../../../src/engine/settle/settler.ts";
import type { Doubt, OpenDraft } from "../../../src/engine/settle/subtraction.ts";
import type { MovedKind, Probed } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Shape } from "../../../src/model/shape.ts";

const shape: Shape = { known: ["name", "note", "kind"], serverOwned: ["/draftType"] };
/** What the web application opens to delete something is no draft of a change. */
const kind = {
  name: "rules",
  shape,
  isChangeDraft: (draft: JsonObject) => draft["draftType"] !== "DELETE",
} as unknown as MovedKind;

const [was, ours, theirs] = ["was", "ours", "theirs"].map((name): JsonObject => ({ name })) as [
  JsonObject,
  JsonObject,
  JsonObject,
];
const printOf = (body: JsonObject): string => fingerprint(body, shape);
const target = "urn:twin";

const doubt: Doubt = {
  op: "run/1",
  run: "run",
  kind: "rules",
  step: "patch",
  item: {
    source: "urn:source",
    name: "A",
    fingerprint: printOf(ours),
    before: printOf(was),
    over: printOf(was),
  },
  at: 0,
  reason: "no answer",
};

function settler(waits: number[]): Settler {
  return new Settler({
    quietPeriodMs: 60_000,
    now: () => 0,
    sleep: async (ms: number) => void waits.push(ms),
    report: () => undefined,
  } as never);
}

/** In a word, and for what a person reads by its reason. */
const told = (verdict: Verdict): string =>
  "reason" in verdict ? `${verdict.state}: ${verdict.reason}` : verdict.state;

/** What reads show, one after the other, and the last of it from then on. */
function reads<T>(all: readonly T[]): () => Promise<T> {
  let at = 0;
  return async () => all[Math.min(at++, all.length - 1)] as T;
}

interface Change {
  readonly shows: readonly (JsonObject | undefined)[];
  readonly probes?: readonly Probed[];
  readonly item?: Partial<Doubt["item"]>;
}

async function change({
  shows,
  probes,
  item,
}: Change): Promise<{ readonly is: string; readonly waits: number }> {
  const waits: number[] = [];
  const options: ChangeInDoubt = {
    kind,
    doubt: { ...doubt, item: { ...doubt.item, ...item } },
    target,
    expected: ours,
    before: was,
    readBack: reads(shows),
    probe: probes === undefined ? undefined : reads(probes),
  };
  return { is: told(await settler(waits).change(options)), waits: waits.length };
}

const shown = (draft: JsonObject): Probed => ({ state: "shown", draft });

test("a change is done where it shows, at once or after the quiet period, and is sent again only after that", async () => {
  expect(await change({ shows: [ours] })).toEqual({ is: "done", waits: 0 });
  expect(await change({ shows: [was, ours] })).toEqual({ is: "done", waits: 1 });
  expect(await change({ shows: [was] })).toEqual({ is: "again", waits: 1 });
  expect(await change({ shows: [was], probes: [shown(ours)] })).toEqual({ is: "done", waits: 1 });
  expect(await change({ shows: [was], probes: [shown(was)] })).toEqual({ is: "again", waits: 1 });
  // What no document names the service may have filled.
  expect(await change({ shows: [{ ...ours, filled: 1 }] })).toEqual({ is: "done", waits: 0 });
  // A change that changes nothing by its print has happened.
  const same = { before: printOf(was), fingerprint: printOf(was) };
  expect(await change({ shows: [was], item: same })).toEqual({ is: "done", waits: 0 });
});

test("what is neither as it was nor as it was to be is a person's to decide, at once or after the quiet period", async () => {
  expect(await change({ shows: [theirs] })).toMatchObject({
    is: expect.stringMatching(/^unknown: .*neither/),
    waits: 0,
  });
  expect((await change({ shows: [was, theirs] })).is).toMatch(/^unknown: .*neither/);
  expect((await change({ shows: [was], probes: [shown(theirs)] })).is).toMatch(/^unknown: .*neither/);
});

test("what one look does not show is not gone", async () => {
  expect((await change({ shows: [undefined, ours] })).is).toBe("done");
  expect((await change({ shows: [undefined] })).is).toMatch(/^refused: .*gone/);
  expect((await change({ shows: [was], probes: [{ state: "gone" }] })).is).toMatch(/^later: /);
  expect((await change({ shows: [was, undefined], probes: [{ state: "gone" }] })).is).toMatch(
    /^refused: .*gone/,
  );
});

test("where no change of nothing can be made what reading shows is all there is; where it is refused nobody knows", async () => {
  const absent = { state: "absent", reason: "not offered" } as const;
  expect((await change({ shows: [was], probes: [absent] })).is).toBe("again");
  expect((await change({ shows: [was, ours], probes: [absent] })).is).toBe("done");
  const refused = { state: "refused", reason: "locked" } as const;
  expect((await change({ shows: [was], probes: [refused] })).is).toBe(
    "unknown: whether it happened could not be seen: locked",
  );
});

interface Publish {
  readonly published: readonly (JsonObject | undefined)[];
  readonly draft?: OpenDraft;
  readonly over?: JsonObject;
}

async function publish({ published, draft, over = was }: Publish) {
  const waits: number[] = [];
  const options: PublishInDoubt = {
    kind,
    doubt: { ...doubt, item: { ...doubt.item, over: printOf(over) } },
    target,
    prints: new Set([printOf(ours)]),
    published: reads(published),
    draft: draft === undefined ? undefined : async () => draft,
  };
  return { is: told(await settler(waits).publish(options)), waits: waits.length };
}

test("a publish is done where what was to be published is, and repeated after the quiet period where the draft is ours still", async () => {
  expect(await publish({ published: [ours] })).toEqual({ is: "done", waits: 0 });
  expect(await publish({ published: [was, ours] })).toEqual({ is: "done", waits: 1 });
  expect(await publish({ published: [was], draft: shown(ours) })).toEqual({ is: "again", waits: 1 });
  // Of what was never published there is nothing that could have gone past it.
  expect(await publish({ published: [undefined], draft: shown(ours) })).toEqual({ is: "again", waits: 1 });
});

test("it is repeated where there is no draft, or one that changes nothing: nothing is published by that", async () => {
  expect((await publish({ published: [was] })).is).toBe("again");
  expect((await publish({ published: [was], draft: { state: "none" } })).is).toBe("again");
  expect((await publish({ published: [was], draft: shown(was) })).is).toBe("again");
  expect((await publish({ published: [theirs], draft: shown(theirs) })).is).toBe("again");
});

test("nobody else's draft is published, nor one that was opened to delete, nor ours over what somebody has published since", async () => {
  expect((await publish({ published: [was], draft: shown(theirs) })).is).toMatch(
    /^unknown: .*somebody else changed it/,
  );
  for (const body of [ours, was])
    expect((await publish({ published: [was], draft: shown({ ...body, draftType: "DELETE" }) })).is).toMatch(
      /^unknown: .*somebody else changed it/,
    );
  expect((await publish({ published: [theirs], draft: shown(ours) })).is).toMatch(
    /^refused: somebody published/,
  );
  expect((await publish({ published: [theirs], draft: shown(ours), over: theirs })).is).toBe("again");
});

test("where the draft cannot be seen nobody knows; one answer that it is gone does not take what shows away", async () => {
  for (const state of ["refused", "absent"] as const)
    expect((await publish({ published: [was], draft: { state, reason: "locked" } })).is).toBe(
      "unknown: whether the draft is still ours could not be seen: locked",
    );
  expect((await publish({ published: [was], draft: { state: "gone" } })).is).toMatch(/^later: /);
  expect((await publish({ published: [undefined], draft: { state: "gone" } })).is).toMatch(
    /^refused: .*gone/,
  );
});

test("what comes by itself is not waited for before it is taken back, and neither is a deletion", async () => {
  const waits: number[] = [];
  const of = async (more: Partial<Doubt>): Promise<number> => {
    waits.length = 0;
    await settler(waits).arrivals([{ ...doubt, ...more }]);
    return waits.length;
  };
  expect(await of({})).toBe(1);
  // The service can be asked about it.
  expect(await of({ handle: "task/1" })).toBe(0);
  expect(await of({ effect: "removes" })).toBe(0);
});
