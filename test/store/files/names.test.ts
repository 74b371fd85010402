import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeParty, sameParty } from "../../../src/store/index.ts";
import { pairFolder } from "../../../src/store/files/index.ts";
import { parties, storeError } from "./support.ts";

describe("pairFolder", () => {
  it("names the folder after both environments", () => {
    expect(pairFolder("mappings", "dev", "prod-eu")).toBe(join("mappings", "dev--prod-eu"));
  });

  it.each(["", ".", "..", ".hidden", "a/b", "a\\b", "a\0b", "a\nb"])(
    "refuses an environment named %j",
    async (name) => {
      await storeError("bad-name", () => pairFolder("mappings", name, "prod"));
      await storeError("bad-name", () => pairFolder("mappings", "dev", name));
    },
  );
});

describe("a party", () => {
  const party = parties.source;

  it.each([
    ["https://dev.example.com/", true],
    ["https://DEV.example.com:443", true],
    ["https://dev.example.com/api", false],
    ["http://dev.example.com", false],
    ["https://dev.example.com:8443", false],
    ["no address", false],
  ])("is the same at %s: %s", (baseUrl, same) => {
    expect(sameParty(party, { ...party, baseUrl })).toBe(same);
  });

  it("is another in another tenant, and the same under another name", () => {
    expect(sameParty(party, { ...party, tenant: "ACME" })).toBe(false);
    expect(sameParty(party, { ...party, name: "x" })).toBe(true);
    expect(sameParty({ ...party, baseUrl: "x" }, { ...party, baseUrl: "x" })).toBe(true);
  });

  it("is described without marks that would confuse a terminal", () => {
    expect(describeParty({ ...party, name: "dev\u001b[31m" })).toBe(
      "dev\\u{1b}[31m (https://dev.example.com, tenant acme)",
    );
  });
});
