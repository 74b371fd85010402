import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** Files of other environments, damaged ones, and those that a person got wrong: refused before any write. */
const stage = useStage();

beforeEach(async () => {
  furnish(stage().dev);
  stage().plan();
  expect((await stage().ferry("sync move --yes")).code).toBe(0);
  stage().emulator.log.clear();
});

const writing = ["apply move --yes", "sync move --yes"];
const reading = ["diff move", "verify move", "status move", "mappings move list"];

async function expectRefused(commands: readonly string[], said: RegExp): Promise<void> {
  for (const words of commands) {
    const { exitCode, diagnostics, requests } = await stage().json(words);
    expect(exitCode).toBe(1);
    const [first] = diagnostics;
    expect(`${first?.summary ?? ""} ${first?.suggestion ?? ""}`).toMatch(said);
    expect(first?.suggestion).toBeDefined();
    expect(first?.code).not.toBe("defect");
    expect(requests.target.writes).toBe(0);
  }
  expect(stage().writes()).toEqual([]);
}

describe("a mapping", () => {
  test("of other environments", async () => {
    const file = "mappings/dev--prod/terms.json";
    stage().write(
      file,
      stage().read(file).replaceAll(stage().emulator.baseUrl("prod"), "https://prod.example.com"),
    );
    await expectRefused([...writing, ...reading], /prod\.example\.com/);
  });

  test("of the same address and another tenant", async () => {
    const file = "mappings/dev--prod/rules.json";
    stage().write(file, stage().read(file).replace('"tenant":"dev"', '"tenant":"other"'));
    await expectRefused([...writing, ...reading], /other/);
  });

  test("that is cut", async () => {
    const file = "mappings/dev--prod/terms.json";
    stage().write(file, stage().read(file).slice(0, -30));
    await expectRefused([...writing, ...reading], /terms\.json/);
  });

  test("with the marks of a merge that was not settled", async () => {
    const file = "mappings/dev--prod/terms.json";
    stage().write(file, `<<<<<<< HEAD\n${stage().read(file)}=======\n>>>>>>> other\n`);
    await expectRefused([...writing, ...reading], /merge/i);
  });

  test("that gives two sources one target", async () => {
    const file = "mappings/dev--prod/terms.json";
    const content = JSON.parse(stage().read(file)) as { entries: Record<string, { target: string }> };
    const [first, second] = Object.values(content.entries);
    if (first === undefined || second === undefined) throw new Error("there are not two entries");
    stage().write(file, stage().read(file).replace(second.target, first.target));
    // What is advised works as it is pasted.
    await expectRefused([...writing, ...reading], /the same target.*`ferry diff move`/);
  });

  test("of a newer version of the tool", async () => {
    const file = "mappings/dev--prod/terms.json";
    stage().write(
      file,
      stage()
        .read(file)
        .replace(/"format": \d+/, '"format": 99'),
    );
    await expectRefused([...writing, ...reading], /newer|99/);
  });
});

describe("a snapshot", () => {
  const folder = "plans/move/snapshot";
  const given = ["diff", "verify", "apply --yes"].map((words) => {
    const [command = "", ...flags] = words.split(" ");
    return [command, "move", ...flags, "--snapshot", folder].join(" ");
  });

  test("in which a line was changed", async () => {
    stage().write(
      `${folder}/terms.ndjson`,
      stage().read(`${folder}/terms.ndjson`).replace("Who buys.", "Who pays."),
    );
    await expectRefused(given, /terms/);
  });

  test("that is cut", async () => {
    stage().write(`${folder}/rules.ndjson`, stage().read(`${folder}/rules.ndjson`).slice(0, -10));
    await expectRefused(given, /rules/);
  });

  test("without a manifest", async () => {
    stage().write(`${folder}/manifest.json`, "{}");
    await expectRefused(given, /manifest/);
  });

  test("of another environment", async () => {
    const file = `${folder}/manifest.json`;
    stage().write(
      file,
      stage().read(file).replace(stage().emulator.baseUrl("dev"), "https://dev.example.com"),
    );
    await expectRefused(given, /dev\.example\.com|manifest/);
  });
});

