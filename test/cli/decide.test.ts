import { rmSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { seedMonitor, seedStewardship, seedTerm } from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { inWhole } from "../support/whole.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** One drift or conflict is decided by itself, by a person who sees all three versions. */
const stage = useStage();
type Side = "dev" | "prod";

function edit(side: Side, name: string, change: object): void {
  const { terms } = stage()[side];
  const term = [...terms.values()].find(({ published }) => published?.name === name);
  if (term?.published === undefined) throw new Error(`${side} has no ${name}`);
  terms.put({ ...term, published: { ...term.published, ...change } });
}
const at = (side: Side, name: string): Readonly<Record<string, unknown>> | undefined =>
  [...stage()[side].terms.values()].find(({ published }) => published?.name === name)?.published;

const terms = { kinds: ["terms"] };

beforeEach(async () => {
  for (const name of ["Customer", "Order"])
    seedTerm(stage().dev, { name, description: `The ${name}.`, abbreviation: "X" });
  stage().plan({ select: terms });
  await stage().ferry("sync move --yes");
});

describe("a conflict", () => {
  beforeEach(() => {
    edit("dev", "Customer", { description: "Dev says." });
    edit("prod", "Customer", { description: "Prod says." });
  });

  test("shows its common base and who has changed what, in every format", async () => {
    const { changes } = await stage().json("diff move");
    expect(changes[0]).toMatchObject({
      action: "conflict",
      fields: [
        {
          path: "/description",
          from: "Prod says.",
          to: "Dev says.",
          base: { value: "The Customer." },
          movedAt: "both",
        },
      ],
    });
    const { stdout } = await stage().ferry("diff move");
    expect(stdout).toMatch(
      /! \/description \(changed at both\)\s+last applied {2}"The Customer\."\s+dev {11}"Dev says\."\s+prod {10}"Prod says\."/,
    );
    expect(stage().read("plans/move/report.md")).toContain('last applied: "The Customer."');
    expect(stage().read("plans/move/report.html")).toContain("The Customer.");
  });

  test("says where its common base would be known, where it is not", async () => {
    const told = async (): Promise<readonly object[]> =>
      (await stage().json("diff move")).diagnostics.filter(({ code }) => code === "no-common-base");
    expect(await told()).toEqual([]);
    // As on a runner that starts anew: the mapping comes from git, and this file does not.
    rmSync(stage().path("mappings/dev--prod/applied.ndjson"));
    expect(await told()).toEqual([
      expect.objectContaining({
        severity: "info",
        summary: "1 conflict is told without a common base: what was last applied is not known here",
        suggestion: expect.stringContaining("mappings/README.md"),
      }),
    ]);
    stage().plan({ select: terms, policy: { conflict: "merge" } });
    expect(await told()).toEqual([
      expect.objectContaining({
        severity: "warning",
        summary: expect.stringContaining("so nothing of it was merged"),
      }),
    ]);
    // What was never applied has no base anywhere, and nobody is sent to look for one.
    stage().plan({ select: terms });
    edit("dev", "Customer", { description: "Prod says." });
    expect(await told()).toEqual([]);
  });

  test("a decision about versions that are no longer there is told, and nothing follows from it", async () => {
    await stage().ferry("diff move");
    await stage().ferry("decide move Customer --take-source");
    edit("prod", "Customer", { description: "Prod says more." });
    const { changes } = await stage().json("diff move");
    expect(changes[0]?.action).toBe("conflict");
    expect(changes[0]?.reason).toMatch(
      /; what .+ decided on \S+ holds no longer, since it changed at prod after that$/,
    );
  });

  test("--take-source brings the source's there, once", async () => {
    await stage().ferry("diff move");
    const { code, stdout } = await stage().ferry("decide move Customer --take-source");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("1 decision kept") });
    expect(stage().read("mappings/dev--prod/_decided.json")).toContain('"choice": "take-source"');
    const done = await stage().json("sync move --yes");
    expect(done).toMatchObject({ exitCode: 0, summary: { update: 1, conflict: 0 } });
    expect(done.changes[0]?.reason).toMatch(/decided on .* to take the source's version/);
    expect(at("prod", "Customer")?.["description"]).toBe("Dev says.");
    expect(() => stage().read("mappings/dev--prod/_decided.json")).toThrow();
  });

  test("--keep-target leaves it, and it stays so until the source says something new of that very field", async () => {
    await stage().ferry("diff move");
    await stage().ferry("decide move terms:Customer --keep-target");
    stage().emulator.log.clear();
    expect(await stage().json("sync move --yes")).toMatchObject({
      exitCode: 0,
      summary: { adopt: 1, conflict: 0 },
    });
    expect(stage().writes()).toEqual([]);
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { unchanged: 2 } });
    // Another field of it changes: that one travels, and the decided one stays.
    edit("dev", "Customer", { abbreviation: "NEW" });
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    expect(at("prod", "Customer")).toMatchObject({ description: "Prod says.", abbreviation: "NEW" });
    expect(await stage().json("verify move")).toMatchObject({ exitCode: 0 });
    // The field itself changes: nobody has said whose version of that holds.
    edit("dev", "Customer", { description: "Dev says more." });
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 4, summary: { conflict: 1 } });
    expect(at("prod", "Customer")?.["description"]).toBe("Prod says.");
    await stage().ferry("decide move terms:Customer --take-source");
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    expect(at("prod", "Customer")?.["description"]).toBe("Dev says more.");
  });

  inWhole(
    "a decision is for the versions that were seen: one that moves on is asked about again",
    async () => {
      await stage().ferry("diff move");
      await stage().ferry("decide move Customer --take-source");
      edit("prod", "Customer", { description: "Prod says something else." });
      expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 4, summary: { conflict: 1 } });
      expect(at("prod", "Customer")?.["description"]).toBe("Prod says something else.");
    },
  );

  inWhole("one after the other at a terminal, with all versions", async () => {
    edit("prod", "Order", { description: "Changed here." });
    await stage().ferry("diff move");
    const { stderr, asked, code } = await stage().ferry("decide move", {
      terminal: true,
      answers: ["x", "T", ""],
    });
    // What is none of the answers is asked about once more.
    expect({ code, asked: asked.length }).toEqual({ code: 0, asked: 3 });
    expect(stderr).toContain("1 of 2: terms");
    expect(stderr).toMatch(/last applied {2}"The Customer\."/);
    expect(stderr).toContain("/description (changed at prod)");
    const result = await stage().json("diff move");
    expect(result.summary).toMatchObject({ update: 1, drift: 1 });
  });

  inWhole(
    "left with an interrupt nothing is decided, and it says that what was answered is not kept",
    async () => {
      edit("prod", "Order", { description: "Changed here." });
      await stage().ferry("diff move");
      const leaving = { terminal: true, leave: true, answers: ["k"] };
      const { code, stdout } = await stage().ferry("decide move", leaving);
      expect({ code, stdout }).toEqual({
        code: 5,
        stdout: expect.stringMatching(/what was answered\s+before is not kept/),
      });
      expect(stdout).not.toContain("nothing is lost");
      expect(() => stage().read("mappings/dev--prod/_decided.json")).toThrow();
    },
  );

  test("--undo takes it back; a list needs no terminal; mistakes are told", async () => {
    await stage().ferry("diff move");
    await stage().ferry("decide move Customer --keep-target");
    expect((await stage().ferry("decide move")).stdout).toMatch(/decided: keep-target/);
    expect((await stage().json("decide move Customer --undo")).headline).toBe("1 decision taken back.");
    expect((await stage().json("decide move Customer --undo")).headline).toContain("nothing to take back");
    expect((await stage().json("diff move")).summary).toMatchObject({ conflict: 1 });
    expect((await stage().ferry("decide move Custmer --undo")).stdout).toContain("Did you mean Customer?");
    expect((await stage().ferry("decide move Customer --undo --keep-target")).code).toBe(64);
    expect((await stage().ferry("decide move --keep-target")).code).toBe(64);
  });

  inWhole(
    "is found again after the diff that its decision asks for: taken back, or decided otherwise",
    async () => {
      await stage().ferry("diff move");
      await stage().ferry("decide move Customer --take-source");
      expect((await stage().json("diff move")).summary).toMatchObject({ update: 1 });
      const { headline, next } = await stage().json("decide move");
      expect(headline).toContain("1 decision waits for the next apply");
      expect(next).toEqual([expect.stringMatching(/^ferry decide move terms:urn:\S+ --undo$/)]);
      expect(await stage().json("decide move Customer --keep-target")).toMatchObject({ exitCode: 0 });
      expect(await stage().json("diff move")).toMatchObject({ summary: { adopt: 1, update: 0 } });
      expect(await stage().json((next?.[0] ?? "").split(" ").slice(1))).toMatchObject({
        headline: "1 decision taken back.",
      });
      expect(await stage().json("diff move")).toMatchObject({ summary: { conflict: 1 } });
      expect((await stage().json("decide move")).headline).toBe(
        "1 object of the last diff has two versions.",
      );
    },
  );

  inWhole("a decision that holds no longer, or is about what is gone, can be taken back", async () => {
    edit("prod", "Order", { description: "Changed here." });
    await stage().ferry("diff move");
    await stage().ferry(["decide", "move", "*", "--take-source"]);
    edit("prod", "Customer", { description: "Prod says more." });
    const order = [...stage().dev.terms.values()].find(({ published }) => published?.name === "Order");
    stage().dev.terms.delete(order?.urn ?? "");
    await stage().ferry("diff move");
    expect((await stage().json(["decide", "move", "*", "--undo"])).headline).toBe("2 decisions taken back.");
    expect(() => stage().read("mappings/dev--prod/_decided.json")).toThrow();
  });

  inWhole("a decision that came with the mapping is found without a diff of one's own", async () => {
    await stage().ferry("diff move");
    await stage().ferry("decide move Customer --take-source");
    rmSync(stage().path("plans/move/diff.json"));
    expect((await stage().ferry("decide move")).stdout).toContain("take-source, by ");
    expect(await stage().json("decide move Customer --undo")).toMatchObject({
      headline: "1 decision taken back.",
    });
    expect(await stage().json("decide move")).toMatchObject({ exitCode: 64 });
  });

  inWhole(
    "a URN that several things are contested under decides none of them, and what the diff advises does",
    async () => {
      const [here, there] = (["dev", "prod"] as const).map((side) =>
        [...stage()[side].terms.values()].find(({ published }) => published?.name === "Customer"),
      );
      const group = (side: Side, name: string): Urn => {
        const groups = stage()[side].entities.valuesIn("type:group");
        const found = groups.find(({ properties }) => properties["name"] === name);
        if (found === undefined) throw new Error(`${side} has no group ${name}`);
        return found.urn;
      };
      if (here === undefined || there === undefined) throw new Error("Customer is not there");
      seedStewardship(stage().dev, { entityUrn: here.urn, groupUrn: group("dev", "Customer domain") });
      seedStewardship(stage().prod, { entityUrn: there.urn, groupUrn: group("prod", "Data stewards") });
      stage().plan({ select: { kinds: ["terms", "stewardship"] } });
      const { changes } = await stage().json("diff move");
      expect(changes.map(({ action, kind }) => `${action} ${kind}`).toSorted()).toEqual([
        "conflict stewardship",
        "conflict terms",
      ]);
      const { code, stdout } = await stage().ferry(`decide move ${here.urn} --take-source`);
      expect(code).toBe(64);
      expect(stdout).toMatch(/contested as\s+several things: terms, stewardship/);
      const advised = changes.map(
        ({ diagnostics }) => /`(ferry decide [^`]+)`/.exec(diagnostics[0]?.suggestion ?? "")?.[1],
      );
      expect(new Set(advised)).toEqual(
        new Set([`ferry decide move stewardship:${here.urn}`, `ferry decide move terms:${here.urn}`]),
      );
      await stage().ferry(`decide move stewardship:${here.urn} --take-source`);
      expect(await stage().json("sync move --yes")).toMatchObject({ summary: { update: 1, conflict: 1 } });
      expect(at("prod", "Customer")?.["description"]).toBe("Prod says.");
    },
  );

  inWhole("needs no secrets and no network", async () => {
    await stage().ferry("diff move");
    stage().emulator.log.clear();
    const env = { DEV_CLIENT_SECRET: undefined, PROD_CLIENT_SECRET: undefined };
    expect((await stage().ferry("decide move Customer --keep-target", { env })).code).toBe(0);
    expect(stage().emulator.log.entries).toEqual([]);
  });
});

describe("a conflict over a part without a name", () => {
  test("says who has changed it, in whichever order the service lists the parts", async () => {
    const [item] = [...stage().dev.items.values()];
    if (item === undefined) throw new Error("the scenario has no item");
    const overallDqThresholds = { low: { value: 90 }, high: { value: 99 } };
    const { urn } = seedMonitor(stage().dev, {
      catalogItemUrn: item.urn,
      name: "Watch",
      overallDqThresholds,
    });
    stage().plan({ select: { kinds: ["monitors"], include: [{ kind: "monitors", name: "Watch" }] } });
    await stage().ferry("sync move --yes");
    const change = (side: Side, high: number): void => {
      const monitor = [...stage()[side].monitors.values()].find(
        ({ published }) => published?.["name"] === "Watch",
      );
      if (monitor?.published === undefined) throw new Error(`${side} has no monitor`);
      const parts = Object.entries(
        monitor.published["overallDqThresholds"] as Readonly<Record<string, object>>,
      );
      const moved = parts.map(([key, part]): [string, object] =>
        "value" in part && part.value === 99 ? [key, { ...part, value: high }] : [key, part],
      );
      if (side === "dev") moved.reverse();
      const published = { ...monitor.published, overallDqThresholds: Object.fromEntries(moved) };
      stage()[side].monitors.put({ ...monitor, published } as typeof monitor);
    };
    change("dev", 98);
    change("prod", 97);
    const { changes } = await stage().json("diff move");
    const conflict = changes.find(({ source }) => source?.urn === urn);
    expect(conflict).toMatchObject({
      action: "conflict",
      fields: [{ from: 97, to: 98, base: { value: 99 }, movedAt: "both" }],
    });
  });
});

describe("policy.conflict: merge", () => {
  beforeEach(() => stage().plan({ select: terms, policy: { conflict: "merge" } }));

  test("what each side alone has changed is merged, and stays so", async () => {
    edit("dev", "Customer", { description: "Dev says." });
    edit("prod", "Customer", { abbreviation: "P" });
    const done = await stage().json("sync move --yes");
    expect(done).toMatchObject({ exitCode: 0, summary: { update: 1, conflict: 0 } });
    expect(done.changes[0]?.fields.map(({ path }) => path)).toEqual(["/description"]);
    expect(at("prod", "Customer")).toMatchObject({ description: "Dev says.", abbreviation: "P" });
    stage().emulator.log.clear();
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { unchanged: 2 } });
    expect(await stage().json("verify move")).toMatchObject({ exitCode: 0 });
    expect(stage().writes()).toEqual([]);
    // A later change of the source leaves what was merged.
    edit("dev", "Customer", { description: "Dev says more." });
    await stage().ferry("sync move --yes");
    expect(at("prod", "Customer")).toMatchObject({ description: "Dev says more.", abbreviation: "P" });
  });

  test("a field that both have changed is a conflict, and nothing of the object is written", async () => {
    edit("dev", "Customer", { description: "Dev says.", abbreviation: "D" });
    edit("prod", "Customer", { description: "Prod says." });
    stage().emulator.log.clear();
    const { exitCode, changes } = await stage().json("sync move --yes");
    expect(exitCode).toBe(4);
    expect(changes[0]?.fields.map(({ path, movedAt }) => [path, movedAt])).toEqual(
      expect.arrayContaining([
        ["/description", "both"],
        ["/abbreviation", "source"],
      ]),
    );
    expect(stage().writes()).toEqual([]);
  });

  inWhole("parts of a rule, too, under the keys that each side has given them", async () => {
    furnish(stage().dev);
    stage().plan({ select: { kinds: ["rules"] }, policy: { conflict: "merge" } });
    await stage().ferry("sync move --yes");
    const change = (side: Side, edited: (text: string) => string): void => {
      const [rule] = [...stage()[side].rules.values()];
      if (rule?.published === undefined) throw new Error(`${side} has no rule`);
      const published = JSON.parse(edited(JSON.stringify(rule.published))) as typeof rule.published;
      stage()[side].rules.put({ ...rule, published });
    };
    change("dev", (text) => text.replace('"name":"Email is filled"', '"name":"Email is there"'));
    change("prod", (text) => text.replace("value is null", "value is null or value = ''"));
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0, summary: { update: 1 } });
    const merged = JSON.stringify([...stage().prod.rules.values()].map(({ published }) => published));
    expect(merged).toContain("Email is there");
    expect(merged).toContain("value is null or value = ''");
    stage().emulator.log.clear();
    expect(await stage().json("sync move --yes")).toMatchObject({
      exitCode: 0,
      summary: { update: 0, conflict: 0 },
    });
    expect(stage().writes()).toEqual([]);
  });

  inWhole("where what was applied last is not known, nothing is merged", async () => {
    edit("dev", "Customer", { description: "Dev says." });
    edit("prod", "Customer", { abbreviation: "P" });
    stage().write("mappings/dev--prod/applied.ndjson", "not a line of it\n");
    expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 4, summary: { conflict: 1 } });
    expect(at("prod", "Customer")).toMatchObject({ description: "The Customer.", abbreviation: "P" });
  });
});
