import { expect, test } from "vitest";
import { partStillUsed } from "../../../src/engine/settle/part-users.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import { fingerprint } from "../../../src/model/canonical.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { MappingTable } from "../../../src/model/mapping-table.ts";
import { ServiceError } from "../../../src/service/index.ts";

const shape = { known: ["name", "input", "parts"], serverOwned: [] };
const [kept, gone] = [1, 2].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [string, string];
const target = "urn:data:prod:data-quality:rule:00000000-0000-4000-8000-000000000009";
const user = "urn:data:prod:data-quality:monitor:00000000-0000-4000-8000-000000000008";

const part = { name: "part" };
const published: JsonObject = { name: "Rule", parts: { [kept]: part, [gone]: part } };
const draft: JsonObject = { name: "Rule", parts: { [kept]: part } };
const monitor: JsonObject = { name: "Monitor", input: gone };

interface Scene {
  readonly draft?: JsonObject;
  /** What the monitor says at the target. */
  readonly says?: JsonObject;
  /** The monitor is the twin of something, and its row has this print. */
  readonly print?: string;
  /** It is found by another look than that at the lists of this run, which calls it that. */
  readonly elsewhere?: string;
  /** That look is refused. */
  readonly isRefused?: boolean;
  readonly ownsParts?: boolean;
}

async function hindrance(scene: Scene = {}): Promise<string | undefined> {
  const { says = monitor, print, elsewhere, isRefused = false, ownsParts = true } = scene;
  const find = async () => {
    if (isRefused)
      throw new ServiceError("no", { kind: "server", arrived: "maybe", method: "GET", path: "/" });
    return elsewhere === undefined ? [] : [{ what: elsewhere, urn: user, name: "View", refersTo: [target] }];
  };
  const rules = { name: "rules", mode: "entity", shape, refersTo: [], ownsParts };
  const monitors = { name: "monitors", mode: "entity", shape, refersTo: ["rules"] };
  const kinds = [
    { ...rules, othersReferring: [{ what: "views", find }] },
    monitors,
  ] as unknown as readonly MovedKind[];
  const mapping = new MappingTable();
  if (print !== undefined)
    mapping.set("monitors", "urn:source", {
      name: "Monitor",
      target: user,
      origin: "created",
      targetFingerprint: print,
    });
  const bodies = new Map([[`rules ${target}`, published]]);
  if (elsewhere === undefined) bodies.set(`monitors ${user}`, says);
  return partStillUsed({ kind: kinds[0] as MovedKind, target, published, draft: scene.draft ?? draft }, {
    mapping,
    registry: {
      moved: () => kinds,
      movedKind: (name: string) => kinds.find((kind) => kind.name === name),
    },
    snapshot: {
      kinds: () => kinds.map(({ name }) => name),
      has: (kind: string, urn: string) => bodies.has(`${kind} ${urn}`),
      body: (kind: string, urn: string) => {
        const body = bodies.get(`${kind} ${urn}`);
        if (body === undefined) throw new Error(`there is no ${urn}`);
        return body;
      },
      stream: (kind: string) =>
        [...bodies].flatMap(([key, body]) => {
          const [of, urn] = key.split(" ");
          return of === kind ? [{ urn, name: body["name"], body }] : [];
        }),
    },
    client: {},
    report: () => undefined,
  } as never);
}

test("a draft that takes out a part which somebody refers to by now is not published, and who that is is told", async () => {
  expect(await hindrance()).toMatch(
    /monitors "Monitor" at the target refers to by now \(urn:.*monitor:.*8\)/,
  );
  expect(await hindrance({ elsewhere: "views" })).toMatch(/views "View" at the target refers to by now/);
});

test("a draft that takes out nothing, or what nobody refers to, may be", async () => {
  expect(await hindrance({ draft: published })).toBeUndefined();
  // Nobody is looked for where nothing goes.
  expect(await hindrance({ draft: published, isRefused: true })).toBeUndefined();
  expect(await hindrance({ says: { name: "Monitor", input: kept } })).toBeUndefined();
  expect(await hindrance({ ownsParts: false })).toBeUndefined();
});

test("what refers to it and is as runs have left it follows by the diff; what somebody has changed since does not", async () => {
  const print = fingerprint(monitor, shape);
  expect(await hindrance({ print })).toBeUndefined();
  expect(await hindrance({ print, says: { ...monitor, name: "Theirs" } })).toMatch(/refers to by now/);
  // A twin that no list of this run shows may have been changed by anybody.
  for (const elsewhere of ["views", "monitors"])
    expect(await hindrance({ print, elsewhere })).toMatch(/refers to by now/);
});

test("where it cannot be seen who refers to it nobody knows: it is not published", async () => {
  const print = fingerprint(monitor, shape);
  expect(await hindrance({ isRefused: true, print })).toMatch(/is not known: views could not be read \(no\)/);
  // Who was seen is told first.
  expect(await hindrance({ isRefused: true })).toMatch(/monitors "Monitor" at the target refers to by now/);
});