describe("the journal", () => {
  const file = "mappings/dev--prod/journal.ndjson";

  /** Beside the reports of the runs. */
  const journals = (): readonly string[] =>
    readdirSync(stage().path("plans/move/runs")).filter((name) => name.endsWith(".ndjson"));

  test("of a run that ended is empty, and the files of a run are kept for a rollback", () => {
    expect(stage().read(file).trim().split("\n")).toHaveLength(1);
    expect(journals()).toHaveLength(1);
  });

  test("that is damaged in the middle", async () => {
    stage().write(file, `${stage().read(file)}not a line of a journal\n${stage().read(file)}`);
    await expectRefused([...writing, ...reading], /journal/);
  });

  test("whose lines were cut out, doubled or moved", async () => {
    const [run = ""] = journals();
    const lines = stage().read(`plans/move/runs/${run}`).trimEnd().split("\n");
    const [one = "", two = ""] = lines.splice(2, 2);
    for (const middle of [[], [two], [one, one, two], [two, one]]) {
      stage().write(file, `${[...lines.slice(0, 2), ...middle, ...lines.slice(2)].join("\n")}\n`);
      await expectRefused([...writing, ...reading], /journal\.ndjson is damaged at line \d+: .*cut out/);
    }
  });

  test("that came through git with other line ends is understood", async () => {
    const mended = stage().read(file);
    stage().write(file, `\uFEFF${mended.replaceAll("\n", "\r\n")}`);
    expect((await stage().json("status move")).exitCode).toBe(0);
    expect((await stage().json("apply move --yes")).exitCode).toBe(0);
    expect(stage().read(file)).not.toMatch(/\r|\uFEFF/);
  });

  test("of other environments", async () => {
    stage().write(file, stage().read(file).replaceAll("dev", "dov"));
    await expectRefused([...writing, ...reading], /journal/);
  });
});

test.skipIf(spawnSync("git", ["--version"]).status !== 0)(
  "decisions of two branches are refused with git's marks in them, and say how to bring them together, which does",
  async () => {
    const file = "mappings/dev--prod/_decided.json";
    for (const { published } of stage().prod.terms.values()) if (published) published.description = "Theirs";
    expect((await stage().json("diff move")).summary.drift).toBe(2);
    const sides = [];
    for (const name of ["Customer", "Order"]) {
      expect((await stage().ferry(`decide move ${name} --keep-target`)).code).toBe(0);
      stage().write(name, stage().read(file));
      sides.push(JSON.parse(stage().read(file)).objects.terms);
      rmSync(stage().path(file));
    }
    stage().write("base", "");
    const paths = ["Customer", "base", "Order"].map((name) => stage().path(name));
    stage().write(file, spawnSync("git", ["merge-file", "-p", ...paths]).stdout.toString());
    stage().emulator.log.clear();
    await expectRefused(
      ["apply move --yes", "decide move"],
      /git conflict markers.*keep each of the two whole, with its name/s,
    );
    const whole = JSON.parse(stage().read("Customer"));
    stage().write(file, JSON.stringify({ ...whole, objects: { terms: Object.assign({}, ...sides) } }));
    expect(await stage().json("apply move --yes")).toMatchObject({ exitCode: 0, summary: { adopt: 2 } });
  },
);

test("the last diff, damaged, is made anew: nobody has it in version control", async () => {
  stage().write("plans/move/diff.json", '{"changes":');
  await expectRefused(
    ["ack move", "decide move"],
    /diff\.json is damaged .* `ferry diff move` writes it anew\.$/,
  );
  expect((await stage().json("diff move")).exitCode).toBe(0);
  expect((await stage().json("ack move")).exitCode).toBe(0);
});

test("a folder that cannot be written is found out before the first request", async () => {
  stage().write("in-the-way", "a file");
  const { exitCode, diagnostics } = await stage().json("apply move --yes --mappings-dir in-the-way");
  expect(exitCode).toBe(1);
  expect(diagnostics[0]?.code).not.toBe("defect");
  const other = await stage().json("apply move --yes --work-dir in-the-way");
  expect(other.exitCode).toBe(1);
  expect(other.diagnostics[0]?.code).not.toBe("defect");
  expect(stage().emulator.log.entries).toEqual([]);
});

test.each([
  ["is not that of a tenant", { realm: "another" }, 3],
  ["is one where nothing listens", { baseUrl: "http://127.0.0.1:9" }, 1],
])("an address that %s is corrected, and nothing stands in the way", async (_what, wrong, code) => {
  for (const folder of ["mappings", "plans/move"]) rmSync(stage().path(folder), { recursive: true });
  stage().plan({ target: wrong });
  for (const words of ["apply move --yes", "sync move --yes", "resolve move", "rollback move --yes"])
    expect([0, code, 64]).toContain((await stage().json(words)).exitCode);
  expect(existsSync(stage().path("mappings/dev--prod/journal.ndjson"))).toBe(false);
  stage().plan();
  expect((await stage().json("apply move --yes")).exitCode).toBe(0);
});
