import { expect, test } from "vitest";
import type { Built } from "../../../src/engine/apply/built.ts";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import type { Planned, Reverse } from "../../../src/engine/undo/plan.ts";
import { Returning } from "../../../src/engine/undo/rewrite.ts";
import { RollbackTasks } from "../../../src/engine/undo/tasks.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";
import type { MovedKind, Step } from "../../../src/kinds/kind.ts";
import { fingerprint, printOf } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import type { Shape } from "../../../src/model/shape.ts";

const id = (letter: string): string => `00000000-0000-4000-8000-00000000000${letter}`;
const urnOf = (letter: string, type = "catalog:thing"): string => `urn:data:prod:${type}:${id(letter)}`;

const shape: Shape = { known: ["name", "ref", "parts"], serverOwned: [], deferrable: ["ref"] };
const step = (name: string, effect: string): Step => ({ name, effect }) as Step;
const update = [step("patch", "changes"), step("publish", "releases")];
const things = {
  name: "things",
  mode: "entity",
  shape,
  refersTo: [],
  create: [step("create", "creates"), step("publish", "releases")],
  update,
  remove: step("delete", "removes"),
} as unknown as MovedKind;
const owners = { ...things, name: "owners", ownsParts: true } as unknown as MovedKind;
const unchangeable = { ...things, name: "fixed", update: undefined } as unknown as MovedKind;

/** What one deed did, and what takes it back; by one letter. */
interface Item {
  readonly letter: string;
  readonly what?: Deed["what"];
  readonly kind?: MovedKind;
  readonly reverse?: Reverse;
  readonly goesWith?: string;
  readonly intent?: Partial<Deed["intent"]>;
  readonly undos?: Deed["undos"];
}

const removal: Reverse = { what: "delete", steps: [step("delete", "removes")] };
const back = (letter: string, patch: JsonObject): Reverse => ({
  what: "patch",
  steps: update,
  target: urnOf(letter),
  patch,
});
const again = (body: JsonObject, after?: readonly string[]): Reverse => ({
  what: "create",
  steps: [step("create", "creates"), step("publish", "releases")],
  body,
  ...(after === undefined ? {} : { after }),
});

function planned({
  letter,
  what = "created",
  kind = things,
  reverse,
  goesWith,
  intent,
  undos = [],
}: Item): Planned {
  const item = { source: letter, name: letter, ...intent };
  const undo = reverse?.what === "create" ? { undo: reverse.body } : {};
  const deed: Deed = {
    kind: kind.name,
    source: letter,
    name: letter,
    what,
    target: urnOf(letter),
    left: undefined,
    before: undefined,
    intent: { ...item, ...undo },
    undos,
    sent: [],
    keys: {},
  };
  const action = reverse === undefined ? "unchanged" : reverse.what === "patch" ? "update" : reverse.what;
  return {
    deed,
    kind,
    change: describeDeed(deed, action, "the run did it"),
    ...(reverse === undefined ? {} : { reverse }),
    ...(goesWith === undefined ? {} : { goesWith }),
  };
}

/** What stands there, by letter. */
function tasksOf(
  items: readonly Item[],
  there: Readonly<Record<string, JsonObject>> = {},
  mapping = new MappingTable(),
) {
  const bodies = new Map(Object.entries(there).map(([letter, body]) => [urnOf(letter), body]));
  const snapshot = {
    kinds: () => ["things"],
    urns: () => [...bodies.keys()],
    has: (_kind: string, urn: string) => bodies.has(urn),
    body: (_kind: string, urn: string) => bodies.get(urn) ?? {},
  };
  const all = items.map(planned);
  const returning = new Returning(
    all.map(({ deed }) => deed),
    mapping,
  );
  const registry = { moved: () => [things, owners] } as never;
  return new RollbackTasks(all, {
    standing: { snapshot } as never,
    mapping,
    returning,
    registry,
    now: () => 0,
  });
}

/** By task, what it waits for. */
function waits({ tasks }: RollbackTasks): Readonly<Record<string, string>> {
  return Object.fromEntries([...tasks].map(([name, task]) => [name, [...task.waits].toSorted().join(" ")]));
}

