import { readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { parseFaults } from "../../src/emulator/index.ts";
import { Screen } from "./support/screen.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

interface Serving {
  readonly url: string;
  readonly screen: Screen;
  /** Interrupts it; the exit code. */
  readonly end: () => Promise<number>;
}

/** `ferry emulate` until it listens. */
async function emulate(...flags: readonly string[]): Promise<Serving> {
  const stop = new AbortController();
  const screen = new Screen({ cwd: stage().folder, stop });
  const code = runProgram(["emulate", "--port", "0", ...flags], { io: screen.io, version: () => "0" });
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(screen.stdout)?.[0];
    if (url !== undefined && screen.stdout.includes("Interrupt to stop it.")) {
      return {
        url,
        screen,
        end: () => {
          stop.abort();
          return code;
        },
      };
    }
    const ended = await Promise.race([code, delay<undefined>(5)]);
    if (ended !== undefined) throw new Error(`it ended with ${ended}: ${screen.stdout}`);
  }
}

async function signIn(url: string, tenant: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: `${tenant}-client`,
    client_secret: `${tenant}-secret`,
  });
  const { status } = await fetch(`${url}/${tenant}/auth/realms/${tenant}/protocol/openid-connect/token`, {
    method: "POST",
    body,
  });
  return status;
}

test("serves the scenario until it is interrupted, and says how to sign in", async () => {
  const { url, screen, end } = await emulate();
  for (const tenant of ["dev", "prod"]) {
    expect(screen.stdout).toContain(
      `${tenant}: baseUrl ${url}/${tenant}, realm ${tenant}, clientId ${tenant}-client, clientSecret ${tenant}-secret`,
    );
    expect(await signIn(url, tenant)).toBe(200);
    const said = new RegExp(
      `master data: baseUrl (http://127.0.0.1:\\d+/${tenant}), username (\\S+), password (\\S+)`,
    );
    const [, base = "", user, password] = said.exec(screen.stdout) ?? [];
    expect(new URL(base).port).not.toBe(new URL(url).port);
    const authorization = `Basic ${btoa(`${user}:${password}`)}`;
    const records = await fetch(`${base}/api/rest/instance/party?count=2`, { headers: { authorization } });
    expect(await records.json()).toHaveLength(2);
  }
  expect(await end()).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

test("a plan works against it", async () => {
  const { url, end } = await emulate("--scenario", "empty");
  const side = (name: string): object => ({ baseUrl: `${url}/${name}`, clientSecret: `${name}-secret` });
  stage().plan({ source: side("dev"), target: side("prod") });
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0 });
  await end();
});

test("--scenario, --tenant and --faults", async () => {
  stage().write(
    "faults.json",
    JSON.stringify([{ match: { tenant: "staging" }, effect: { type: "status", code: 503 } }]),
  );
  const { url, screen, end } = await emulate(
    ..."--scenario large:10 --tenant staging --faults faults.json".split(" "),
  );
  expect(screen.stdout).toContain("scenario large:10");
  expect(await signIn(url, "dev")).toBe(200);
  expect(await signIn(url, "staging")).toBe(503);
  await end();
});

