import { join } from "node:path";
import { expect, test } from "vitest";
import { appendApplied, readApplied } from "../../../src/store/files/applied.ts";
import { nodeDisk } from "../../../src/store/files/node-disk.ts";
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
