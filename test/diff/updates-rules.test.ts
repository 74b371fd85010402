import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { uuidOf, type Urn } from "../../src/model/urn.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { onlyPatch, patches, writes, written } from "./support/log.ts";
import { apply, changeOf, expectAtRest, expectChange, type Stage, stage, twinOf } from "./support/run.ts";
import { keyOf, onlyKey } from "./support/side.ts";
import { editMonitor, editRule, rekeyMonitor, rekeyRule } from "./support/web.ts";

const plan = { select: { kinds: ["rules", "monitors"] } };

interface Moved {
  readonly at: Stage;
  readonly urn: Urn;
  readonly twin: Urn;
}

/** A rule with an input that is transformed, and moved. */
async function moved(): Promise<Moved> {
  const at = await stage();
  const transformation = [...at.source.tenant.transformations.values()].find(({ name }) => name === "Trim");
  const urn = seedRule(at.source, "Email", {
    inputGroups: {
      main: {
        joined: false,
        inputs: {
          email: {
            name: "email",
            dataType: "STRING",
            transformations: { trim: { transformationUrn: transformation?.urn ?? "" } },
          },
        },
      },
    },
  });
  await apply(at, plan);
  return { at, urn, twin: (await twinOf(at, urn)) as Urn };
}

const update = ["PATCH rules/:urn", "POST rules/:urn/publish"];

/** Keys of the parts of a rule, on the side that holds it. */
function keys(body: JsonObject): {
  readonly group: string;
  readonly input: string;
  readonly parameter: string;
  readonly condition: string;
} {
  const group = onlyKey(body["inputGroups"]);
  const inputs = child(child(child(body, "inputGroups"), group), "inputs");
  return {
    group,
    input: keyOf(inputs, "name", "email"),
    parameter: keyOf(body["parameters"], "name", "pattern"),
    condition: keyOf(child(body, "implementation")["conditions"], "stringExpression", "email is null"),
  };
}

type Change = (moved: Moved) => { readonly edit: JsonObject; readonly patch: JsonObject };

const cases: readonly { readonly what: string; readonly change: Change }[] = [
  { what: "one scalar", change: () => ({ edit: { description: "New" }, patch: { description: "New" } }) },
  { what: "the name", change: () => ({ edit: { name: "E-mail" }, patch: { name: "E-mail" } }) },
  { what: "a scalar cleared", change: () => ({ edit: { description: null }, patch: { description: null } }) },
  {
    what: "a field that no document names",
    change: () => ({ edit: { note: { by: "me" } }, patch: { note: { by: "me" } } }),
  },
  {
    what: "an input changed, under the target's keys",
    change: ({ at, urn, twin }) => {
      const from = keys(at.source.body(urn));
      const to = keys(at.target.body(twin));
      const edit = (group: string, input: string): JsonObject => ({
        inputGroups: { [group]: { inputs: { [input]: { dataType: "LONG" } } } },
      });
      return { edit: edit(from.group, from.input), patch: edit(to.group, to.input) };
    },
  },
  {
    what: "a condition changed",
    change: ({ at, urn, twin }) => {
      const edit = (condition: string): JsonObject => ({
        implementation: { conditions: { [condition]: { stringExpression: "email is not null" } } },
      });
      return {
        edit: edit(keys(at.source.body(urn)).condition),
        patch: edit(keys(at.target.body(twin)).condition),
      };
    },
  },
  {
    what: "the result of a condition, by the target's URN",
    change: ({ at, urn, twin }) => ({
      edit: {
        implementation: {
          conditions: {
            [keys(at.source.body(urn)).condition]: { resultUrn: at.source.result("Validity", "Valid") },
          },
        },
      },
      patch: {
        implementation: {
          conditions: {
            [keys(at.target.body(twin)).condition]: { resultUrn: at.target.result("Validity", "Valid") },
          },
        },
      },
    }),
  },
  {
    what: "a parameter removed with null",
    change: ({ at, urn, twin }) => ({
      edit: { parameters: { [keys(at.source.body(urn)).parameter]: null } },
      patch: { parameters: { [keys(at.target.body(twin)).parameter]: null } },
    }),
  },
  {
    what: "a transformation of an input removed with null",
    change: ({ at, urn, twin }) => {
      const edit = (body: JsonObject): JsonObject => {
        const { group, input } = keys(body);
        const inputs = child(child(child(body, "inputGroups"), group), "inputs");
        const transformation = onlyKey(child(inputs, input)["transformations"]);
        return {
          inputGroups: { [group]: { inputs: { [input]: { transformations: { [transformation]: null } } } } },
        };
      };
      return { edit: edit(at.source.body(urn)), patch: edit(at.target.body(twin)) };
    },
  },
];

