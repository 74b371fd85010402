import { seedConnection } from "../../src/emulator/seed.ts";
import { connections } from "../../src/kinds/connections.ts";
import { contract } from "./contract.ts";
import { firstOf } from "./support/first.ts";
import { monitorExporting } from "./support/users.ts";
import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import type { Side } from "../diff/support/side.ts";
import { fresh } from "./support/place.ts";

function seed(side: Side, name: string): Urn {
  return seedConnection(side.tenant, { name, sourceUrn: firstOf(side, "source") }).urn;
}

contract({
  kind: connections,
  select: ["monitors"],
  seed,
  user: monitorExporting,
});

test("what the plan pairs by name wins over the same name", async () => {
  const at = await fresh();
  const source = seed(at.source, "Thing DEV");
  const [same, paired] = [seed(at.target, "Thing DEV"), seed(at.target, "Thing PROD")];
  const user = monitorExporting(at.source, source);
  await at.apply({
    select: { kinds: ["monitors"] },
    pairing: { connections: { "Thing DEV": "Thing PROD" } },
  });
  const body = JSON.stringify(at.target.body(await at.twinOf(user)));
  expect(body).toContain(paired);
  expect(body).not.toContain(same);
});
