import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { demoPairing } from "../../src/emulator/scenarios/index.ts";
import { exportSnapshot } from "../../src/operations/export.ts";
import { EngineError } from "../../src/engine/progress.ts";
import { ServiceError } from "../../src/service/index.ts";
import { StoreError } from "../../src/store/index.ts";
import { differences } from "../support/meaning.ts";
import { world, type World } from "../support/world.ts";
import { filesBelow, refusal, run, writes } from "./support.ts";

/** What a run is given: files, credentials and permissions that are not as they should be. */
let demo: World;
let before: string;
beforeEach(async () => {
  demo = await world("demo");
  before = JSON.stringify(demo.emulator.tenant("prod").dump());
});
afterEach(async () => demo.close());

const except = ["Fuel level (built)", "Supplier has a contact (built)"].map((name) => `rule ${name}`);
const left = (): readonly string[] =>
  differences(demo.emulator.tenant("dev"), demo.emulator.tenant("prod"), { renames: demoPairing, except });

function nothingWritten(): void {
  expect(writes(demo.emulator, "prod")).toEqual([]);
  expect(JSON.stringify(demo.emulator.tenant("prod").dump())).toBe(before);
}

describe("a snapshot that is named", () => {
  const make = async (): Promise<string> => {
    const migration = demo.migration();
    (await exportSnapshot(migration)).close();
    return demo.places().snapshot;
  };
  const flip = (path: string): void => {
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(path, bytes);
  };
  const damages: Record<string, (folder: string) => void> = {
    "one bit of a file is another": (folder) => flip(join(folder, "rules.ndjson")),
    "a file ends early": (folder) => truncateSync(join(folder, "monitors.ndjson"), 1000),
    "a file is empty": (folder) => truncateSync(join(folder, "terms.ndjson"), 0),
    "a file is missing": (folder) => rmSync(join(folder, "dashboards.ndjson")),
    "a file has a line more": (folder) => appendFileSync(join(folder, "terms.ndjson"), '{"urn":"x"}\n'),
    "one bit of the manifest is another": (folder) => flip(join(folder, "manifest.json")),
    "the manifest ends early": (folder) => truncateSync(join(folder, "manifest.json"), 200),
    "the manifest is missing": (folder) => rmSync(join(folder, "manifest.json")),
  };

  test.each(Object.keys(damages))("is refused when %s", async (name) => {
    const folder = await make();
    damages[name]?.(folder);
    const files = filesBelow(folder);
    const error = await refusal(run(demo, {}, { snapshot: folder }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toContain(folder);
    expect(error instanceof StoreError && error.suggestion).toBeTruthy();
    nothingWritten();
    expect(filesBelow(folder)).toEqual(files);
  });

  test("is refused when there is none", async () => {
    const folder = join(demo.folder, "nothing-here");
    mkdirSync(folder);
    const error = await refusal(run(demo, {}, { snapshot: folder }));
    expect(error.message).toContain("there is no snapshot in");
    nothingWritten();
  });

  test("is refused when it is of another environment, and names both", async () => {
    const other = await world("demo");
    const migration = other.migration();
    (await exportSnapshot(migration)).close();
    const error = await refusal(run(demo, {}, { snapshot: other.places().snapshot }));
    expect(error).toBeInstanceOf(EngineError);
    expect(error.message).toContain(other.emulator.baseUrl("dev"));
    expect(error.message).toContain(demo.emulator.baseUrl("dev"));
    nothingWritten();
    await other.close();
  });

  /** "Nothing to do" would be no word about the rest. */
  test("is refused when it was made for less than the plan selects, and names what it lacks", async () => {
    const terms = demo.migration({ select: { kinds: ["terms"] } });
    (await exportSnapshot(terms)).close();
    const { snapshot } = demo.places();
    const error = await refusal(run(demo, { select: { kinds: ["terms", "rules"] } }, { snapshot }));
    expect(error.message).toContain("was made without rules, which the plan selects");
    expect(error instanceof EngineError && error.suggestion).toContain("ferry export");
    nothingWritten();
    const less = await run(demo, { select: { kinds: ["terms"] } }, { snapshot });
    expect(less.changes.length).toBeGreaterThan(0);
  });

  test("is used as it is when it is whole", async () => {
    const folder = await make();
    demo.emulator.log.clear();
    const result = await run(demo, {}, { snapshot: folder });
    expect(result.requests.source.reads).toBe(0);
    expect(left()).toEqual([]);
  });
});

describe("mapping files", () => {
  const damage = (change: (text: string) => string): readonly [path: string, text: string] => {
    const path = join(demo.folder, "mappings", "dev--prod", "rules.json");
    const text = change(readFileSync(path, "utf8"));
    writeFileSync(path, text);
    return [path, text];
  };
  const cases: Record<string, readonly [code: string, change: (text: string) => string]> = {
    "of another target": [
      "foreign-state",
      (text) => text.replace(/("target": .*?baseUrl":")[^"]*/, "$1https://else.example"),
    ],
    "of another tenant": [
      "foreign-state",
      (text) => text.replace(/("source": .*?"tenant":")[^"]*/, "$1else"),
    ],
    "with the marks of a merge": [
      "merge-conflict",
      (text) => text.replace('    "urn', '<<<<<<< ours\n    "urn'),
    ],
    "that end early": ["bad-json", (text) => text.slice(0, Math.floor(text.length / 2))],
    "of a newer format": ["newer-format", (text) => text.replace('"format": 1', '"format": 99')],
    "with two sources for one target": [
      "mapping-not-bijective",
      (text) => {
        const targets = [...text.matchAll(/"target":"(urn:[^"]*)"/g)].map((match) => match[1] ?? "");
        return text.replace(targets[1] ?? "", targets[0] ?? "");
      },
    ],
  };

  test.each(Object.keys(cases))("%s are refused and left as they are", async (name) => {
    await run(demo);
    const [code = "", change] = cases[name] ?? [];
    const [path, text] = damage(change ?? ((same) => same));
    demo.emulator.log.clear();
    const state = JSON.stringify(demo.emulator.tenant("prod").dump());
    const error = await refusal(run(demo));
    expect(error).toBeInstanceOf(StoreError);
    expect(error instanceof StoreError && error.code).toBe(code);
    expect(error.message).toContain("rules.json");
    expect(writes(demo.emulator, "prod")).toEqual([]);
    expect(JSON.stringify(demo.emulator.tenant("prod").dump())).toBe(state);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

describe("answers that are no JSON", () => {
  test.each([
    ["dev", "GET /api/data-quality/v1/rules"],
    ["prod", "GET /api/data-quality/v1/rules"],
    ["prod", "POST /api/catalog/v1/catalog-items/filter"],
  ])("at %s, %s: nothing is written", async (tenant, route) => {
    demo.emulator.faults.add({ match: { tenant, route }, effect: { type: "garbage" } });
    const error = await refusal(run(demo));
    expect(error instanceof ServiceError && error.kind).toBe("unreadable");
    expect(error.message).toContain(`at "${tenant}"`);
    nothingWritten();
  });

  test.each([
    "POST /api/data-quality/v1/rules/batch/create",
    "POST /api/data-quality/v1/dq-monitors/batch/create",
    "POST /api/catalog/v1/terms/bulk",
    "POST /api/data-quality/v1/dq-dashboards/:urn/publish",
  ])("to %s, which was done: it is not done twice", async (route) => {
    demo.emulator.faults.add({
      match: { tenant: "prod", route },
      when: { times: 1 },
      effect: { type: "garbage" },
    });
    const result = await run(demo, {}, { verify: true });
    expect(result.summary).toMatchObject({ failed: 0, inDoubt: 0 });
    expect(left()).toEqual([]);
    expect(demo.emulator.tenant("prod").counts().drafts).toBe(0);
  });
});

describe("credentials and permissions", () => {
  test.each(["dev", "prod"])("a wrong secret at %s is said without the secret", async (tenant) => {
    const client = demo.emulator.tenant(tenant).clients.get(`${tenant}-client`);
    if (client === undefined) throw new Error("no client");
    client.secret = "another";
    const error = await refusal(run(demo));
    expect(error instanceof ServiceError && error.kind).toBe("sign-in");
    expect(error.message).toContain(tenant);
    expect(JSON.stringify([error.message, error.stack, error.cause, error])).not.toContain(
      `${tenant}-secret`,
    );
    nothingWritten();
  });

  test("writes that are forbidden end the run, and the next run with the permission finishes it", async () => {
    const target = demo.emulator.tenant("prod");
    target.restrict("data-quality", { write: false });
    const result = await run(demo);
    expect(result.exitCode).toBe(3);
    expect(result.headline).toContain("403");
    expect(result.summary.inDoubt).toBe(0);
    expect(target.counts()).toMatchObject({ rules: 0, dashboards: 0, drafts: 0 });
    // A permission that is missing is missing for all: one look is enough for a kind.
    expect(writes(demo.emulator, "prod").filter((entry) => entry.status === 403).length).toBeLessThan(9);
    target.restrict("data-quality", { write: true });
    const again = await run(demo, {}, { verify: true });
    expect(again.summary).toMatchObject({ failed: 0, inDoubt: 0, blocked: 0 });
    expect(left()).toEqual([]);
  });
});
