import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import type { Result } from "../../src/model/result.ts";
import { world } from "../support/world.ts";

const password = "mdm-password";

/** The doctor of a plan whose target has a master-data server that answers so. */
async function doctor(answer: () => Response): Promise<Result> {
  const app = new Hono();
  app.all("*", answer);
  const running = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => running.once("listening", resolve));
  const made = await world("empty");
  onTestFinished(async () => {
    running.close();
    await made.close();
  });
  const { port } = running.address() as AddressInfo;
  const masterData = { baseUrl: `http://127.0.0.1:${port}`, username: "ferry", password };
  const plan = made.plan();
  const target = { ...plan.target, masterData };
  const result = await doctorPlan(made.migration({}, { plan: { ...plan, target } }));
  expect(JSON.stringify(result)).not.toContain(password);
  return result;
}

const directory = (rwmode: string): Response =>
  Response.json({ name: "mdm", version: "1.0", rwmode, uris: {} });
const checked = ({ details }: Result): unknown =>
  (details as { checks: readonly { name: string }[] }).checks.filter(({ name }) => name === "master data");

test("the connection to a master-data server is checked where the plan has one", async () => {
  const result = await doctor(() => directory("RW"));
  expect(checked(result)).toEqual([
    { side: "prod", name: "master data", state: "ok", detail: "mdm 1.0 answers ferry" },
  ]);
  expect(result.exitCode).toBe(0);
});

test("a target that takes no write is told", async () => {
  const [check] = checked(await doctor(() => directory("RO"))) as readonly {
    state: string;
    detail: string;
  }[];
  expect(check).toMatchObject({
    state: "warning",
    detail: "mdm 1.0 answers ferry; it takes no write (rwmode RO)",
  });
});

test("a wrong password is exit code 3, with words about user and password", async () => {
  const result = await doctor(() => Response.json({ message: password }, { status: 401 }));
  expect(result.exitCode).toBe(3);
  const told = result.diagnostics.find(({ code }) => code === "doctor-master-data");
  expect(told?.summary).toContain('user name and password are not accepted (user "ferry")');
  expect(told?.suggestion).toContain("Check username and password under masterData of prod");
});

describe("of servers that are as documented", () => {
  /** The checks of the doctor after `change` was made to the emulated servers. */
  async function checks(
    change: (dev: MasterData, prod: MasterData) => void = () => {},
  ): Promise<{ readonly result: Result; readonly of: (side: string) => readonly unknown[] }> {
    const made = await world("demo", { masterData: {} });
    onTestFinished(() => made.close());
    change(made.emulator.masterData("dev"), made.emulator.masterData("prod"));
    const result = await doctorPlan(made.migration());
    const { checks: all } = result.details as { checks: readonly { side: string; name: string }[] };
    return {
      result,
      of: (side) => all.filter((one) => one.side === side && one.name.startsWith("master")),
    };
  }

  test("entities, views and history are told of both", async () => {
    const { result, of } = await checks();
    for (const side of ["dev", "prod"]) {
      expect(of(side)).toEqual([
        { side, name: "master data", state: "ok", detail: `MDM ${side} 1.0 answers ${side}-mdm` },
        {
          side,
          name: "master-data layers",
          state: "ok",
          detail: "instances of party, address, contact; views masters, codes",
        },
        { side, name: "master-data history", state: "ok", detail: "kept of party, address" },
      ]);
    }
    expect(result.exitCode).toBe(0);
  });

  test("no history, an older server, names in another form: told, and nothing fails", async () => {
    const { result, of } = await checks((dev, prod) => {
      prod.historised.instance.clear();
      prod.historised.master.clear();
      prod.quirks.directory = "older";
      dev.quirks.names = "other";
    });
    expect(of("prod")).toMatchObject([
      { state: "ok" },
      {
        state: "ok",
        detail: expect.stringContaining(
          "an older server: its directory lacks persistence, purge, operationPlan",
        ),
      },
      { state: "warning", detail: expect.stringContaining("cannot be told") },
    ]);
    expect(of("dev")[1]).toMatchObject({
      state: "warning",
      detail: expect.stringContaining("form that is not known"),
    });
    expect(result.exitCode).toBe(0);
  });

  test("a source that is read-only is as it should be, a target is warned of", async () => {
    const { of } = await checks((dev, prod) => {
      dev.quirks.rwmode = "RO";
      prod.quirks.rwmode = "RO";
    });
    expect([of("dev")[0], of("prod")[0]]).toMatchObject([{ state: "ok" }, { state: "warning" }]);
  });

  test("a role that is missing, and a sign-in that redirects, end it with 3", async () => {
    const { result, of } = await checks((dev, prod) => {
      const user = dev.users.get("dev-mdm");
      if (user !== undefined) user.read.master = false;
      prod.quirks.signIn = "redirect";
    });
    expect(of("dev")[1]).toMatchObject({
      state: "failed",
      detail: expect.stringContaining('user "dev-mdm" has no permission'),
    });
    // Nothing more is asked of one that lets nobody in.
    expect(of("prod")).toMatchObject([{ state: "failed", detail: expect.stringContaining("redirect") }]);
    expect(result.exitCode).toBe(3);
    const advice = result.diagnostics.map(({ suggestion }) => suggestion).join("\n");
    expect(advice).toContain("Give the user under masterData of dev the roles");
    expect(advice).toContain("Check username and password under masterData of prod");
  });

  test("writes nothing", async () => {
    const made = await world("demo", { masterData: {} });
    onTestFinished(() => made.close());
    const before = (): unknown =>
      ["dev", "prod"].map((name) => books.dumpMasterData(made.emulator.masterData(name)));
    const then = before();
    await doctorPlan(made.migration());
    expect(before()).toEqual(then);
    expect(
      made.emulator.log.entries.filter(
        ({ path, method }) => path.startsWith("/api/rest") && method !== "GET",
      ),
    ).toEqual([]);
  });
});
