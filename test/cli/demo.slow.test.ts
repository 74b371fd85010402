import { existsSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { registry } from "../../src/kinds/index.ts";
import { planJsonSchema } from "../../src/plan/json-schema.ts";
import { documentOf } from "./support/document.ts";
import { useStage } from "./support/stage.ts";
import { inWhole } from "../support/whole.ts";

const stage = useStage();

test("plays the whole job: it moves, verifies, and a second run writes nothing", async () => {
  const { code, stdout, stderr } = await stage().ferry("demo --dir here");
  expect(code).toBe(0);
  expect(stderr).toBe("");
  expect(stdout).toContain("Once more: a second run writes nothing.");
  expect(stdout).toContain("verified; the last sync sent 0 writes.");
  expect(stdout.match(/Some objects need a person\. Verified what was done\./g)).toHaveLength(6);
  // Which master a new party would join is asked before, and what no request sets is left to a person.
  const plain = stdout.replaceAll(/\s+/g, " ");
  expect(plain).toMatch(/C-77 would join the master \d+ "Ada Lovelace" \(rule same_email, quality 1\)/);
  expect(plain).toContain("the row HOUSE: no request brings over the override of cmo_phone");
  // Nothing that its own plan says is advised to be corrected.
  expect(plain).not.toContain("in the plan. Origins there");
  // It ends with the proof: one monitor whose data differ, explained down to the rule instance.
  const proof = stdout.slice(stdout.indexOf("ferry parity demo --run"));
  expect(proof).toContain("Differs (1)");
  expect(proof).toMatch(/monitors "Harvest Club": 8\.14 points apart/);
  expect(proof).toContain("rule instance Number is present (on CUSTOMER_ID): 96.9 % (250 of 258) at dev");
  expect(proof).not.toContain("Not comparable");
  expect(proof).toMatch(/Says the same \(\d{2}\)/);
  expect(existsSync(/the comparison (\S+parity\.html)/.exec(stdout)?.[1] ?? "")).toBe(true);
  // What it points at is there.
  const report = /the report is (\S+report\.html)/.exec(stdout)?.[1] ?? "";
  expect(existsSync(report)).toBe(true);
  expect(existsSync(/the mapping (\S+dev--prod)/.exec(stdout)?.[1] ?? "")).toBe(true);
  const last = documentOf(readFileSync(report.replace(/html$/, "json"), "utf8"));
  expect(last.requests.target.writes).toBe(0);
  expect(last.summary).toMatchObject({ create: 0, update: 0, blocked: 0, failed: 0, inDoubt: 0, manual: 2 });
  // Editors take its plan, as the parser does.
  const validate = new Ajv().compile(planJsonSchema(registry.sections(), registry.selectable()));
  validate(parse(stage().read("here/plans/demo.yaml")));
  expect(validate.errors).toBeNull();
  // And the command that it ends with works from where the person stands, after the demo.
  const words = /also from here: ferry (.+)/.exec(stdout)?.[1] ?? "";
  const runs = await stage().ferry(words);
  expect({ code: runs.code, stdout: runs.stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining("ferry sync demo"),
  });
  // What the README shows of it is what it says.
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, excerpt = ""] = /plays the whole job[^`]*```\n([\s\S]*?)```/.exec(readme) ?? [];
  const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ");
  const lines = excerpt.split("\n").map((line) =>
    // How many names have room is the screen's.
    squeezed(line.trim()).replace(/(?:, [^,]+)*, \.\.\. and \d+ more$/, ","),
  );
  const made = squeezed(stdout);
  expect(lines.filter((line) => line !== "..." && !made.includes(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(30);
  // Its two environments are of its own.
  expect(stage().emulator.log.entries).toEqual([]);
});

inWhole("by npm, as in a clone, it ends with a command that npm runs", async () => {
  const env = { npm_lifecycle_event: "demo" };
  const { stdout } = await stage().ferry("demo --dir here", { env, terminal: true });
  expect(stdout).toMatch(/also from here: npm run --silent ferry -- runs .* --work-dir .* --mappings-dir /);
  // What it says itself a terminal does not break within a word.
  expect(stdout).toContain("6 dashboards; prod has 0 terms, 0\nrules, 40 monitors");
});

test("what an earlier one has mapped belongs to other environments: it needs a folder of its own", async () => {
  stage().write("here/mappings/dev--prod/terms.json", "{}");
  const { code, stdout } = await stage().ferry("demo --dir here");
  expect(code).toBe(64);
  expect(stdout).toMatch(/holds mappings already[\s\S]*Name a new folder with --dir/);
});
