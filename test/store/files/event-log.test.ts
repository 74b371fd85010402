import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEventLog, StoreError } from "../../../src/store/index.ts";
import { makeTemporaryFolders } from "./support.ts";
import { inWhole } from "../../support/whole.ts";

const temporaryFolder = makeTemporaryFolders();

function open(path: string) {
  const trouble: unknown[] = [];
  return { log: openEventLog(path, (error) => trouble.push(error)), trouble };
}

describe("the event log", () => {
  it("appends an object a line, at once", () => {
    const path = join(temporaryFolder(), "a", "run.ndjson");
    const { log, trouble } = open(path);
    log.write({ event: "begin" });
    expect(readFileSync(path, "utf8")).toBe('{"event":"begin"}\n');
    log.close();
    const again = open(path);
    again.log.write({ event: "again", text: "ä\n" });
    again.log.close();
    expect(readFileSync(path, "utf8")).toBe('{"event":"begin"}\n{"event":"again","text":"ä\\n"}\n');
    expect([...trouble, ...again.trouble]).toEqual([]);
  });

  it("begins a new line after a run that was killed in the middle of one", () => {
    const path = join(temporaryFolder(), "run.ndjson");
    writeFileSync(path, '{"event":"be');
    const { log } = open(path);
    log.write({ event: "next" });
    expect(readFileSync(path, "utf8")).toBe('{"event":"be\n{"event":"next"}\n');
  });

  inWhole("begins anew where it has grown large, and keeps what was before once", () => {
    const folder = temporaryFolder();
    const path = join(folder, "run.ndjson");
    for (const text of ["one", "two"]) {
      writeFileSync(path, `${text}\n`.padStart(17 * 1024 * 1024, " "));
      const { log, trouble } = open(path);
      log.write({ event: "next" });
      log.close();
      expect(trouble).toEqual([]);
      expect(readFileSync(path, "utf8")).toBe('{"event":"next"}\n');
      expect(readFileSync(join(folder, "run.1.ndjson"), "utf8").trim()).toBe(text);
    }
    expect(readdirSync(folder).sort()).toEqual(["run.1.ndjson", "run.ndjson"]);
    open(path).log.close();
    expect(readFileSync(path, "utf8")).toBe('{"event":"next"}\n');
  });

  it("tells trouble once and never throws", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "run.ndjson"));
    const { log, trouble } = open(join(folder, "run.ndjson"));
    for (let turn = 0; turn < 3; turn += 1) log.write({ turn });
    log.close();
    log.close();
    expect(trouble).toHaveLength(1);
    expect(trouble[0]).toBeInstanceOf(StoreError);
    expect(trouble[0]).toMatchObject({ code: "io-failed", path: join(folder, "run.ndjson") });
  });

  it("tells once that the disk is full", (context) => {
    if (!existsSync("/dev/full")) context.skip("no /dev/full here");
    const { log, trouble } = open("/dev/full");
    for (let turn = 0; turn < 3; turn += 1) log.write({ turn });
    expect(trouble).toHaveLength(1);
    expect(trouble[0]).toMatchObject({ code: "disk-full" });
  });

  it("tells of an event that cannot be written as JSON", () => {
    const { log, trouble } = open(join(temporaryFolder(), "run.ndjson"));
    log.write({ count: 1n });
    log.write({ count: 1 });
    expect(trouble).toHaveLength(1);
    expect(trouble[0]).toBeInstanceOf(TypeError);
  });

  it("writes nothing after it was closed", () => {
    const path = join(temporaryFolder(), "run.ndjson");
    const { log, trouble } = open(path);
    log.close();
    log.write({});
    expect(readFileSync(path, "utf8")).toBe("");
    expect(trouble).toEqual([]);
  });
});
