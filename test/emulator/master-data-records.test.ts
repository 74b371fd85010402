import { describe, expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { byKey, crm, expectRefused, idsOf, masterDataWorld, putParty } from "./master-data-world.ts";
import { at, textAt } from "./support.ts";

describe("activity", () => {
  test("is set over the source's word, told as NONE when nothing changes, and taken away", async () => {
    const { data, get, put } = await masterDataWorld();
    const id = putParty(data, "1");
    const path = `/instance/party/${id}`;
    const set = async (name: string): Promise<unknown> => (await put(`${path}/${name}`)).body;
    const answer = (recordChange: string): object => ({ id, origin: crm, source_id: "1", recordChange });
    const active = async (): Promise<unknown> => at((await get(path)).body, "metadata.active");
    expect(await set("activate")).toEqual(answer("NONE"));
    expectRefused(await put(`${path}/remove-activity`), 500, "override");
    expect([await set("deactivate"), await active()]).toEqual([answer("UPDATE"), false]);
    expect([await set("deactivate"), await active()]).toEqual([answer("NONE"), false]);
    expect([await set("activate"), await active()]).toEqual([answer("UPDATE"), true]);
    await set("deactivate");
    expect([await set("remove-activity"), await active()]).toEqual([answer("UPDATE"), true]);
    expectRefused(await put(`${path}/remove-activity`), 500);
  });

  test("of a master has no origin and source id", async () => {
    const { data, get, put } = await masterDataWorld();
    const { masterId: id } = data.instances("party")?.get(putParty(data, "1")) ?? {};
    const path = `/master/masters/party/${id}`;
    expect((await put(`${path}/deactivate`)).body).toEqual({
      id,
      origin: null,
      source_id: null,
      recordChange: "UPDATE",
    });
    expect(at((await get(path)).body, "metadata.active")).toBe(false);
  });

  test.each([
    "/instance/nobody/1/activate",
    "/instance/party/77/activate",
    "/instance/party/abc/deactivate",
    "/master/nothing/party/1/activate",
    "/master/masters/nobody/1/remove-activity",
    "/master/masters/party/77/remove-activity",
  ])("PUT %s: what is not there gives 400 here", async (path) => {
    expectRefused(await (await masterDataWorld()).put(path), 400);
  });
});

describe("overrides", () => {
  test("of an instance hide the source's value and return it", async () => {
    const { data, get, put, delete: remove } = await masterDataWorld();
    const id = putParty(data, "1", { src_name: "Ada", src_phone: "1" });
    const path = `/instance/party/${id}/override`;
    const list = (...overrides: object[]): object => ({
      recordType: "instance",
      entityType: "party",
      recordId: id,
      overrides,
    });
    expect((await get(path)).body).toEqual(list());
    const set = await put(`${path}/src_name`, { value: "Eve" });
    expect([set.status, set.body]).toEqual([200, null]);
    await put(path, {
      overrides: [
        { attributeName: "src_phone", value: null },
        { attributeName: "std_email", value: "x" },
      ],
    });
    const shown = await get(`/instance/party/${id}`);
    expect(at(shown.body, "attributes")).toMatchObject({
      src_name: "Eve",
      std_name: "EVE",
      src_phone: null,
      std_email: "x",
    });
    expect((await get(path)).body).toEqual(
      list(
        { attributeName: "src_name", value: "Ada" },
        { attributeName: "src_phone", value: "1" },
        { attributeName: "std_email", value: null },
      ),
    );
    expect((await get(`${path}/src_name`)).body).toEqual(list({ attributeName: "src_name", value: "Ada" }));
    expect((await get(`${path}/src_note`)).body).toEqual(list());
    // The source goes on below.
    await put(byKey("1"), { attributes: { src_name: "Ada L." } });
    expect((await get(`${path}/src_name`)).body).toEqual(
      list({ attributeName: "src_name", value: "Ada L." }),
    );
    expect((await remove(`${path}/src_name`)).body).toBeNull();
    expect(at((await get(byKey("1"))).body, "attributes")).toMatchObject({
      src_name: "Ada L.",
      src_phone: null,
    });
    await remove(path);
    expect(at((await get(byKey("1"))).body, "attributes")).toMatchObject({ src_phone: "1", std_email: null });
    expect((await get(path)).body).toEqual(list());
  });

  test("are what records are found by, and matched by", async () => {
    const { data, post, put } = await masterDataWorld();
    const id = putParty(data, "1", { src_email: "a@x" });
    putParty(data, "2", { src_email: "b@x" });
    expect(idsOf(await post("/instance/party/search", { src_email: "b@x" }))).toEqual(["2"]);
    await put(`/instance/party/${id}/override/src_email`, { value: "b@x" });
    expect(idsOf(await post("/instance/party/search", { src_email: "b@x" }))).toEqual(["1", "2"]);
    expect(data.masters("party")?.size).toBe(1);
  });

  test("of a master can be read, and set by nothing that is documented", async () => {
    const { data, get, put } = await masterDataWorld();
    const row = books.authorMaster(data, { entity: "party", attributes: { cmo_name: "x" } });
    books.overrideMaster(data, row, { cmo_name: "y" });
    const path = `/master/masters/party/${row.id}/override`;
    const list = {
      recordType: "master",
      entityType: "party",
      recordId: row.id,
      overrides: [{ attributeName: "cmo_name", value: "x" }],
      viewName: "masters",
    };
    expect((await get(path)).body).toEqual(list);
    expect((await get(`${path}/cmo_name`)).body).toEqual(list);
    expect(at((await get(`/master/masters/party/${row.id}`)).body, "attributes.cmo_name")).toBe("y");
    expectRefused(await put(`${path}/cmo_name`, { value: "z" }), 404);
  });

  test.each([
    ["PUT", "/override/nobody", { value: 1 }, 404],
    ["GET", "/override/nobody", undefined, 404],
    ["DELETE", "/override/nobody", undefined, 404],
    ["PUT", "/override/src_name", {}, 400],
    ["PUT", "/override/src_name", { value: 5 }, 400],
    ["PUT", "/override", { overrides: [] }, 400],
    ["PUT", "/override", { overrides: [{ attributeName: "nobody", value: 1 }] }, 400],
    ["PUT", "/override", { value: 1 }, 400],
  ])("%s %s %j is refused with %i", async (method, end, body, status) => {
    const { data, send } = await masterDataWorld();
    const id = putParty(data, "1");
    expectRefused(await send(method, `/instance/party/${id}${end}`, body), status);
  });
});

test.each([
  ["GET", undefined],
  ["PUT", { overrides: [{ attributeName: "src_name", value: "x" }] }],
  ["DELETE", undefined],
])("%s overrides of a record that is missing is refused", async (method, body) => {
  expectRefused(await (await masterDataWorld()).send(method, "/instance/party/77/override", body), 400);
});

describe("history", () => {
  test("is not there unless it is configured", async () => {
    const { data, get } = await masterDataWorld();
    const id = putParty(data, "1");
    for (const path of [
      "/history",
      "/instance/party/history/metadata",
      `/instance/party/${id}/history`,
      `${byKey("1")}/history`,
      "/master/masters/party/history/metadata",
    ]) {
      expectRefused(await get(path), 404);
    }
  });

  test("is newest first, limited by from and to, of either layer", async () => {
    const { data, get, put } = await masterDataWorld();
    data.historised.instance.add("party");
    data.historised.master.add("party");
    const id = putParty(data, "1", { src_name: "Ada" });
    await put(byKey("1"), { attributes: { src_name: "Eve" } });
    await put(`/instance/party/${id}/deactivate`);
    const path = `/instance/party/${id}/history`;
    const { body } = await get(path);
    const shown = (body as object[]).map((one) => [
      at(one as never, "attributes.src_name"),
      at(one as never, "metadata.active"),
      at(one as never, "metadata.id"),
    ]);
    expect(shown).toEqual([
      ["Eve", false, id],
      ["Eve", true, id],
      ["Ada", true, id],
    ]);
    expect(at(body, "0.metadata.validTo")).toBeNull();
    expect(at(body, "1.metadata.validTo")).toBe(at(body, "0.metadata.validFrom"));
    expect((await get(`${byKey("1")}/history`)).body).toEqual(body);
    const change = encodeURIComponent(textAt(body, "1.metadata.validFrom"));
    const names = async (query: string): Promise<unknown> =>
      ((await get(`${path}?${query}`)).body as never[]).map((one) => at(one, "metadata.validFrom"));
    const [newest, middle, oldest] = (body as never[]).map((one) => at(one, "metadata.validFrom"));
    expect(await names(`from=${change}`)).toEqual([newest, middle]);
    expect(await names(`to=${change}`)).toEqual([middle, oldest]);
    expect(await names(`from=${change}&to=${change}`)).toEqual([middle]);
    expect(await names(`at=${change}`)).toEqual([middle]);
    expect(
      await names(`at=${change}&to=${encodeURIComponent(textAt(body, "2.metadata.validFrom"))}`),
    ).toEqual([]);
    const { masterId } = data.instances("party")?.get(id) ?? {};
    const merged = await get(`/master/masters/party/${masterId}/history`);
    expect((merged.body as never[]).map((one) => at(one, "attributes.cmo_name"))).toEqual([
      null,
      "Eve",
      "Ada",
    ]);
    expect(((await get("/history")).body as never[]).map((one) => at(one, "name"))).toEqual(["party"]);
    expect(at((await get("/instance/party/history/metadata")).body, "columns.0.name")).toBe("source_id");
  });

  test("is refused with an odd time, for a record that is missing, and with what is not shown", async () => {
    const { data, get } = await masterDataWorld();
    data.historised.instance.add("party");
    const id = putParty(data, "1");
    for (const query of ["from=yesterday", "to=5", "at=noon", "when=2026-01-01T00:00:00Z"])
      expectRefused(await get(`/instance/party/${id}/history?${query}`), 400);
    expectRefused(await get("/instance/party/77/history"), 400);
    expectRefused(await get("/instance/address/77/history"), 404);
  });
});
