import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { networkNotes, proxySecrets } from "../../src/cli/network-notes.ts";
import type { Plan } from "../../src/model/plan.ts";
import { furnish } from "./support/little.ts";
import { launcher } from "../support/launcher.ts";
import { useStage } from "./support/stage.ts";
import type { ForwardProxy, Way } from "./support/ways.ts";
import { hasAuthorities, privateAuthority, startForwardProxy, startFront } from "./support/ways.ts";

/** Proxies, private certificate authorities and plain addresses, with the real command in a process of its own. */
const stage = useStage();
const whole = { terms: 2, rules: 1, monitors: 41, dashboards: 1 };
const ways: Way[] = [];

beforeEach(() => {
  furnish(stage().dev);
});
afterEach(async () => {
  for (const way of ways.splice(0)) await way.close();
});

async function ferry(
  words: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [launcher, ...words.split(" ")], {
    cwd: stage().folder,
    env: { PATH: process.env["PATH"] ?? "", ...stage().env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

describe("a proxy", () => {
  const password = "pr0xy-pa55%2Fword";

  async function proxied(): Promise<{ proxy: ForwardProxy; address: string }> {
    const proxy = await startForwardProxy();
    ways.push(proxy);
    return { proxy, address: `http://someone:${password}@127.0.0.1:${proxy.port}` };
  }

  /** Names that only the proxy can find. */
  function farAway(): void {
    const far = (side: string): object => ({
      baseUrl: stage().emulator.baseUrl(side).replace("127.0.0.1", `${side}.service.invalid`),
    });
    stage().plan({ source: far("dev"), target: far("prod") });
  }

  test("everything goes through it, and its password is nowhere", async () => {
    const { proxy, address } = await proxied();
    farAway();
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: address, HTTPS_PROXY: address };
    const { code, stdout, stderr } = await ferry("sync move --yes -vv", env);
    expect(code).toBe(0);
    expect(stage().prod.counts()).toMatchObject(whole);
    expect(new Set(proxy.asked.map((host) => host.split(":")[0]))).toEqual(
      new Set(["dev.service.invalid", "prod.service.invalid"]),
    );
    const sent = `Basic ${Buffer.from("someone:pr0xy-pa55/word").toString("base64")}`;
    expect(new Set(proxy.authorizations)).toEqual(new Set([sent]));
    expect(stdout + stderr).not.toContain("pr0xy-pa55");
  });

  test("NO_PROXY goes around it", async () => {
    const { proxy, address } = await proxied();
    stage().plan();
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: address, NO_PROXY: "127.0.0.1,localhost" };
    expect((await ferry("diff move", env)).code).toBe(0);
    expect(proxy.asked).toEqual([]);
  });

  test("one that is down: a failure that names it, and no password", async () => {
    farAway();
    const address = `http://someone:${password}@127.0.0.1:9`;
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: address, HTTPS_PROXY: address };
    const { code, stdout, stderr } = await ferry("diff move -vv", env);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Requests may go through a proxy (HTTPS_PROXY: 127.0.0.1:9,",
    );
    expect(stdout + stderr).not.toContain("pr0xy-pa55");
  });

  test("without NODE_USE_ENV_PROXY nothing goes through it, which is said once", async () => {
    const { proxy, address } = await proxied();
    farAway();
    const { code, stdout, stderr } = await ferry("diff move", { HTTPS_PROXY: address });
    expect(code).toBe(1);
    expect(proxy.asked).toEqual([]);
    expect(stderr.match(/HTTPS_PROXY is set, and Node uses it only with NODE_USE_ENV_PROXY=1/g)).toHaveLength(
      1,
    );
    expect(stdout + stderr).not.toContain("pr0xy-pa55");
  });
});

describe("an address without encryption", () => {
  const far = { source: { baseUrl: "http://dev.service.invalid" } };

  test("is warned of once, and is no error", async () => {
    stage().plan(far);
    const { stderr } = await stage().ferry("diff move");
    expect(stderr.match(/dev: http:\/\/dev\.service\.invalid is not encrypted/g)).toHaveLength(1);
    expect(stderr).not.toContain("prod: http:");
  });

  test("is a diagnostic of the doctor", async () => {
    stage().plan(far);
    const { diagnostics, stderr } = await stage().json("doctor move");
    expect(diagnostics.filter(({ code }) => code === "plain-http")).toMatchObject([{ severity: "warning" }]);
    expect(stderr).not.toContain("encrypted");
  });

  test("is none of this machine's", async () => {
    stage().plan();
    expect((await stage().ferry("diff move")).stderr).not.toContain("encrypted");
  });

  test.each([
    ["http://localhost:1", []],
    ["http://127.9.9.9", []],
    ["http://127.1", []],
    ["http://[::1]:8080", []],
    ["https://far.example.com", []],
    ["http://10.0.0.1", ["plain-http"]],
    ["http://localhost.example.com", ["plain-http"]],
    ["http://[::2]", ["plain-http"]],
  ])("%s: %j", (baseUrl, codes) => {
    const side = { name: "a", baseUrl, authUrl: baseUrl };
    const plan = {
      source: side,
      target: { ...side, baseUrl: "http://127.0.0.1", authUrl: "http://127.0.0.1" },
    };
    expect(networkNotes(plan as Plan, {}).map(({ code }) => code)).toEqual(codes);
  });
});

test("the credentials of a proxy are secrets, as they are written and as they are meant", () => {
  const found = proxySecrets({ https_proxy: "http://me:a%2Fb@proxy:3128", HTTP_PROXY: "http://proxy:3128" });
  expect(found).toEqual(expect.arrayContaining(["a%2Fb", "a/b", "me:a/b"]));
  expect(proxySecrets({ HTTP_PROXY: "no address" })).toEqual([]);
});

describe.skipIf(!hasAuthorities)("a private authority (needs openssl)", () => {
  async function front(): Promise<string> {
    mkdirSync(stage().path("ca"));
    const authority = privateAuthority(stage().path("ca"));
    if (authority === undefined) throw new Error("openssl made no certificate");
    const way = await startFront(stage().emulator.url, authority);
    ways.push(way);
    const over = (side: string): object => ({ baseUrl: `https://localhost:${way.port}/${side}` });
    stage().plan({ source: over("dev"), target: over("prod") });
    return authority.ca;
  }

  test("with NODE_EXTRA_CA_CERTS everything works over TLS", async () => {
    const ca = await front();
    expect((await ferry("sync move --yes", { NODE_EXTRA_CA_CERTS: ca })).code).toBe(0);
    expect(stage().prod.counts()).toMatchObject(whole);
  });

  test.each(["diff move", "doctor move"])("without it, %s: what is wrong, and what to do", async (words) => {
    await front();
    const { code, stdout } = await ferry(`${words} --json`, {});
    expect(code).toBe(1);
    expect(stdout).toMatch(/certificate/);
    expect(stdout).toContain("NODE_EXTRA_CA_CERTS=");
    expect(stage().emulator.log.entries).toEqual([]);
  });

  test("through a proxy as well", async () => {
    const ca = await front();
    const proxy = await startForwardProxy();
    ways.push(proxy);
    const address = `http://127.0.0.1:${proxy.port}`;
    const env = { NODE_EXTRA_CA_CERTS: ca, NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: address };
    expect((await ferry("sync move --yes", env)).code).toBe(0);
    expect(proxy.asked.length).toBeGreaterThan(0);
  });
});
