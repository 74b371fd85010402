import { expect, test } from "vitest";
import { acknowledgement, waitingInLastDiff } from "../../src/operations/acknowledge.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { instanceOf, seedMonitor, seedRule } from "./support/content.ts";
import { apply, changeOf, diff, stage } from "./support/run.ts";
import type { Stage } from "./support/run.ts";
import { onlyKey, wanted } from "./support/side.ts";
import { editRule } from "./support/web.ts";

/** What a person accepts is what was told: whatever else keeps the object from being moved later is news. */
const plan: PlanChanges = { select: { kinds: ["rules", "monitors"] } };

/** A monitor with two instances, of two rules, over two columns. */
function seedDouble({ source }: Stage): Urn {
  const [one, two] = ["One", "Two"].map((name) => seedRule(source, name)) as [Urn, Urn];
  const second = instanceOf(source, two, "Second");
  const [mapping] = Object.values(second["mappings"] as object);
  const other = { ...mapping, catalogItemAttributeUrn: source.attribute("CUSTOMER", "CUSTOMER_ID") };
  const manualRuleInstances = {
    first: instanceOf(source, one, "First"),
    second: { ...second, mappings: { other } },
  };
  return seedMonitor(source, one, "Daily", { manualRuleInstances });
}

function nameColumn({ target }: Stage, before: string, name: string): void {
  const { attributes } = target.tenant;
  const urn = target.attribute("CUSTOMER", before);
  attributes.put({ ...wanted(attributes.get(urn), urn), name });
}

/** Its logic was made in the condition builder, or is readable again. */
function setReadable({ source }: Stage, name: string, isReadable: boolean): void {
  const urn = source.rule(name);
  const { conditions } = source.body(urn)["implementation"] as { readonly conditions: JsonObject };
  const stringExpression = isReadable ? "email is null" : "";
  editRule(source, urn, { implementation: { conditions: { [onlyKey(conditions)]: { stringExpression } } } });
}

test.each([
  {
    what: "another column has no twin",
    before: (at: Stage) => nameColumn(at, "EMAIL", "X"),
    since: (at: Stage): void => {
      nameColumn(at, "X", "EMAIL");
      nameColumn(at, "CUSTOMER_ID", "Y");
    },
  },
  {
    what: "it waits for another rule",
    before: (at: Stage) => setReadable(at, "One", false),
    since: (at: Stage): void => {
      setReadable(at, "One", true);
      setReadable(at, "Two", false);
    },
  },
])(
  "an acknowledged object that is blocked for another reason by now is told: $what",
  async ({ before, since }) => {
    const at = await stage();
    const urn = seedDouble(at);
    before(at);
    expect(changeOf(await diff(at, plan), urn)).toMatchObject({ action: "blocked" });
    const waiting = await waitingInLastDiff(at.world.migration(plan));
    const acknowledged = waiting.map((one) => acknowledgement(one, { reason: "known" }));
    const accepting = { ...plan, acknowledged };
    expect(changeOf(await diff(at, accepting), urn)).toMatchObject({ acknowledged: { reason: "known" } });
    since(at);
    const change = changeOf(await apply(at, accepting), urn);
    expect(change).toMatchObject({ action: "blocked" });
    expect(change?.acknowledged).toBeUndefined();
    expect(change?.diagnostics.map(({ code }) => code)).toContain("acknowledged-no-longer");
  },
);
