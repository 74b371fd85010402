import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import { useStage } from "./support/stage.ts";

/** What a person reads who has mistyped an address: which one, and where it stands. */
const stage = useStage();

/** The plan with another address of the source; its lines broken where the terminal is narrow are put together. */
async function said(key: "baseUrl" | "authUrl", address: string): Promise<string> {
  stage().plan({ source: { [key]: address } });
  const { code, stdout } = await stage().ferry("diff move");
  expect(code).toBe(key === "authUrl" ? 3 : 1);
  return stdout.replaceAll(/\s+/g, " ");
}

test("a sign-in that is answered with 404 says that the address may be wrong", async () => {
  const text = await said("authUrl", `${stage().emulator.url}/nowhere`);
  expect(text).toContain(
    "was refused (404): there is no such realm at this address, or it is not the address of the service",
  );
  expect(text).toContain("Check authUrl (baseUrl, where the plan has none) and realm");
  // Pasted, it works.
  expect(text).toContain("`ferry doctor move` tests them.");
});

test("the doctor says of such an address what a run says", async () => {
  stage().plan({ source: { authUrl: `${stage().emulator.url}/nowhere` } });
  const { stdout } = await stage().ferry("doctor move");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "next: Check authUrl (baseUrl, where the plan has none) and realm of dev in the plan.",
  );
  // What is wrong is told once, and machines find it with its check.
  expect(stdout).toMatch(/dev +sign-in +failed +see below\n/);
  expect(stdout.match(/there is no such\s+realm/g)).toHaveLength(1);
  const { details } = await stage().json("doctor move");
  expect(details).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({
        name: "sign-in",
        state: "failed",
        detail: expect.stringContaining("no such realm"),
      }),
    ]),
  });
});

test("what the service says of a realm that it does not know, and what that means, are one sentence", async () => {
  stage().plan({ source: { realm: "nobody" } });
  const { code, stdout } = await stage().ferry("diff move");
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("Realm nobody does not exist: there is no such realm");
});

test("https where something else is spoken is said in words", async () => {
  const text = await said("baseUrl", stage().emulator.baseUrl("dev").replace("http:", "https:"));
  expect(text).toContain("what answers there speaks no https (ERR_SSL_WRONG_VERSION_NUMBER)");
  expect(text).toContain("next: The plan says https and this port speaks something else");
});

test("a host where nobody listens is named with its port", async () => {
  const emulator = await startEmulator();
  const { url } = emulator;
  await emulator.close();
  const text = await said("baseUrl", url);
  expect(text).toContain(`not reachable at ${new URL(url).host}: nothing listens at this address`);
});
