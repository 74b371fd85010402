import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { exitExplanations } from "../../src/model/codes/exits.ts";
import { codes, explanationOf } from "../../src/model/codes/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { readModules } from "../architecture/modules.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** The compiler holds that each code in use has an entry; this is the other way round. */
test("no code is explained that nothing says", () => {
  const sources = readModules("src")
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("src/model/codes/") && !path.startsWith("src/emulator/"))
    .map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"))
    .join("\n");
  const said = (code: string): boolean =>
    code === "doctor-*" ? sources.includes("`doctor-${") : sources.includes(`"${code}"`);
  expect(Object.keys(codes).filter((code) => !said(code))).toEqual([]);
});

test("each says what it means, why, and what to do, in whole sentences; no two are the same", () => {
  const all = [...Object.entries(codes), ...Object.entries(exitExplanations)];
  const poor = all.filter(([, entry]) =>
    [entry.means, entry.why, entry.act].some((text) => !/^[-A-Z`a-z].*[.]$/s.test(text)),
  );
  expect(poor.map(([code]) => code)).toEqual([]);
  expect(new Set(Object.values(codes).map(({ means }) => means)).size).toBe(Object.keys(codes).length);
});

test("commands that are named there exist", async () => {
  const texts = [...Object.values(codes), ...Object.values(exitExplanations)].flatMap((entry) =>
    Object.values(entry),
  );
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bferry ([a-z]+)(?= (?:PLAN|--))/g)].map(([, name]) => name)),
  );
  const { stdout } = await stage().ferry("--help");
  for (const name of named) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
});

test("an exit code that several commands end with is explained for each of them", async () => {
  const { stdout } = await stage().ferry("explain 7");
  for (const word of ["Verify", "parity", "approved diff", "gone", "--max-deletes"])
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(word);
  const row = readFileSync(new URL("../../src/cli/README.md", import.meta.url), "utf8")
    .split("\n")
    .find((line) => line.startsWith("| 7 |"));
  for (const word of ["verify", "parity", "approved diff", "gone", "--max-deletes"])
    expect(row).toContain(word);
});

describe("ferry explain", () => {
  test.each(Object.keys(codes).filter((code) => !code.includes("*")))("%s", async (code) => {
    const { code: exit, stdout, stderr } = await stage().ferry(["explain", code]);
    const entry = explanationOf(code);
    expect([exit, stderr]).toEqual([0, ""]);
    for (const text of [code, entry?.means, entry?.why, entry?.act]) expect(stdout).toContain(text);
  });

  test.each(Object.values(exitCodes))("exit code %d", async (number) => {
    const { code, stdout } = await stage().ferry(["explain", String(number)]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${number}: [A-Z]`));
  });

  // What a report says of an object, and how a command ends that was not left to end, is asked about as well.
  test.each(["manual", "adopt", "replace", "129", "130", "137", "143"])("%s", async (word) => {
    const { code, stdout } = await stage().ferry(["explain", word]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${word}: [A-Z].*\\n +Why: .*\\n +What to do: `));
  });

  test("the checks of the doctor share one entry", async () => {
    const { stdout } = await stage().ferry("explain doctor-sign-in");
    expect(stdout).toContain(codes["doctor-*"].means);
  });

  test("alone it lists all of them", async () => {
    const { code, stdout } = await stage().ferry("explain");
    expect(code).toBe(0);
    for (const known of [...Object.keys(codes), ...Object.values(exitCodes).map(String)])
      expect(stdout.split("\n").some((line) => line.startsWith(`  ${known} `))).toBe(true);
  });

  test.each([["explain"], ["explain", "130"]])(
    "%s %s: a terminal gets no line that it would break",
    async (...words) => {
      const { stdout } = await stage().ferry(words, { terminal: true });
      expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
      const { stdout: whole } = await stage().ferry(words);
      expect(stdout.replaceAll(/\s+/g, " ")).toBe(whole.replaceAll(/\s+/g, " "));
    },
  );

  test("its codes are shown with -v, beside what they are about", async () => {
    stage().plan({ policy: { adopt: "by-nmae" } });
    expect((await stage().ferry("diff move -v")).stdout).toMatch(/error \[plan\]: /);
    expect((await stage().ferry("diff move")).stdout).not.toContain("[plan]");
  });

  test("one that is none: what was meant", async () => {
    const { code, stdout } = await stage().ferry("explain drfit");
    expect(code).toBe(64);
    expect(stdout).toContain("Did you mean drift?");
    expect((await stage().ferry("explain 42")).stdout).toContain("ferry explain");
  });
});
