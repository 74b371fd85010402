import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Party } from "../../../src/model/mapping.ts";
import { targetLockPath } from "../../../src/store/files/index.ts";

const prod: Party = { name: "prod", baseUrl: "https://prod.example.com/app", tenant: "acme" };
const path = targetLockPath("mappings", prod);

describe("the lock of a target", () => {
  it("stands beside the pairs, under the name of the host", () => {
    expect(dirname(path)).toBe(join("mappings", ".locks"));
    expect(basename(path)).toMatch(/^prod\.example\.com-[0-9a-f]{16}$/);
  });

  it.each<Partial<Party>>([
    { name: "production" },
    { baseUrl: "HTTPS://PROD.example.com/app" },
    { baseUrl: "https://prod.example.com:443/app/" },
    { baseUrl: "https://prod.example.com/app//" },
    { baseUrl: "https://prod.example.com./app" },
  ])("is the same one for %j", (other) => {
    expect(targetLockPath("mappings", { ...prod, ...other })).toBe(path);
  });

  it("is one for all names by which a machine calls itself", () => {
    const here = ["localhost", "localhost.", "127.0.0.1", "[::1]", "prod.localhost"].map((host) =>
      targetLockPath("mappings", { ...prod, baseUrl: `http://${host}:8080` }),
    );
    expect(new Set(here).size).toBe(1);
  });

  it.each<Partial<Party>>([
    { tenant: "other" },
    { tenant: "ACME" },
    { baseUrl: "https://prod.example.com/APP" },
    { baseUrl: "https://prod.example.com:8443/app" },
    { baseUrl: "http://prod.example.com/app" },
    { baseUrl: "https://prod.example.com/ap", tenant: "pacme" },
  ])("is another one for %j", (other) => {
    expect(targetLockPath("mappings", { ...prod, ...other })).not.toBe(path);
  });

  it.each([
    "https://[::1]:8080/",
    "https://münchen.example.com",
    "../../etc",
    "",
    `https://${"x".repeat(200)}.example`,
  ])("is a file that every system can have, for %j", (baseUrl) => {
    const found = targetLockPath("mappings", { ...prod, baseUrl });
    expect(dirname(found)).toBe(join("mappings", ".locks"));
    expect(basename(found)).toMatch(/^[A-Za-z0-9.-]{1,80}-[0-9a-f]{16}$/);
  });
});
