import { describe, expect, it } from "vitest";
import { child, type JsonObject } from "../../src/emulator/json.ts";
import { instanceOf, seedRule } from "./support/content.ts";
import { onlyPatch, written } from "./support/log.ts";
import { keysOf, movedMonitor, plan, update } from "./support/monitors.ts";
import { apply, expectAtRest } from "./support/run.ts";
import { keyOf, onlyKey, type Side } from "./support/side.ts";
import { editMonitor } from "./support/web.ts";

function pair(side: Side, local: string, connected: string): JsonObject {
  return {
    localAttributeUrn: side.attribute("CUSTOMER", local),
    connectedAttributeUrn: side.attribute("SALES_ORDER", connected),
  };
}

/** A join with ADDRESS under a key of its own, and an instance that reads it. */
function joinWithUse(side: Side, ruleUrn: ReturnType<Side["rule"]>): JsonObject {
  return {
    joinConfigurations: {
      address: {
        connectedCatalogItemUrn: side.item("CUSTOMER_ADDRESS"),
        foreignKeyPairs: {
          id: {
            localAttributeUrn: side.attribute("CUSTOMER", "CUSTOMER_ID"),
            connectedAttributeUrn: side.attribute("CUSTOMER_ADDRESS", "CUSTOMER_ID"),
          },
        },
      },
    },
    manualRuleInstances: {
      city: instanceOf(side, ruleUrn, "City", {
        connectedMappings: {
          city: {
            connectedCatalogItemAttributeUrn: side.attribute("CUSTOMER_ADDRESS", "CITY"),
            joinConfigurationKey: "address",
            ruleAttributeUrn: side.part(ruleUrn, "email"),
          },
        },
      }),
    },
  };
}

