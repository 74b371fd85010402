import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { leaks } from "./support/leaks.ts";
import type { Passing, Proxied } from "./support/proxy.ts";
import { startProxy } from "./support/proxy.ts";
import { secrets, useStage } from "./support/stage.ts";
import { allOr, inWhole } from "../support/whole.ts";

/**
 * Promise 8: secrets stay out of every file, log, report and error, though the service says them aloud. What is said
 * here is checked after each test, in all files and on both outputs.
 */
const stage = useStage();
let proxy: Awaited<ReturnType<typeof startProxy>> | undefined;

beforeEach(() => {
  furnish(stage().dev);
});
afterEach(async () => {
  await proxy?.close();
});

/** A target that echoes what it was sent and what it knows where `says` is so. */
async function behind(says: (request: Passing) => boolean, status = 400): Promise<void> {
  const instead = (request: Passing): Proxied | undefined => {
    if (!says(request)) return undefined;
    const echo = [request.body, request.authorization, ...Object.values(secrets)].join(" | ");
    const problem = {
      type: "ECHO",
      title: echo,
      detail: echo,
      errors: [{ detail: echo, pointer: `#/${echo}` }],
    };
    return { status, body: JSON.stringify({ ...problem, error: "invalid_client", error_description: echo }) };
  };
  proxy = await startProxy(stage().emulator.url, instead);
  stage().plan({ target: { baseUrl: `${proxy.url}/prod` } });
}

const loud = allOr(
  ["", " -v", " -vv", " --json -vv", " -vv --log-format json"],
  (flags) => flags.startsWith(" -vv") || flags.startsWith(" --json"),
);

test.each(loud)("a sign-in that echoes the secret, with%s", async (flags) => {
  await behind(({ path }) => path.endsWith("/token"), 401);
  for (const command of ["doctor move", "sync move --yes"]) {
    const { code, stdout } = await stage().ferry(command + flags);
    expect(code).toBe(3);
    expect(stdout).toContain("***");
  }
});

test.each(loud)("a list that is refused with an echo, with%s", async (flags) => {
  await behind(({ path }) => path.includes("/data-quality/v1/rules"), 403);
  const { code, stdout } = await stage().ferry(`diff move${flags}`);
  expect(code).toBe(3);
  expect(stdout).toContain("***");
});

test.each(loud)("a write that is refused with an echo, with%s", async (flags) => {
  await behind(({ path }) => path.endsWith("/terms/bulk"));
  const { code, stdout } = await stage().ferry(`apply move --yes${flags}`);
  expect(code).toBe(4);
  expect(stdout).toContain("***");
  // The reason is kept in the journal, the events and the reports: without the secret.
  expect(stage().read("plans/move/report.json")).toContain("***");
  expect(stage().read("plans/move/run.ndjson")).toContain("***");
});

inWhole("an item of a batch that is refused with an echo", async () => {
  await behind(({ path }) => path.endsWith("/rules/batch/create"), 207);
  await stage().ferry("apply move --yes -vv", { env: { GITHUB_ACTIONS: "true" } });
});

inWhole("secrets from a file of variables stay out too", async () => {
  stage().plan();
  const line = (name: string, value: string): string => `${name}='${value}'\n`;
  stage().write("ci.env", line("DEV_CLIENT_SECRET", secrets.dev));
  const env = { DEV_CLIENT_SECRET: undefined };
  expect((await stage().ferry("sync move --yes --env-file ci.env -vv", { env })).code).toBe(0);
});

test("the search itself finds a secret in every shape", () => {
  const find = (content: string): readonly string[] => {
    stage().write("plans/move/found.txt", content);
    const found = leaks(stage().folder, [content], Object.values(secrets));
    stage().write("plans/move/found.txt", "");
    return found;
  };
  for (const secret of Object.values(secrets)) {
    for (const shape of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify({ secret }),
      JSON.stringify(JSON.stringify({ secret })),
      new URLSearchParams({ secret }).toString(),
      Buffer.from(secret).toString("base64"),
    ]) {
      expect(find(`before ${shape} after`)).toHaveLength(2);
    }
  }
  expect(find("Bearer eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjF9.c2ln")).toHaveLength(2);
  expect(find("nothing of the kind")).toEqual([]);
});