describe("--write-plan", () => {
  test("moves what the scenario has: rows, where that is all there is", async () => {
    const { end } = await emulate("--scenario", "records:5", "--write-plan", "plans/rows.yaml");
    const result = await stage().json("diff rows --env-file plans/rows/.env");
    expect(result).toMatchObject({ exitCode: 0, summary: { create: 5 } });
    expect(await end()).toBe(0);
  });

  test("writes a plan that is ready, and its variables where git does not look and nobody else reads", async () => {
    const { screen, end } = await emulate("--scenario", "large:20", "--write-plan", "plans/try.yaml");
    const env = { ...stage().env, DEV_CLIENT_SECRET: "none" };
    const [, line = ""] = /^ {2}ferry (diff .*)$/m.exec(screen.stdout) ?? [];
    expect(line).toBe("diff try --env-file plans/try/.env");
    const { exitCode, summary } = await stage().json(line, { env });
    expect(exitCode).toBe(0);
    expect(summary.create).toBeGreaterThan(40);
    expect(summary).toMatchObject({ blocked: 0, manual: 0 });
    await end();
    expect(stage().read("plans/try.yaml")).not.toContain("-secret");
    expect(stage().read("plans/try/.env")).toContain("EMULATED_DEV_CLIENT_SECRET=dev-secret");
    expect(stage().read("plans/try/.env")).toContain("EMULATED_PROD_MDM_PASSWORD=prod-mdm-secret");
    expect(stage().read("plans/try.yaml")).toContain("username: ${EMULATED_DEV_MDM_USER}");
    expect(stage().read("plans/try/.gitignore")).toBe("*\n");
    expect(statSync(stage().path("plans/try/.env")).mode & 0o777).toBe(0o600);
  });

  test("names a plan that lies elsewhere as a shell takes it", async () => {
    const { screen, end } = await emulate("--scenario", "empty", "--write-plan", "my plans/try.yaml");
    expect(screen.stdout).toContain("ferry diff 'my plans/try.yaml' --env-file 'my plans/try/.env'\n");
    await end();
  });

  test("writes it again, since the address is another one; whatever a person wrote it leaves", async () => {
    stage().write("plans/try/.env", "open");
    const first = await emulate("--scenario", "empty", "--write-plan", "plans/try.yaml");
    const before = stage().read("plans/try.yaml");
    await first.end();
    const second = await emulate("--scenario", "empty", "--write-plan", "plans/try.yaml");
    await second.end();
    expect(stage().read("plans/try.yaml")).toContain(second.url);
    expect(before).toContain(first.url);
    expect(statSync(stage().path("plans/try/.env")).mode & 0o777).toBe(0o600);
    stage().write("plans/mine.yaml", "version: 1\n");
    const { code, stdout } = await stage().ferry("emulate --port 0 --write-plan plans/mine.yaml");
    expect(code).toBe(64);
    expect(stdout).toContain("plans/mine.yaml is there already");
    expect(stage().read("plans/mine.yaml")).toBe("version: 1\n");
  });

  test("a place that cannot be written ends it, and leaves no server behind", async () => {
    stage().write("in-the-way", "a file");
    const { code, stdout } = await stage().ferry("emulate --port 0 --write-plan in-the-way/try.yaml");
    expect(code).toBe(64);
    expect(stdout).toContain("in-the-way/try.yaml cannot be written");
  });
});

describe("faults are documented", () => {
  const readme = readFileSync(new URL("../../src/emulator/README.md", import.meta.url), "utf8");

  test("by examples that are taken, in the README and in the help", async () => {
    const { stdout } = await stage().ferry("emulate --help");
    for (const text of [readme, stdout]) {
      const [example = ""] = /\[\s*\{ "match":[\s\S]*?\}\s*\]/.exec(text) ?? [];
      expect(parseFaults(JSON.parse(example)).length).toBeGreaterThan(0);
    }
  });

  test("with every effect that there is", () => {
    let known = "";
    try {
      parseFaults([{ effect: { type: "none" } }]);
    } catch (error) {
      known = String(error);
    }
    const types = (/must be one of (.*)$/m.exec(known)?.[1] ?? "").split(", ");
    expect(types.length).toBeGreaterThan(10);
    expect(types.filter((type) => !readme.includes(`\`${type}\``))).toEqual([]);
  });
});

test("one that is interrupted already ends at once", async () => {
  const stop = new AbortController();
  stop.abort();
  const { code } = await stage().ferry("emulate --port 0 --scenario empty", { stop });
  expect(code).toBe(0);
});

describe("refused", () => {
  test.each([
    [
      "a scenario that is not there",
      "--scenario dmeo",
      /there is no scenario "dmeo"[\s\S]*Did you mean demo\?[\s\S]*demo,\s+empty,\s+large:N/,
    ],
    ["a large one of nothing", "--scenario large:0", /there is no scenario/],
    ["a port that is none", "--port 70000", /0 to 65535/],
    ["a file that is not there", "--faults nothing.json", /nothing\.json/],
    ["a file that is no JSON", "--faults broken.json", /broken\.json/],
    ["a fault that is none", "--faults wrong.json", /faults\[0\]\.effect\.type must be one of/],
    ["two faults that are none", "--faults both.json", /not\s+valid: faults\[0\][^\\]*; faults\[1\]/],
  ])("%s", async (_what, flags, said) => {
    stage().write("broken.json", "{");
    stage().write("wrong.json", '[{"effect":{"type":"explode"}}]');
    stage().write("both.json", "[{},{}]");
    const { code, stdout, stderr } = await stage().ferry(`emulate --port 0 ${flags}`);
    expect(stdout + stderr).toMatch(said);
    expect(code).toBe(64);
  });

  test("a port that is taken", async () => {
    const port = new URL(stage().emulator.url).port;
    const { code, stdout } = await stage().ferry(`emulate --port ${port} --scenario empty`);
    expect(code).toBe(64);
    expect(stdout).toContain(`port ${port} cannot be used`);
    expect(stdout).not.toContain("unexpected");
  });
});