describe("an update of a join", () => {
  it("replaces all its pairs in one patch, so that it keeps at least one", async () => {
    const { at, urn, twin } = await movedMonitor();
    const from = keysOf(at.source, urn);
    const to = keysOf(at.target, twin);
    editMonitor(at.source, urn, {
      joinConfigurations: {
        [from.join]: {
          foreignKeyPairs: { [from.pair]: null, number: pair(at.source, "EMAIL", "ORDER_NUMBER") },
        },
      },
    });
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual(update);
    const fresh = keysOf(at.source, urn).pair;
    expect(onlyPatch(at.world)).toEqual({
      joinConfigurations: {
        [to.join]: {
          foreignKeyPairs: { [to.pair]: null, [`new_${fresh}`]: pair(at.target, "EMAIL", "ORDER_NUMBER") },
        },
      },
    });
    await expectAtRest(at, plan);
  });

  it("adds a second pair and changes the first", async () => {
    const { at, urn, twin } = await movedMonitor();
    const from = keysOf(at.source, urn);
    const to = keysOf(at.target, twin);
    editMonitor(at.source, urn, {
      joinConfigurations: {
        [from.join]: {
          foreignKeyPairs: {
            [from.pair]: { localAttributeUrn: at.source.attribute("CUSTOMER", "PHONE") },
            second: pair(at.source, "EMAIL", "ORDER_NUMBER"),
          },
        },
      },
    });
    await apply(at, plan);
    const pairs = child(child(at.source.body(urn), "joinConfigurations"), from.join)["foreignKeyPairs"];
    const second = keyOf(pairs, "localAttributeUrn", at.source.attribute("CUSTOMER", "EMAIL"));
    expect(onlyPatch(at.world)).toEqual({
      joinConfigurations: {
        [to.join]: {
          foreignKeyPairs: {
            [to.pair]: { localAttributeUrn: at.target.attribute("CUSTOMER", "PHONE") },
            [`new_${second}`]: pair(at.target, "EMAIL", "ORDER_NUMBER"),
          },
        },
      },
    });
    await expectAtRest(at, plan);
  });

  it("creates a join and the mapping that uses it in one patch, by the join's new_ key", async () => {
    const { at, urn, twin, rule } = await movedMonitor();
    editMonitor(at.source, urn, joinWithUse(at.source, rule));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    const body = at.source.body(urn);
    const join = keyOf(
      body["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.source.item("CUSTOMER_ADDRESS"),
    );
    const instance = keyOf(body["manualRuleInstances"], "ruleInstanceName", "City");
    const patch = onlyPatch(at.world);
    const sent = child(child(child(patch, "manualRuleInstances"), `new_${instance}`), "connectedMappings");
    expect(child(sent, onlyKey(sent))).toEqual({
      connectedCatalogItemAttributeUrn: at.target.attribute("CUSTOMER_ADDRESS", "CITY"),
      joinConfigurationKey: `new_${join}`,
      ruleAttributeUrn: at.target.part(at.target.rule("Email"), "email"),
    });
    expect(Object.keys(child(patch, "joinConfigurations"))).toEqual([`new_${join}`]);
    const stored = at.target.body(twin);
    const twinJoin = keyOf(
      stored["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.target.item("CUSTOMER_ADDRESS"),
    );
    expect(JSON.stringify(stored)).toContain(`"joinConfigurationKey":"${twinJoin}"`);
    await expectAtRest(at, plan);
  });

  it("names an existing join by the target's key in a new mapping", async () => {
    const { at, urn, twin } = await movedMonitor();
    const from = keysOf(at.source, urn);
    const to = keysOf(at.target, twin);
    editMonitor(at.source, urn, {
      manualRuleInstances: {
        [from.instance]: {
          connectedMappings: {
            total: {
              connectedCatalogItemAttributeUrn: at.source.attribute("SALES_ORDER", "ORDER_NUMBER"),
              joinConfigurationKey: from.join,
            },
          },
        },
      },
    });
    await apply(at, plan);
    const instances = child(onlyPatch(at.world), "manualRuleInstances");
    const mappings = child(child(instances, to.instance), "connectedMappings");
    expect(child(mappings, onlyKey(mappings))).toEqual({
      connectedCatalogItemAttributeUrn: at.target.attribute("SALES_ORDER", "ORDER_NUMBER"),
      joinConfigurationKey: to.join,
    });
    await expectAtRest(at, plan);
  });

  it("moves a mapping from one join to another by that one's key", async () => {
    const { at, urn, twin, rule } = await movedMonitor();
    editMonitor(at.source, urn, joinWithUse(at.source, rule));
    await apply(at, plan);
    const body = at.source.body(urn);
    const instance = keyOf(body["manualRuleInstances"], "ruleInstanceName", "City");
    const mapping = onlyKey(child(child(body, "manualRuleInstances"), instance)["connectedMappings"]);
    const orders = keyOf(
      body["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.source.item("SALES_ORDER"),
    );
    const address = keyOf(
      body["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.source.item("CUSTOMER_ADDRESS"),
    );
    editMonitor(at.source, urn, {
      manualRuleInstances: {
        [instance]: {
          connectedMappings: {
            [mapping]: {
              joinConfigurationKey: orders,
              connectedCatalogItemAttributeUrn: at.source.attribute("SALES_ORDER", "ORDER_NUMBER"),
            },
          },
        },
      },
      joinConfigurations: { [address]: null },
    });
    const before = at.target.body(twin);
    const ordersTwin = keyOf(
      before["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.target.item("SALES_ORDER"),
    );
    const addressTwin = keyOf(
      before["joinConfigurations"],
      "connectedCatalogItemUrn",
      at.target.item("CUSTOMER_ADDRESS"),
    );
    await apply(at, plan);
    const patch = onlyPatch(at.world);
    expect(child(patch, "joinConfigurations")).toEqual({ [addressTwin]: null });
    expect(JSON.stringify(patch)).toContain(`"joinConfigurationKey":"${ordersTwin}"`);
    await expectAtRest(at, plan);
  });

  it("refers to a rule that is made in the same run, from a mapping onto the joined item", async () => {
    const { at, urn } = await movedMonitor();
    const fresh = seedRule(at.source, "City");
    editMonitor(at.source, urn, joinWithUse(at.source, fresh));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(0);
    expect(JSON.stringify(onlyPatch(at.world))).toContain(at.target.part(at.target.rule("City"), "email"));
    await expectAtRest(at, plan);
  });
});