describe("an update of a rule", () => {
  it.each(cases)("sends $what and nothing else", async ({ change }) => {
    const all = await moved();
    const { at, urn } = all;
    const { edit, patch } = change(all);
    editRule(at.source, urn, edit);
    const done = await apply(at, plan);
    expectChange(done, urn, "update", "it changed at the source");
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(update);
    expect(onlyPatch(at.world)).toEqual(patch);
    await expectAtRest(at, plan);
  });

  it("sends a new parameter and a new input under new_ and the source's key", async () => {
    const { at, urn, twin } = await moved();
    const from = keys(at.source.body(urn));
    editRule(at.source, urn, {
      parameters: { limit: { name: "limit", dataType: "LONG" } },
      inputGroups: { [from.group]: { inputs: { phone: { name: "phone", dataType: "STRING" } } } },
    });
    await apply(at, plan);
    const body = at.source.body(urn);
    const limit = keyOf(body["parameters"], "name", "limit");
    const phone = uuidOf(at.source.part(urn, "phone"));
    expect(onlyPatch(at.world)).toEqual({
      parameters: { [`new_${limit}`]: { name: "limit", dataType: "LONG" } },
      inputGroups: {
        [keys(at.target.body(twin)).group]: {
          inputs: { [`new_${phone}`]: { name: "phone", dataType: "STRING" } },
        },
      },
    });
    await expectAtRest(at, plan);
  });

  it("sends a second group of joined inputs whole", async () => {
    const { at, urn } = await moved();
    editRule(at.source, urn, {
      inputGroups: { joined: { joined: true, inputs: { code: { name: "code", dataType: "STRING" } } } },
    });
    await apply(at, plan);
    const groups = at.source.body(urn)["inputGroups"];
    const group = keyOf(groups, "joined", true);
    const code = uuidOf(at.source.part(urn, "code"));
    expect(onlyPatch(at.world)).toEqual({
      inputGroups: {
        [`new_${group}`]: { joined: true, inputs: { [`new_${code}`]: { name: "code", dataType: "STRING" } } },
      },
    });
    await expectAtRest(at, plan);
  });
});

describe("a monitor that uses a new input of its rule", () => {
  it("waits for the rule's update and then names the target's input", async () => {
    const { at, urn, twin } = await moved();
    const monitor = seedMonitor(at.source, urn, "Customers");
    await apply(at, plan);
    const monitorTwin = await twinOf(at, monitor);

    editRule(at.source, urn, {
      inputGroups: {
        [keys(at.source.body(urn)).group]: { inputs: { phone: { name: "phone", dataType: "STRING" } } },
      },
    });
    const instance = onlyKey(at.source.body(monitor)["manualRuleInstances"]);
    const mapping = {
      catalogItemAttributeUrn: at.source.attribute("CUSTOMER", "PHONE"),
      ruleAttributeUrn: at.source.part(urn, "phone"),
    };
    editMonitor(at.source, monitor, {
      manualRuleInstances: { [instance]: { mappings: { phone: mapping } } },
    });
    const done = await apply(at, plan);
    expect(changeOf(done, monitor)?.dependsOn).toEqual([`rules:${urn}`]);
    const routes = writes(at.world).map(({ route }) => route.split("/").at(-1));
    expect(routes).toEqual([":urn", "publish", ":monitor", "publish"]);
    const key = keyOf(
      child(child(at.source.body(monitor), "manualRuleInstances"), instance)["mappings"],
      "ruleAttributeUrn",
      at.source.part(urn, "phone"),
    );
    expect(patches(at.world)[1]).toEqual({
      manualRuleInstances: {
        [onlyKey(at.target.body(monitorTwin)["manualRuleInstances"])]: {
          mappings: {
            [`new_${key}`]: {
              catalogItemAttributeUrn: at.target.attribute("CUSTOMER", "PHONE"),
              ruleAttributeUrn: at.target.part(twin, "phone"),
            },
          },
        },
      },
    });
    expect(done.exitCode).toBe(0);
    await expectAtRest(at, plan);
  });
});

describe("no change of a rule", () => {
  it("is a new key of a part at the source, also for the monitor that uses it", async () => {
    const { at, urn } = await moved();
    const monitor = seedMonitor(at.source, urn, "Customers");
    await apply(at, plan);
    const { input, condition } = keys(at.source.body(urn));
    rekeyRule(at.source, urn, [input, condition]);
    const instance = onlyKey(at.source.body(monitor)["manualRuleInstances"]);
    const mapping = onlyKey(
      child(child(at.source.body(monitor), "manualRuleInstances"), instance)["mappings"],
    );
    editMonitor(at.source, monitor, {
      manualRuleInstances: {
        [instance]: { mappings: { [mapping]: { ruleAttributeUrn: at.source.part(urn, "email") } } },
      },
    });
    await expectAtRest(at, plan);
  });

  it("is a new key of a part at the target, also for the monitor that uses it", async () => {
    const { at, urn, twin } = await moved();
    const monitor = seedMonitor(at.source, urn, "Customers");
    await apply(at, plan);
    const monitorTwin = (await twinOf(at, monitor)) as Urn;
    const { input } = keys(at.target.body(twin));
    rekeyRule(at.target, twin, [input]);
    const fresh = uuidOf(at.target.part(twin, "email"));
    const text = JSON.stringify(at.target.body(monitorTwin)).replaceAll(input, fresh);
    at.target.tenant.monitors.put({
      urn: monitorTwin,
      published: JSON.parse(text) as never,
      draftType: "NONE",
    });
    await expectAtRest(at, plan);
    rekeyMonitor(at.target, monitorTwin, [onlyKey(at.target.body(monitorTwin)["overallDqThresholds"])]);
    await expectAtRest(at, plan);
  });

  it("after which an update patches the new key", async () => {
    const { at, urn, twin } = await moved();
    rekeyRule(at.target, twin, [keys(at.target.body(twin)).input]);
    await expectAtRest(at, plan);
    const { group, input } = keys(at.source.body(urn));
    editRule(at.source, urn, { inputGroups: { [group]: { inputs: { [input]: { dataType: "LONG" } } } } });
    await apply(at, plan);
    const now = keys(at.target.body(twin));
    expect(onlyPatch(at.world)).toEqual({
      inputGroups: { [now.group]: { inputs: { [now.input]: { dataType: "LONG" } } } },
    });
    await expectAtRest(at, plan);
  });
});
