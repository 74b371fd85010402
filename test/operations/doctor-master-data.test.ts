import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { doctorPlan } from "../../src/operations/doctor.ts";
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
