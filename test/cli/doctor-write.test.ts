import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** What the plan pairs, held against what is there. */
const stage = useStage();
const path = (): string => join(stage().folder, "plans/move.yaml");

interface Advice {
  readonly code: string;
  readonly summary: string;
  readonly suggestion?: string;
}

/** The plan with a pairing section as a person writes it. */
function pairedBy(section: string): void {
  stage().plan({ pairing: undefined });
  const text = readFileSync(path(), "utf8");
  writeFileSync(path(), `# The night job runs this.\n${text}\n${section}`);
}

const wrong = `pairing:
  # as the catalog team calls them
  sources:
    "Snowflake DEV": "Snowflake PRD" # since May
    Shop Postgres DEV: Shop Postgres PROD
  paths:
    - { pattern: ^DEV_, replace: PROD_ }
`;

beforeEach(() => {
  furnish(stage().dev);
});

describe("a right-hand side that names nothing at the target", () => {
  test.each(["doctor", "diff"])("is told by %s, with the nearest", async (command) => {
    pairedBy(wrong);
    const { diagnostics } = (await stage().json(`${command} move`)) as unknown as { diagnostics: Advice[] };
    expect(diagnostics.filter(({ code }) => code === "pairing-not-there")).toMatchObject([
      {
        summary: 'pairing.sources: "Snowflake PRD" is not there at prod; nearest: "Snowflake PROD"',
        suggestion: expect.stringContaining('"Snowflake DEV": "Snowflake PROD"'),
      },
    ]);
  });

  test("is none where it is there", async () => {
    pairedBy(wrong.replace("Snowflake PRD", "Snowflake PROD"));
    const { diagnostics } = (await stage().json("doctor move")) as unknown as { diagnostics: Advice[] };
    expect(diagnostics.filter(({ code }) => code === "pairing-not-there")).toEqual([]);
  });
});

test("what is the twin of another source is no guess, and is not written into the plan", async () => {
  const there = stage()
    .prod.entities.valuesIn("type:source")
    .find(({ properties }) => properties["name"] === "Snowflake PROD");
  if (there === undefined) throw new Error("prod has that source");
  stage().prod.entities.put({ ...there, properties: { ...there.properties, name: "Lakehouse" } });
  stage().plan();
  const { details, diagnostics } = await stage().json("doctor move --write");
  expect((details as { written?: object[] }).written).toBeUndefined();
  const found = (diagnostics as unknown as Advice[]).filter(({ code }) => code === "pairing-not-there");
  expect(found).toMatchObject([{ summary: 'pairing.sources: "Snowflake PROD" is not there at prod' }]);
  expect(JSON.stringify(details)).not.toContain('a guess by name: \\"');
});

describe("ferry doctor --write", () => {
  test("puts what it guesses into the plan, and leaves everything else as it was written", async () => {
    pairedBy(wrong);
    const before = readFileSync(path(), "utf8");
    let told: Awaited<ReturnType<ReturnType<typeof stage>["json"]>> | undefined;
    const written = async (): Promise<readonly object[] | undefined> => {
      told = await stage().json("doctor move --write");
      return (told.details as { written?: object[] }).written;
    };
    expect(await written()).toContainEqual({
      section: "sources",
      source: "Snowflake DEV",
      target: "Snowflake PROD",
      replaces: true,
    });
    const after = readFileSync(path(), "utf8");
    expect(told).toMatchObject({ headline: expect.stringContaining("put into the plan") });
    expect(told?.headline).not.toContain("Without a twin: 1 source");
    const { diagnostics } = told as unknown as { diagnostics: Advice[] };
    expect(diagnostics.map(({ summary }) => summary).join("\n")).not.toContain('"Snowflake DEV"');
    const lines = after.split("\n");
    expect(lines).toContain('    "Snowflake DEV": "Snowflake PROD" # since May');
    const kept = before.split("\n").filter((line) => !line.includes("Snowflake PRD"));
    expect(lines.filter((line) => kept.includes(line))).toEqual(kept);
    expect(await written()).toBeUndefined();
    expect(readFileSync(path(), "utf8")).toBe(after);
  });

  test("without it nothing is written, and the command that does is named", async () => {
    pairedBy(wrong);
    const before = readFileSync(path(), "utf8");
    const { stdout } = await stage().ferry("doctor move");
    expect(stdout).toContain("ferry doctor move --write");
    expect(readFileSync(path(), "utf8")).toBe(before);
  });

  test("a plan that it cannot add to stays as it is, and the line to add by hand is told", async () => {
    pairedBy("pairing:\n  ? sources\n  : Snowflake DEV: Snowflake PRD\n");
    const before = readFileSync(path(), "utf8");
    const { code, stdout } = await stage().ferry("doctor move --write");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("under pairing.");
    expect(code).toBe(64);
    expect(readFileSync(path(), "utf8")).toBe(before);
  });
});
