import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { isObject } from "../../src/emulator/json.ts";
import { at, attributeOf, expectRefusal, quality, textAt, urnAt } from "./support.ts";
import { instanceBody, type MonitorWorld, monitorWorld, path } from "./monitor-world.ts";

async function createNew(world: MonitorWorld, body = {}): Promise<string> {
  return urnAt((await world.api.post(path(world), body)).body);
}

describe("document 2, Monitor draft types", () => {
  test("POST creates a draft of type NEW that nothing but version=DRAFT shows", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(path(world), { name: "M" });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ draftType: "NEW", name: "M", catalogItemUrn: world.item });
    const urn = urnAt(created.body);
    expectRefusal(await world.api.get(path(world, urn)), 404);
    expect((await world.api.get(`${path(world, urn)}?version=DRAFT`)).body).toMatchObject({
      draftType: "NEW",
    });
    const listed = await world.api.get(`${quality}/dq-monitors?catalogItemUrn=${world.item}`);
    expect(JSON.stringify(listed.body)).not.toContain(urn);
  });

  test("NEW, publish: the first published version; without a name it is refused", async () => {
    const world = await monitorWorld();
    const urn = await createNew(world);
    expectRefusal(await world.api.post(`${path(world, urn)}/publish`), 400, "#/name");
    expect((await world.api.patch(path(world, urn), { name: "M" })).body).toMatchObject({ draftType: "NEW" });
    expect((await world.api.post(`${path(world, urn)}/publish`)).body).toMatchObject({
      draftType: "NONE",
      name: "M",
    });
    expect((await world.api.get(path(world, urn))).status).toBe(200);
  });

  test("NONE, PATCH: a draft CHANGE on top of the published version, which reports NONE all the same", async () => {
    const world = await monitorWorld();
    await world.api.patch(path(world, "primary"), { name: "First" });
    const second = await world.api.patch(path(world, "primary"), {
      invalidSamplesConfiguration: { enabled: true },
    });
    expect(second.body).toMatchObject({
      draftType: "CHANGE",
      name: "First",
      invalidSamplesConfiguration: { enabled: true },
    });
    expect((await world.api.get(path(world, "primary"))).body).toMatchObject({
      draftType: "NONE",
      name: "Primary monitor",
    });
    await world.api.post(`${path(world, "primary")}/publish`);
    expect((await world.api.get(path(world, "primary"))).body).toMatchObject({
      draftType: "NONE",
      name: "First",
    });
  });

  test("NONE, publish: without a draft the published version is the answer", async () => {
    const world = await monitorWorld();
    const reply = await world.api.post(`${path(world, "primary")}/publish`);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ draftType: "NONE" });
  });

  test("DELETE, publish: the monitor is deleted", async () => {
    const world = await monitorWorld();
    const { urn } = seed.seedMonitor(world.dev, { catalogItemUrn: world.item, name: "M" });
    seed.leaveMonitorDraft(world.dev, urn, "DELETE");
    expect((await world.api.get(`${path(world, urn)}?version=DRAFT`)).body).toMatchObject({
      draftType: "DELETE",
    });
    expectRefusal(await world.api.patch(path(world, urn), { name: "N" }), 409);
    await world.api.post(`${path(world, urn)}/publish`);
    expectRefusal(await world.api.get(path(world, urn)), 404);
  });

  test("RESURRECT, publish: the monitor is restored", async () => {
    const world = await monitorWorld();
    const { urn } = seed.seedMonitor(world.dev, { catalogItemUrn: world.item, name: "M" });
    seed.leaveMonitorDraft(world.dev, urn, "RESURRECT");
    expectRefusal(await world.api.get(path(world, urn)), 404);
    await world.api.post(`${path(world, urn)}/publish`);
    expect((await world.api.get(path(world, urn))).body).toMatchObject({ draftType: "NONE", name: "M" });
  });

  test("any, DELETE: draft and published version are gone, and so is the monitor from dashboards", async () => {
    const world = await monitorWorld();
    const { urn } = seed.seedMonitor(world.dev, { catalogItemUrn: world.item, name: "M" });
    const dashboard = seed.seedDashboard(world.dev, { name: "D", dqMonitorUrns: [urn] });
    await world.api.patch(path(world, urn), { name: "N" });
    expect((await world.api.delete(path(world, urn))).status).toBe(204);
    expectRefusal(await world.api.get(`${path(world, urn)}?version=DRAFT`), 404);
    expect((await world.api.get(`${quality}/dq-dashboards/${dashboard.urn}`)).body).toMatchObject({
      dqMonitorUrns: [],
    });
  });

  test("the primary monitor cannot be deleted: 409, by its literal and by its URN", async () => {
    const world = await monitorWorld();
    expectRefusal(await world.api.delete(path(world, "primary")), 409);
    expectRefusal(await world.api.delete(path(world, world.estate.customers.primaryMonitor.urn)), 409);
  });

  test("version takes DRAFT only; without a draft it gives 404, or the published version by choice", async () => {
    const world = await monitorWorld();
    expectRefusal(await world.api.get(`${path(world, "primary")}?version=LATEST`), 400);
    expectRefusal(await world.api.get(`${path(world, "primary")}?version=DRAFT`), 404);
    world.dev.quirks.absentDraft = "published";
    expect((await world.api.get(`${path(world, "primary")}?version=DRAFT`)).body).toMatchObject({
      draftType: "NONE",
    });
  });
});