test("what goes, goes after whatever refers to it has gone, or let go of it", () => {
  const items: readonly Item[] = [
    { letter: "a", reverse: removal },
    { letter: "b", reverse: removal },
    { letter: "c", what: "changed", reverse: back("c", { ref: null }) },
    { letter: "d", what: "changed", reverse: back("d", { name: "D" }) },
  ];
  const there = { a: {}, b: { ref: urnOf("a") }, c: { ref: urnOf("b") }, d: { ref: urnOf("e") } };
  expect(waits(tasksOf(items, there))).toEqual({
    "things:a": "things:b",
    "things:b": "things:c",
    "things:c": "",
    "things:d": "",
  });
});

test("what goes with a delete refers to others until then", () => {
  const items: readonly Item[] = [
    { letter: "a", reverse: removal },
    { letter: "b", reverse: removal },
    { letter: "c", goesWith: "things:b" },
    { letter: "d" },
  ];
  expect(waits(tasksOf(items, { c: { ref: urnOf("a") }, d: { ref: urnOf("b") } }))).toEqual({
    "things:a": "things:b",
    "things:b": "",
  });
});

test("what comes back comes before what leads to it; what may be a circle follows", () => {
  const items: readonly Item[] = [
    { letter: "a", what: "deleted", reverse: again({ name: "A" }) },
    { letter: "b", what: "deleted", reverse: again({ name: urnOf("a"), ref: urnOf("a") }) },
    { letter: "c", what: "changed", reverse: back("c", { ref: urnOf("a") }) },
    { letter: "d", what: "deleted", kind: unchangeable, reverse: again({ ref: urnOf("a") }) },
  ];
  expect(waits(tasksOf(items, { c: {} }))).toEqual({
    "things:a": "",
    "things:b": "things:a",
    "things:b#2": "things:a things:b",
    "things:c": "things:a",
    "fixed:d": "things:a",
  });
});

test("what stands in the place of what comes back goes first, after what lets go of it, and with what it is tied to", () => {
  const items: readonly Item[] = [
    { letter: "a", what: "deleted", reverse: again({ name: "A" }, ["things:b"]) },
    { letter: "b", reverse: removal },
    { letter: "c", what: "changed", reverse: back("c", { ref: null }) },
    { letter: "d", reverse: removal },
    { letter: "e", reverse: removal },
    { letter: "f", what: "changed", reverse: back("f", { ref: urnOf("a") }) },
  ];
  const made = tasksOf(items, {
    b: {},
    c: { ref: urnOf("b") },
    d: { ref: urnOf("b") },
    e: {},
    f: { ref: urnOf("e") },
  });
  expect(waits(made)).toEqual({
    "things:a": "things:b",
    "things:b": "things:c things:d",
    "things:c": "",
    "things:d": "",
    "things:e": "things:f",
    "things:f": "things:a",
  });
  // As far as the executor goes these are writes, which come before the deletes.
  const actions = [...made.tasks.values()].map(({ id: name, change }) => `${name} ${change.action}`);
  expect(actions.filter((line) => /:[bde] /u.test(line))).toEqual([
    "things:b update",
    "things:d update",
    "things:e delete",
  ]);
  expect(made.tasks.get("things:b")?.steps).toEqual([step("delete", "removes")]);
});

test("where what makes room waits for what comes back neither waits: the place is made at the end", () => {
  const items: readonly Item[] = [
    { letter: "a", what: "deleted", reverse: again({ name: "A" }, ["things:b"]) },
    { letter: "b", reverse: removal },
    { letter: "c", what: "changed", reverse: back("c", { ref: urnOf("a") }) },
  ];
  const made = tasksOf(items, { b: {}, c: { ref: urnOf("b") } });
  expect(waits(made)).toEqual({ "things:a": "", "things:b": "things:c", "things:c": "things:a" });
  expect(made.tasks.get("things:b")?.change.action).toBe("delete");
});

