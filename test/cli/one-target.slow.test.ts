import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { PlanText } from "./support/stage.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** One target, one run at a time: whichever plans, from whichever sources, under whichever name. */
const stage = useStage();
const program = fileURLToPath(new URL("support/holder.ts", import.meta.url));
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
});

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "close");
}

/** A process of its own that runs a command up to its locks. */
async function holder(words: string): Promise<ChildProcess> {
  const env = { ...process.env, ...stage().env };
  const child = spawn(process.execPath, [program, ...words.split(" ")], {
    cwd: stage().folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  while (!said.includes("held\n")) {
    if (child.exitCode !== null) throw new Error(`it is not held: ${said}`);
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }
  return child;
}

const fromElsewhere: PlanText = { source: { name: "test" } };
const every = (plan: string): readonly string[] => [
  `apply ${plan} --yes`,
  `sync ${plan} --yes`,
  `resolve ${plan}`,
  `rollback ${plan} --yes`,
  `mappings ${plan} remove urn:a`,
];

async function expectLocked(commands: readonly string[], plan: string): Promise<void> {
  for (const command of commands) {
    const { exitCode, diagnostics } = await stage().json(command);
    expect(exitCode, command).toBe(8);
    expect(diagnostics[0]?.summary).toMatch(
      new RegExp(`the run \\S+ of the plan "${plan}" of .+ is working on`),
    );
  }
}

describe("two plans from different sources", () => {
  test.each([
    ["move", "other"],
    ["other", "move"],
  ])("while %s is at work %s is refused, and the message says which is", async (first, second) => {
    furnish(stage().dev);
    stage().plan();
    stage().plan(fromElsewhere, "other");
    const child = await holder(`apply ${first} --yes`);
    const before = stage().emulator.log.entries.length;
    await expectLocked(every(second), first);
    await expectLocked(every(first), first);
    expect(stage().emulator.log.entries).toHaveLength(before);
    // Looking needs no lock, and shows who has it.
    const looked = await stage().json(`status ${second}`);
    expect(looked.exitCode).toBe(0);
    expect(JSON.stringify(looked)).toContain(`"plan":"${first}"`);
    expect(looked.headline).toContain(`A run is at work at the target: the run `);
    expect(looked.headline).toContain(`of the plan "${first}"`);
    expect(await stage().json(`status ${first}`)).toMatchObject({ exitCode: 8 });
    expect((await stage().json(`diff ${second}`)).exitCode).toBe(0);

    await killed(child);
    expect(await stage().json(`apply ${second} --yes`)).toMatchObject({ exitCode: 0 });
    expect(await stage().json(`apply ${first} --yes`)).toMatchObject({ exitCode: 0 });
  });

  test("also when one of them spells the target in another way, or calls it by another name", async () => {
    furnish(stage().dev);
    stage().plan();
    const { port, pathname } = new URL(stage().emulator.baseUrl("prod"));
    const baseUrl = `HTTP://127.0.0.1:${port}${pathname}//`;
    const authUrl = stage().emulator.baseUrl("prod");
    stage().plan({ ...fromElsewhere, target: { name: "production", baseUrl, authUrl } }, "other");
    await holder("apply move --yes");
    await expectLocked(every("other"), "move");
  });

  test("onto different targets do not wait for each other", async () => {
    furnish(stage().dev);
    stage().plan();
    // The same tenant's name at another address, and another tenant at the same one.
    const swapped = { source: stage().environment("prod"), target: stage().environment("dev") };
    stage().plan(swapped, "other");
    await holder("apply move --yes");
    expect((await stage().json("resolve other")).exitCode).toBe(0);
    expect((await stage().json("apply other --yes")).exitCode).not.toBe(8);
  });
});

test("a run that is refused leaves no lock behind, whichever of the two was taken", async () => {
  furnish(stage().dev);
  stage().plan();
  stage().plan(fromElsewhere, "other");
  const child = await holder("apply move --yes");
  await expectLocked(["apply other --yes"], "move");
  await killed(child);
  expect((await stage().json("apply move --yes")).exitCode).toBe(0);
  expect((await stage().json("apply other --yes")).exitCode).toBe(0);
  const locks = readdirSync(stage().path("mappings", ".locks"));
  expect(locks).toEqual([expect.stringMatching(/^localhost-\d+-[0-9a-f]{16}$/)]);
  for (const pair of ["dev--prod", "test--prod"])
    expect(existsSync(stage().path("mappings", pair, "lock.holder"))).toBe(false);
});