describe("document 2, Sub-entity identifiers", () => {
  test("1: keys are UUIDs assigned at creation, and equal the UUID of the urn", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(path(world), { name: "M", ...instanceBody(world) });
    const instances = at(created.body, "manualRuleInstances");
    const [key = ""] = Object.keys(isObject(instances) ? instances : {});
    expect(textAt(instances, `${key}.ruleInstanceUrn`)).toBe(
      `urn:data:dev:data-quality:rule-instance:${key}`,
    );
    const thresholds = at(instances, `${key}.dqThresholds`);
    const [threshold = ""] = Object.keys(isObject(thresholds) ? thresholds : {});
    expect(textAt(thresholds, `${threshold}.urn`)).toBe(
      `urn:data:dev:data-quality:dq-threshold:${threshold}`,
    );
  });

  test("3: the response that creates carries correlationId at every level; later retrievals omit it", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(path(world), { name: "M", ...instanceBody(world) });
    const text = JSON.stringify(created.body);
    for (const key of ["new_i", "new_m", "new_t", "new_p", "new_cm", "new_j", "new_f"]) {
      expect(text).toContain(`"correlationId":"${key}"`);
    }
    const read = await world.api.get(`${path(world, urnAt(created.body))}?version=DRAFT`);
    expect(JSON.stringify(read.body)).not.toContain("correlationId");
  });

  test("Update rules 3: a connected mapping may name its join by the new_ key, and gets the stored one", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(path(world), { name: "M", ...instanceBody(world) });
    const joins = at(created.body, "joinConfigurations");
    const [join] = Object.keys(isObject(joins) ? joins : {});
    expect(JSON.stringify(created.body)).toContain(`"joinConfigurationKey":"${join}"`);
  });

  test("the server fills ruleName, ruleParameterName and nextRun, and ignores them when they are sent", async () => {
    const world = await monitorWorld();
    const body = { name: "M", ...instanceBody(world, { ruleName: "Mine" }) };
    const schedule = { cronExpression: "0 0 6 * * *", enabled: true, nextRun: "2020-01-01T00:00:00Z" };
    const created = await world.api.post(path(world), { ...body, schedule });
    const text = JSON.stringify(created.body);
    expect(text).toContain('"ruleName":"Email is valid"');
    expect(text).toContain('"ruleParameterName":"pattern"');
    expect(textAt(created.body, "schedule.nextRun")).not.toContain("2020");
    const off = await world.api.patch(path(world, urnAt(created.body)), { schedule: { enabled: false } });
    expect(at(off.body, "schedule.nextRun")).toBeUndefined();
  });
});