test("what loses a part waits for what lets go of it, or goes, but for what maps one that comes back", () => {
  const part = `urn:data:prod:quality:part:${id("9")}`;
  const loses: Item = {
    letter: "a",
    what: "changed",
    kind: owners,
    reverse: back("a", { parts: { [id("9")]: null } }),
  };
  const items: readonly Item[] = [
    loses,
    { letter: "b", what: "changed", reverse: back("b", { ref: null }) },
    { letter: "c", reverse: removal },
    { letter: "d", goesWith: "things:c" },
    { letter: "e", what: "deleted", reverse: again({ ref: part }) },
    { letter: "f" },
    { letter: "0", what: "changed", reverse: back("0", { name: "x" }) },
  ];
  const maps = { ref: part };
  const there = {
    a: { parts: { [id("9")]: { name: "p" } }, ref: part },
    b: { ref: id("9") },
    c: {},
    d: maps,
    f: maps,
    0: { ref: urnOf("b") },
  };
  expect(waits(tasksOf(items, there))["owners:a"]).toBe("things:b things:c");
  // What takes none of its parts out waits for nobody.
  const kept = { ...loses, reverse: back("a", { name: "A" }) };
  expect(waits(tasksOf([kept, ...items.slice(1)], there))["owners:a"]).toBe("");
});

test("what waits for the owner itself is not waited for by it", () => {
  const gone = id("9");
  const loses: Item = {
    letter: "a",
    what: "changed",
    kind: owners,
    reverse: back("a", { parts: { [gone]: null, [`new_${id("8")}`]: {} } }),
    undos: [{ patch: { parts: { [`new_${id("8")}`]: {} } }, keys: {} }],
  };
  const maps: Item = { letter: "b", what: "changed", reverse: back("b", { ref: id("8") }) };
  const there = { a: { parts: { [gone]: {} } }, b: { ref: gone } };
  expect(waits(tasksOf([loses, maps], there))).toEqual({ "owners:a": "", "things:b": "owners:a" });
});

const row = (target: string, more: Partial<MappingEntry> = {}): MappingEntry => ({
  name: "A",
  target,
  origin: "adopted",
  ...more,
});

/** The row after a step of the only task is done. */
function rowAfter(
  item: Item,
  {
    at = 0,
    before,
    keys,
    target,
    there,
  }: {
    readonly at?: number;
    readonly before?: MappingEntry;
    readonly keys?: Readonly<Record<string, string>>;
    readonly target?: string;
    readonly there?: JsonObject;
  },
): MappingEntry | null {
  const mapping = new MappingTable();
  if (before !== undefined) mapping.set("things", item.letter, before);
  const made = tasksOf([item], there === undefined ? {} : { [item.letter]: there }, mapping);
  const task = made.tasks.at(0);
  if (task === undefined) throw new Error("a task was expected");
  task.at = at;
  const built = made.build(task) as Built;
  if (built.expected !== undefined)
    task.patched = { expected: built.expected, patch: {}, print: undefined, entry: before };
  const answer = {
    state: "done",
    ...(target === undefined ? {} : { target }),
    ...(keys === undefined ? {} : { keys }),
  } as never;
  return made.entryAfter({ task, intent: built.intent, answer, before, run: "back" });
}

test("what comes back says what it was, and is what it was known as", () => {
  const was = { sourceFingerprint: "said", left: ["/note"] };
  const item: Item = { letter: "a", what: "deleted", reverse: again({ name: "A" }), intent: { was } };
  expect(rowAfter(item, { target: urnOf("f") })).toMatchObject({
    target: urnOf("f"),
    former: { target: urnOf("a") },
    unfinished: "publish",
    ...was,
  });
  // Of what was changed and then deleted only the state in between is on record.
  const changed = { ...item, undos: [{ patch: {}, keys: {} }] };
  expect(rowAfter(changed, { target: urnOf("f") })).not.toHaveProperty("sourceFingerprint");
});

test("a row of another object says nothing of what is done to this one, and there may be none", () => {
  const item: Item = { letter: "a", what: "changed", reverse: back("a", { name: "A" }) };
  const other = row(urnOf("f"));
  expect(rowAfter(item, { before: other, there: {} })).toBe(other);
  expect(rowAfter(item, { there: {} })).toBeNull();
  expect(rowAfter({ letter: "a", reverse: removal }, { before: other, there: {} })).toBe(other);
  expect(rowAfter({ letter: "a", reverse: removal }, { before: row(urnOf("a")), there: {} })).toBeNull();
});

