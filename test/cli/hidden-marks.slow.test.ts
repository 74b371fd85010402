import { expect, test } from "vitest";
import { parse } from "yaml";
import { seedTerm } from "../../src/emulator/seed.ts";
import { rewritePlan } from "../../src/cli/rewrite-plan.ts";
import { registry } from "../../src/kinds/index.ts";
import { loadPlan } from "../../src/plan/load.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2060-\u2069]/u;

test.each([
  "b\u001b]0;owned\u0007",
  "x\u202edlrow\u2066",
  "nul\u0000",
  "one\u0085acknowledged: []",
  "one\u2028policy: {}",
  "a\rpolicy: x",
  "tab\u007f",
])(
  "an acknowledged name %j is asked about and written as it is shown, and the plan stays a plan",
  async (name) => {
    seedTerm(stage().dev, { name, description: "d" });
    seedTerm(stage().prod, { name, description: "other" });
    stage().plan();
    await stage().ferry("diff move");
    const { code, asked } = await stage().ferry(["ack", "move", "terms:*"], {
      terminal: true,
      answers: ["known\u202e"],
    });
    expect([code, asked.filter((question) => hidden.test(question))]).toEqual([0, []]);
    const plan = stage().read("plans/move.yaml");
    expect(hidden.test(plan)).toBe(false);
    expect(parse(plan)).toMatchObject({ acknowledged: [{ kind: "terms", reason: "known\u202e" }] });
    expect((await stage().ferry("diff move")).code).toBe(0);
  },
);

test("what would make a plan one that no command reads is not written", async () => {
  stage().plan();
  const before = stage().read("plans/move.yaml");
  // A name that holds such a mark, as an edit without an escape would have brought it.
  const path = stage().path("plans/move.yaml");
  const loaded = loadPlan({
    plan: path,
    folder: stage().path("plans"),
    env: {},
    offline: true,
    selectable: registry.selectable(),
    sections: registry.sections(),
  });
  await expect(rewritePlan(loaded, (text) => `${text}# \u001b\n`, { work: stage().folder })).rejects.toThrow(
    "would not be a plan any more with what was to be written, and was left as it is: there is a mark",
  );
  expect(stage().read("plans/move.yaml")).toBe(before);
});

test("files that are committed hold no such mark, and one of before is not written again for it", async () => {
  const name = "x\u202e\u0085\u00ad\u{e0041}y ##[group]";
  seedTerm(stage().dev, { name, description: "d" });
  stage().plan();
  const files = ["mappings/dev--prod/terms.json", "plans/move/diff.json"];
  const raw = /[\u007f-\u009f\u00ad\u202e\u{e0041}]|##\[/u;
  await stage().ferry("diff move");
  expect(stage().read(files[1] ?? "")).toContain("x\\u202e\\u0085\\u00ad\\udb40\\udc41y \\u0023#[group]");
  expect((await stage().ferry("apply move --yes")).code).toBe(0);
  for (const file of files) expect(raw.test(stage().read(file)), file).toBe(false);
  const [mapping = ""] = files;
  const written = stage().read(mapping);
  expect(JSON.stringify(JSON.parse(written))).toContain(JSON.stringify(name).slice(1, -1));
  // As it was written before.
  const before = written.replace("x\\u202e\\u0085\\u00ad\\udb40\\udc41y \\u0023#[group]", name);
  expect(before).not.toBe(written);
  for (const text of [written, before]) {
    stage().write(mapping, text);
    const again = await stage().ferry("sync move --yes");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Nothing to do")]);
    expect(stage().read(mapping)).toBe(text);
  }
});