describe("document 2, Update rules", () => {
  test("1 and 4: only what is sent changes; unmentioned data stays", async () => {
    const world = await monitorWorld();
    const { urn, keys } = seedOne(world);
    const before = await world.api.get(path(world, urn));
    const key = keys["i"] ?? "";
    const patched = await world.api.patch(path(world, urn), {
      manualRuleInstances: { [key]: { enabled: false } },
    });
    expect(at(patched.body, `manualRuleInstances.${key}`)).toEqual({
      ...(at(before.body, `manualRuleInstances.${key}`) as object),
      enabled: false,
    });
  });

  test("2: null clears a field, or deletes a sub-entity", async () => {
    const world = await monitorWorld();
    const { urn, keys } = seedOne(world);
    const instance = keys["i"] ?? "";
    const threshold = keys["t"] ?? "";
    const patched = await world.api.patch(path(world, urn), {
      profilingConfiguration: null,
      manualRuleInstances: { [instance]: { dqThresholds: { [threshold]: null }, ruleInstanceName: null } },
    });
    expect(at(patched.body, "profilingConfiguration")).toBeUndefined();
    expect(at(patched.body, `manualRuleInstances.${instance}.dqThresholds`)).toEqual({});
    expect(at(patched.body, `manualRuleInstances.${instance}.ruleInstanceName`)).toBeUndefined();
  });

  test("2: a changed rule is delete and create of the rule instance, in one patch", async () => {
    const world = await monitorWorld();
    const { urn, keys } = seedOne(world);
    const patched = await world.api.patch(path(world, urn), {
      manualRuleInstances: {
        [keys["i"] ?? ""]: null,
        new_other: { ruleUrn: world.otherRule.urn, enabled: true },
      },
    });
    expect(patched.status).toBe(200);
    expect(JSON.stringify(patched.body)).toContain(world.otherRule.urn);
    expect(JSON.stringify(patched.body)).not.toContain(world.rule.urn);
  });

  test("5: a retrieved monitor may be sent back whole, read-only fields and term rule instances included", async () => {
    const world = await monitorWorld();
    const term = seed.seedTerm(world.dev, { name: "Email" });
    seed.linkRuleToTerm(world.dev, { ruleUrn: world.rule.urn, termUrn: term.urn });
    seed.seedAssignment(world.dev, {
      attributeUrn: attributeOf(world.estate.customers, "email"),
      termUrn: term.urn,
    });
    const read = await world.api.get(path(world, "primary"));
    expect(Object.keys(at(read.body, "termRuleInstances") as object)).toHaveLength(1);
    const sent = await world.api.patch(path(world, "primary"), read.body);
    expect(sent.body).toEqual({ ...(read.body as object), draftType: "CHANGE" });
  });

  test("fields that nobody has named are stored and returned", async () => {
    const world = await monitorWorld();
    const created = await world.api.post(path(world), {
      name: "M",
      alerting: { channels: ["a", null], level: 3 },
    });
    expect(at(created.body, "alerting")).toEqual({ channels: ["a", null], level: 3 });
    const patched = await world.api.patch(path(world, urnAt(created.body)), { alerting: { level: null } });
    expect(at(patched.body, "alerting")).toEqual({ channels: ["a", null] });
  });

  function seedOne(world: MonitorWorld): ReturnType<typeof seed.seedMonitor> {
    return seed.seedMonitor(world.dev, {
      catalogItemUrn: world.item,
      name: "M",
      profilingConfiguration: { enabled: true, type: "FULL" },
      manualRuleInstances: {
        i: {
          ruleUrn: world.rule.urn,
          ruleInstanceName: "Instance",
          enabled: true,
          dqThresholds: { t: { value: 50, severity: "WARNING" } },
        },
      },
    });
  }
});