test("parts that came back stand under new keys, and those that the run had added are gone", () => {
  const [kept, added, lost, fresh, bare] = ["1", "2", "3", "4", "5"].map(id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const patch = {
    parts: { [added]: null, [`new_${lost}`]: { name: "lost" }, [`new_${bare}`]: { name: "bare" } },
  };
  const item: Item = {
    letter: "a",
    what: "changed",
    reverse: back("a", patch),
    intent: { paired: { p: kept } },
  };
  const before = row(urnOf("a"), { keys: { k: kept, d: added, l: lost, p: kept }, sourceFingerprint: "now" });
  const there = { parts: { [kept]: { name: "kept" }, [added]: { name: "added" } } };
  const keys = { [lost]: fresh, [bare]: id("6") };
  const after = rowAfter(item, { before, there, keys });
  expect(after?.keys).toEqual({ k: kept, l: fresh, [bare]: id("6") });
  expect(after?.unfinished).toBe("publish");
  // With no part left there are no keys.
  const none: Item = { letter: "a", what: "changed", reverse: back("a", { parts: null }) };
  expect(rowAfter(none, { before, there })).not.toHaveProperty("keys");
  // A publish leaves them as they are.
  expect(rowAfter(item, { at: 1, before, there })?.keys).toEqual(before.keys);
});

test("what had been drift before the run is drift again, and what lies under the draft is remembered", () => {
  const was = { sourceFingerprint: "said", targetFingerprint: "theirs" };
  const item: Item = { letter: "a", what: "changed", reverse: back("a", { name: "A" }), intent: { was } };
  const there = { name: "B" };
  const after = rowAfter(item, { before: row(urnOf("a")), there });
  expect(after).toMatchObject({ drifted: "theirs", over: printOf(there, shape), sourceFingerprint: "said" });
  expect(after?.targetFingerprint).toBe(fingerprint({ name: "A" }, shape));
});

/** What the step of a task sends, and what is on record of it before. */
function built(
  item: Item,
  at: number,
  { row: entry, patched, there = {} }: { row?: MappingEntry; patched?: JsonObject; there?: JsonObject } = {},
): Built {
  const mapping = new MappingTable();
  if (entry !== undefined) mapping.set("things", "a", entry);
  const made = tasksOf([item], { a: there, f: {} }, mapping);
  const task = made.tasks.at(0);
  if (task === undefined) throw new Error("a task was expected");
  task.at = at;
  if (patched !== undefined) task.patched = { expected: patched, patch: {}, print: undefined, entry };
  return made.build(task) as Built;
}

test("what is published is what was patched, whatever the source object stands for by now", () => {
  const item: Item = { letter: "a", what: "changed", reverse: back("a", { name: "A" }) };
  const own = row(urnOf("a"), { targetFingerprint: "sent", over: "under" });
  expect(built(item, 1, { row: own }).intent).toMatchObject({
    target: urnOf("a"),
    fingerprint: "sent",
    over: "under",
  });
  const there = { name: "B" };
  const other = { row: row(urnOf("f"), { targetFingerprint: "else" }), there };
  expect(built(item, 1, { ...other, patched: { name: "A" } }).intent).toMatchObject({
    target: urnOf("a"),
    fingerprint: fingerprint({ name: "A" }, shape),
    over: printOf(there, shape),
  });
  const bare = built(item, 1, other).intent;
  expect([bare.target, bare.fingerprint, bare.over]).toEqual([urnOf("a"), undefined, undefined]);
});

test("what comes back is published as what it is by now, and what goes is what the run had made", () => {
  const item: Item = { letter: "a", what: "deleted", reverse: again({ name: "A" }) };
  expect(built(item, 1, { row: row(urnOf("f")) }).intent.target).toBe(urnOf("f"));
  expect(built(item, 1).intent.target).toBe(urnOf("a"));
  const gone = built({ letter: "a", reverse: removal }, 0, {
    row: row(urnOf("a"), { targetFingerprint: "sent" }),
  });
  expect([gone.intent.target, gone.intent.fingerprint]).toEqual([urnOf("a"), undefined]);
});

test("pairs that the change had made are none any more", () => {
  const patch = back("a", { name: "A" });
  const item: Item = { letter: "a", what: "changed", reverse: patch, intent: { paired: { one: id("1") } } };
  expect(built(item, 0).intent.parted).toEqual(["one"]);
  expect(built({ letter: "a", what: "changed", reverse: patch }, 0).intent).not.toHaveProperty("parted");
});

test("what nobody has planned is no task of a rollback", () => {
  const made = tasksOf([{ letter: "a", reverse: removal }]);
  const task = tasksOf([{ letter: "b", reverse: removal }]).tasks.at(0);
  expect(() => task && made.build(task)).toThrow("nothing is planned for things:b");
});
