import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
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
