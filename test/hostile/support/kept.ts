import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedTerm } from "../../../src/emulator/seed.ts";
import { furnish } from "../../cli/support/little.ts";
import { Stage } from "../../cli/support/stage.ts";
import { allOr } from "../../support/whole.ts";
import { judge } from "./judge.ts";
import type { Loose } from "./loose.ts";

/** What was done to a file since the last run. */
export type Damage = (stage: Stage) => void;

/** A line of the table: what was done, to which file, the command that meets it, the exit code, what a person reads. */
export type FileRow = readonly [
  what: string,
  damage: Damage,
  command: string,
  code: number,
  says: string | RegExp,
];

/**
 * Each row over the files that one whole run left behind, a change at the source that waits since, and its approved
 * diff in approved.json. Nothing may be written, so that all rows share one estate.
 */
export function kept(about: string, rows: readonly FileRow[]): void {
  describe(about, () => {
    let stage: Stage;
    const backup = mkdtempSync(join(tmpdir(), "ferry-hostile-"));
    beforeAll(async () => {
      stage = await Stage.open("empty");
      furnish(stage.dev);
      stage.plan();
      expect((await stage.ferry("sync move --yes")).code).toBe(0);
      seedTerm(stage.dev, { name: "Invoice", description: "What is to be paid." });
      expect((await stage.ferry("diff move --out approved.json")).code).toBe(0);
      cpSync(stage.folder, backup, { recursive: true });
    });
    afterAll(async () => {
      await stage.close();
      rmSync(backup, { recursive: true });
    });

    const tried = allOr(rows, (_row, index) => index % 5 === 0);
    test.each(tried)("%s", async (_what, damage, command, code, says) => {
      for (const name of readdirSync(stage.folder)) rmSync(stage.path(name), { recursive: true });
      cpSync(backup, stage.folder, { recursive: true });
      stage.emulator.log.clear();
      damage(stage);
      await judge(stage, await stage.ferry(command), { code, says });
    });
  });
}

/** The text of a file is another one. */
export const edit =
  (file: string, change: (text: string) => string): Damage =>
  (stage) => {
    const before = stage.read(file);
    const text = change(before);
    if (text === before) throw new Error(`${file} was not changed`);
    stage.write(file, text);
  };

/** The content of a file of JSON is another one, written as these files are written. */
export const altered =
  (file: string, change: (value: Loose) => void): Damage =>
  (stage) => {
    const value: unknown = JSON.parse(stage.read(file));
    change(value);
    stage.write(file, `${JSON.stringify(value, null, 2)}\n`);
  };

export const put =
  (file: string, content: string | Buffer): Damage =>
  (stage) => {
    stage.write(file, "");
    writeFileSync(stage.path(file), content);
  };

export const removed =
  (file: string): Damage =>
  (stage) =>
    rmSync(stage.path(file), { recursive: true });

/** A folder has the name of the file. */
export const folder =
  (file: string): Damage =>
  (stage) => {
    rmSync(stage.path(file), { recursive: true, force: true });
    mkdirSync(stage.path(file), { recursive: true });
  };
