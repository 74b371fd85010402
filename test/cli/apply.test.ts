import { beforeEach, describe, expect, test } from "vitest";
import type { Little } from "./support/little.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";
import { inWhole } from "../support/whole.ts";

/** Nothing is written before somebody has agreed to it, and nothing is deleted by surprise. */
const stage = useStage();
let little: Little;

beforeEach(() => {
  little = furnish(stage().dev);
  stage().plan();
});

describe("the question", () => {
  test.each(["apply", "sync"])("%s shows the diff on stderr and asks for yes", async (command) => {
    const { code, asked, stdout, stderr } = await stage().ferry(`${command} move`, {
      terminal: true,
      answers: ["yes"],
    });
    expect(asked).toEqual([expect.stringMatching(/^Apply this to prod \(http:.*\)\? Type yes: $/)]);
    expect(stderr).toContain("Email is filled");
    expect(stdout).toContain("5 changes made.");
    expect(code).toBe(0);
  });

  test.each(["no", "", "y", "YES", "ye", "yes please"])('"%s" is not yes', async (answer) => {
    const { code, stdout } = await stage().ferry("apply move", { terminal: true, answers: [answer] });
    expect(code).toBe(1);
    expect(stdout).toContain("not confirmed; nothing was written");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("run the same command again and type yes.");
    expect(stage().writes()).toEqual([]);
    expect(stage().prod.counts()).toMatchObject({ terms: 0, rules: 0 });
  });

  inWhole("whoever said no has declined it, and nothing has failed", async () => {
    await stage().ferry("apply move", { terminal: true, answers: ["no"] });
    const { stdout } = await stage().ferry("runs move");
    expect(stdout).toMatch(/ferry apply move by \S+: declined \([^()]+\)$/m);
    expect(stdout).not.toContain("failed");
  });

  test("the word of the plan, and no other", async () => {
    stage().plan({ target: { confirm: "PROD really" } });
    const refused = await stage().ferry("apply move", { terminal: true, answers: ["yes"] });
    expect(refused.asked).toEqual([expect.stringContaining("Type PROD really: ")]);
    expect(refused.code).toBe(1);
    expect(stage().writes()).toEqual([]);
    const taken = await stage().ferry("apply move", { terminal: true, answers: ["  PROD really "] });
    expect(taken.code).toBe(0);
  });

  test("--yes needs no word", async () => {
    stage().plan({ target: { confirm: "prod" } });
    const { code, asked } = await stage().ferry("apply move --yes", { terminal: true });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
  });

  test("where there is nothing to write nobody is asked", async () => {
    await stage().ferry("apply move --yes");
    const { code, asked } = await stage().ferry("apply move", { terminal: true });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
  });

  test("with --json the question is on stderr and the document alone on stdout", async () => {
    expect(await stage().json("apply move", { terminal: true, answers: ["yes"] })).toMatchObject({
      exitCode: 0,
    });
  });
});

describe("what is gone at the source", () => {
  beforeEach(async () => {
    expect((await stage().ferry("sync move --yes")).code).toBe(0);
    stage().dev.terms.delete(little.terms.order);
    stage().dev.terms.delete(little.terms.customer);
    stage().emulator.log.clear();
  });

  test("--yes alone never deletes: it is withheld, and the next step is named", async () => {
    for (const command of ["apply", "sync"]) {
      const { summary, changes, next } = await stage().json(`${command} move --yes`);
      expect(summary.delete).toBe(2);
      expect(changes.map(({ action, outcome }) => `${action} ${outcome ?? ""}`)).toEqual([
        "delete withheld",
        "delete withheld",
      ]);
      expect(next).toContain(`ferry ${command} move --allow-delete`);
    }
    expect(stage().writes()).toEqual([]);
    expect(stage().prod.counts().terms).toBe(2);
  });

  inWhole("--allow-delete without --yes asks, and shows the deletes loudly", async () => {
    const { code, asked, stderr } = await stage().ferry("apply move --allow-delete", {
      terminal: true,
      answers: ["no"],
    });
    expect(code).toBe(1);
    expect(asked).toHaveLength(1);
    expect(stderr).toMatch(/!!! .*DELETE.* \(2\) !!!/);
    expect(stage().prod.counts().terms).toBe(2);
  });

  test("--allow-delete --yes deletes", async () => {
    const { exitCode, changes } = await stage().json("apply move --yes --allow-delete");
    expect(exitCode).toBe(0);
    expect(changes.map(({ action, outcome }) => `${action} ${outcome ?? ""}`)).toEqual([
      "delete done",
      "delete done",
    ]);
    expect(stage().prod.counts().terms).toBe(0);
    expect(await stage().json("sync move --yes --allow-delete")).toMatchObject({ exitCode: 0, changes: [] });
  });

  test("more than --max-deletes: nothing at all is done", async () => {
    const { exitCode, diagnostics } = await stage().json("apply move --yes --allow-delete --max-deletes 1");
    expect(exitCode).toBe(7);
    expect(diagnostics[0]?.summary).toContain("--max-deletes 1");
    expect(stage().writes()).toEqual([]);
    expect(await stage().json("apply move --yes --allow-delete --max-deletes 2")).toMatchObject({
      exitCode: 0,
    });
  });

  inWhole("--max-deletes 0 is a number like any other", async () => {
    expect(await stage().json("apply move --yes --allow-delete --max-deletes 0")).toMatchObject({
      exitCode: 7,
    });
    expect(stage().prod.counts().terms).toBe(2);
  });

  inWhole("a listing that is cut short deletes nothing", async () => {
    stage().emulator.faults.add({
      match: { tenant: "dev", route: "GET /api/catalog/v1/terms" },
      effect: { type: "truncate" },
      when: { times: 3 },
    });
    const { exitCode } = await stage().json("diff move");
    expect(exitCode).toBe(0);
    stage().dev.restrict("catalog", { read: false });
    expect(await stage().json("apply move --yes --allow-delete")).toMatchObject({ exitCode: 3 });
    expect(stage().prod.counts().terms).toBe(2);
  });
});
