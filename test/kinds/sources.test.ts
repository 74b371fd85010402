import { seedSource } from "../../src/emulator/seed.ts";
import { sources } from "../../src/kinds/sources.ts";
import { contract } from "./contract.ts";
import { termAbout } from "./support/users.ts";
import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import type { Side } from "../diff/support/side.ts";
import { fresh } from "./support/place.ts";

function seed(side: Side, name: string): Urn {
  return seedSource(side.tenant, { name }).urn;
}

contract({
  kind: sources,
  select: ["terms"],
  seed,
  user: termAbout("source"),
});

test("what the plan pairs by name wins over the same name", async () => {
  const at = await fresh();
  const source = seed(at.source, "Thing DEV");
  const [same, paired] = [seed(at.target, "Thing DEV"), seed(at.target, "Thing PROD")];
  const user = termAbout("source")(at.source, source, at.target);
  await at.apply({ select: { kinds: ["terms"] }, pairing: { sources: { "Thing DEV": "Thing PROD" } } });
  const body = JSON.stringify(at.target.body(await at.twinOf(user)));
  expect(body).toContain(paired);
  expect(body).not.toContain(same);
});