describe("document 2, Batch create of monitors", () => {
  test("published at once, with correlationIds; absent when there is no sub-entity", async () => {
    const world = await monitorWorld();
    const reply = await world.api.post(`${quality}/dq-monitors/batch/create`, {
      data: [
        { id: "a", catalogItemUrn: world.item, name: "A", ...instanceBody(world) },
        { id: "b", catalogItemUrn: world.item, name: "B" },
      ],
    });
    expect(reply.status).toBe(207);
    expect(reply.body).toMatchObject({ meta: { total: 2, success: 2, fail: 0 } });
    expect(at(reply.body, "results.0.data.correlationIds.new_i")).toEqual(expect.any(String));
    expect(at(reply.body, "results.1.data")).toEqual({ urn: expect.any(String) });
    const read = await world.api.get(path(world, urnAt(reply.body, "results.0.data.urn")));
    expect(read.body).toMatchObject({ draftType: "NONE", name: "A" });
  });

  test.each([
    ["without a name", { name: undefined }, "VALIDATION_ERROR"],
    ["without an item", { catalogItemUrn: undefined }, "VALIDATION_ERROR"],
    [
      "of an item that does not exist",
      { catalogItemUrn: "urn:data:dev:catalog:catalog-item:11111111-1111-4111-8111-111111111111" },
      "RESOURCE_NOT_FOUND",
    ],
    [
      "of an item of another tenant",
      { catalogItemUrn: "urn:data:prod:catalog:catalog-item:11111111-1111-4111-8111-111111111111" },
      "VALIDATION_ERROR",
    ],
  ])("each item is independent: one %s fails alone", async (_what, fields, status) => {
    const world = await monitorWorld();
    const good = { catalogItemUrn: world.item, name: "A" };
    const bad = JSON.parse(JSON.stringify({ ...good, ...fields })) as object;
    const reply = await world.api.post(`${quality}/dq-monitors/batch/create`, { data: [bad, good] as never });
    expect(reply.body).toMatchObject({
      meta: { success: 1, fail: 1 },
      results: [{ status }, { status: "OK" }],
    });
  });

  test("the id is the caller's own: a URN of the source may stand there", async () => {
    const world = await monitorWorld();
    const id = "urn:data:prod:data-quality:dq-monitor:11111111-1111-4111-8111-111111111111";
    const reply = await world.api.post(`${quality}/dq-monitors/batch/create`, {
      data: [{ id, catalogItemUrn: world.item, name: "A" }],
    });
    expect(at(reply.body, "results.0")).toMatchObject({ id, status: "OK" });
  });

  test.each([0, 101])("Limits: %i items are refused as a whole", async (count) => {
    const world = await monitorWorld();
    const data = Array.from({ length: count }, () => ({ catalogItemUrn: world.item, name: "A" }));
    expectRefusal(await world.api.post(`${quality}/dq-monitors/batch/create`, { data }), 400, "#/data");
    expect(world.dev.counts().monitors).toBe(2);
  });
});

describe("document 2, migration rule 7: term rule instances", () => {
  test("a rule linked before the assignment appears on the primary monitor, one linked later does not", async () => {
    const world = await monitorWorld();
    const attributeUrn = attributeOf(world.estate.customers, "email");
    const linked = seed.seedTerm(world.dev, { name: "Linked" });
    const late = seed.seedTerm(world.dev, { name: "Late" });
    seed.linkRuleToTerm(world.dev, { ruleUrn: world.rule.urn, termUrn: linked.urn });
    const assign = { data: [{ attributeUrn, termUrns: [linked.urn, late.urn] }] };
    await world.api.post("/api/catalog/v1/attributes/term-assignments/batch/assign", assign);
    seed.linkRuleToTerm(world.dev, { ruleUrn: world.otherRule.urn, termUrn: late.urn });
    await world.api.post("/api/catalog/v1/attributes/term-assignments/batch/assign", assign);
    const instances = Object.values(
      at((await world.api.get(path(world, "primary"))).body, "termRuleInstances") as object,
    );
    expect(instances).toMatchObject([
      {
        ruleUrn: world.rule.urn,
        ruleName: "Email is valid",
        terms: [{ termUrn: linked.urn, termName: "Linked" }],
      },
    ]);
  });

  test("they exist only on the primary monitor and cannot be created here", async () => {
    const world = await monitorWorld();
    const termRuleInstances = { new_t: { ruleUrn: world.rule.urn } };
    expectRefusal(
      await world.api.patch(path(world, "primary"), { termRuleInstances }),
      400,
      "#/termRuleInstances",
    );
    expectRefusal(
      await world.api.post(path(world), { name: "M", termRuleInstances }),
      400,
      "#/termRuleInstances",
    );
  });
});