test("a secret of one letter is warned of, and the report can still be read", async () => {
  stage().plan();
  const env = { DEV_CLIENT_SECRET: "e" };
  const { stderr, stdout } = await stage().ferry("diff move", { env });
  expect(stderr).toMatch(/dev: the client secret has fewer than four characters/);
  expect(stdout + stderr).not.toContain("***");
  const { diagnostics } = await stage().json("doctor move", { env });
  expect(diagnostics.filter(({ code }) => code === "secret-too-short")).toHaveLength(1);
});

test.each(["test", "data", "true", "1234"])(
  "a secret that is %j leaves pages and documents whole",
  async (secret) => {
    stage().plan();
    const env = { DEV_CLIENT_SECRET: secret };
    const hash = /script-src '(sha256-[^']+)'/;
    const { stdout: page } = await stage().ferry("diff move --format html", { env });
    const [, allowed] = hash.exec(page) ?? [];
    const [, program = ""] = /<script>([^]*)<\/script>/.exec(page) ?? [];
    expect(`sha256-${createHash("sha256").update(program).digest("base64")}`).toBe(allowed);
    const [run = ""] = readdirSync(stage().path("plans/move/runs"));
    expect(stage().read(`plans/move/runs/${run}/report.html`)).toContain(program);
    const shown = await stage().ferry(`runs move show ${run} --format html`, { env });
    expect(shown.stdout).toContain(program);
    const { stdout, stderr } = await stage().ferry("diff move --json --log-format json -vv", { env });
    const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(JSON.parse(stdout)).toMatchObject({ command: "diff", exitCode: 3 });
  },
);

test.each([
  ["DEV_CLIENT_SECRET", `${secrets.dev}\n`, "dev: clientSecret ends with a line break"],
  ["DEV_CLIENT_SECRET", `${secrets.dev}\r`, "dev: clientSecret ends with a line break"],
  ["PROD_CLIENT_ID", " prod-client", "prod: clientId begins with a blank"],
])("%s with a blank that nobody sees is warned of before it is refused", async (name, value, said) => {
  stage().plan();
  const { code, stderr } = await stage().ferry("diff move", { env: { [name]: value } });
  expect(code).toBe(3);
  expect(stderr).toContain(`${said}, and is sent with it`);
  const { diagnostics } = await stage().json("doctor move", { env: { [name]: value } });
  expect(diagnostics.filter(({ code: told }) => told === "blank-in-secret")).toHaveLength(1);
});

test("what has no such blank is not warned of", async () => {
  stage().plan();
  expect((await stage().ferry("diff move")).stderr).not.toContain("is sent with it");
});

test.each([
  ["DEV_CLIENT_SECRET=halfvalue#otherhalf", true],
  ["export DEV_CLIENT_SECRET = halfvalue#otherhalf # a remark", true],
  ["DEV_CLIENT_SECRET='halfvalue#otherhalf'", false],
  ['DEV_CLIENT_SECRET="halfvalue#otherhalf"', false],
  ["DEV_CLIENT_SECRET=halfvalue # a remark", false],
  ["# DEV_CLIENT_SECRET=halfvalue#otherhalf", false],
  ["PROD_CLIENT_SECRET=halfvalue#otherhalf", false],
  // A line of what stands in quotation marks, and one that another takes the place of.
  ['KEY="first\nDEV_CLIENT_SECRET=halfvalue#otherhalf\nlast"\nDEV_CLIENT_SECRET=whole', false],
  ["DEV_CLIENT_SECRET=halfvalue#otherhalf\nDEV_CLIENT_SECRET='halfvalue#otherhalf'", false],
])("of a file of variables that says %s it is told whether the value is cut: %s", async (line, isCut) => {
  stage().plan();
  stage().write("ci.env", `FIRST=1\n${line}\nLAST=2\n`);
  const env = { DEV_CLIENT_SECRET: undefined };
  const { stderr } = await stage().ferry("export move --env-file ci.env", { env });
  expect(/DEV_CLIENT_SECRET ends before the #/.test(stderr)).toBe(isCut);
  expect(stderr).not.toMatch(/halfvalue|otherhalf|PROD_CLIENT_SECRET/);
});
