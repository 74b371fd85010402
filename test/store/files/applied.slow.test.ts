import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appendApplied, readApplied } from "../../../src/store/files/applied.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
import type { AppliedTree } from "../../../src/store/index.ts";
import { StoreError } from "../../../src/store/index.ts";
import { makeTemporaryFolders } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

test("what was applied last and cannot be read is told with its file", async () => {
  const path = join(temporaryFolder(), "applied.ndjson");
  const tree = { kind: "terms", source: "one", print: "p", tree: { name: "One" } };
  await appendApplied(nodeDisk, path, [tree]);
  expect(readApplied(nodeDisk, path).get("terms", "one")).toEqual(tree);
  const refused = Object.assign(new Error("EIO: i/o error"), { code: "EIO", syscall: "open" });
  const broken = {
    ...nodeDisk,
    openSync: () => {
      throw refused;
    },
  };
  const read = (): unknown => readApplied(broken, path).get("terms", "one");
  expect(read).toThrow(StoreError);
  expect(read).toThrow(`cannot read ${path}`);
});

function treeOf(number: number, text: string): AppliedTree {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return { kind: "terms", source: `urn:data:dev:catalog:term:${uuid}`, print: "p", tree: { text } };
}

test("a long file is looked through once, and again when it has doubled; the last line of each object counts", async () => {
  const path = join(temporaryFolder(), "applied.ndjson");
  let looks = 0;
  const counted = new Proxy(nodeDisk, {
    get: (disk, name: keyof typeof nodeDisk) => {
      if (name === "openSync") looks += 1;
      return Reflect.get(disk, name) as unknown;
    },
  });
  const looked = { size: 0 };
  const some = Array.from({ length: 600 }, (_, number) =>
    treeOf(number, `${number}`.padEnd(60_000, " of it")),
  );
  await appendApplied(counted, path, some, looked);
  expect(looks).toBe(1);
  for (let round = 0; round < 10; round += 1)
    await appendApplied(counted, path, [treeOf(round, `again ${round}`)], looked);
  expect(looks).toBe(1);
  const trees = readApplied(nodeDisk, path);
  for (const tree of some.slice(10)) expect(trees.get(tree.kind, tree.source)).toEqual(tree);
  expect(trees.get("terms", treeOf(3, "").source)?.tree).toEqual({ text: "again 3" });
  // All of it a second time: half of the file is of yesterday then, and goes.
  await appendApplied(counted, path, some.slice(10), looked);
  await appendApplied(counted, path, some.slice(10), looked);
  expect(statSync(path).size).toBeLessThan(2.5 * 600 * 60_000);
  const after = readApplied(nodeDisk, path);
  for (const tree of some.slice(10)) expect(after.get(tree.kind, tree.source)).toEqual(tree);
  expect(after.get("terms", treeOf(3, "").source)?.tree).toEqual({ text: "again 3" });
});
