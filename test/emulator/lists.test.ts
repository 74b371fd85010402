import { describe, expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { isArray } from "../../src/emulator/json.ts";
import type { Tenant } from "../../src/emulator/index.ts";
import { type Api, at, catalog, expectRefusal, quality, seedEstate, startWorld, textAt } from "./support.ts";

function seedTerms(tenant: Tenant, count: number): void {
  for (let index = 0; index < count; index += 1) {
    seed.seedTerm(tenant, { name: `Term ${String(count - index).padStart(3, "0")}` });
  }
}

/** Every name of a list, with the sizes of its pages. */
async function walk(api: Api, path: string): Promise<{ readonly names: string[]; readonly pages: number[] }> {
  const names: string[] = [];
  const pages: number[] = [];
  for (let after: string | undefined = ""; after !== undefined;) {
    const reply = await api.get(after === "" ? path : `${path}&after=${encodeURIComponent(after)}`);
    const data = at(reply.body, "data");
    const shown = isArray(data) ? data.map((entry) => textAt(entry, "name")) : [];
    names.push(...shown);
    pages.push(shown.length);
    const next = at(reply.body, "meta.next");
    after = typeof next === "string" ? next : undefined;
  }
  return { names, pages };
}

describe("document 1, Cursor pagination", () => {
  test("250 objects come in pages of 100, 100 and 50, each once, in the order of creation", async () => {
    const { dev, api } = await startWorld();
    seedTerms(dev, 250);
    const { names, pages } = await walk(api, `${catalog}/terms?size=100`);
    expect(pages).toEqual([100, 100, 50]);
    expect(names).toEqual([...new Set(names)].sort().reverse());
  });

  test("size is 20 when it is not given, and meta has the total", async () => {
    const { dev, api } = await startWorld();
    seedTerms(dev, 21);
    const reply = await api.get(`${catalog}/terms`);
    expect(at(reply.body, "data")).toHaveLength(20);
    expect(at(reply.body, "meta.total")).toBe(21);
  });

  test.each(["0", "101", "-1", "ten", "1.5", ""])("size %j is refused: 1 to 100", async (size) => {
    const { api } = await startWorld();
    expectRefusal(await api.get(`${catalog}/terms?size=${size}`), 400);
  });

  test.each(["garbage", "bnVsbA", "W10"])(
    "the cursor %j, which no list gave out, is refused",
    async (cursor) => {
      const { api } = await startWorld();
      expectRefusal(await api.get(`${catalog}/terms?after=${cursor}`), 400);
    },
  );

  test("the cursor of another list is refused", async () => {
    const { dev, api } = await startWorld();
    seedTerms(dev, 2);
    const cursor = textAt((await api.get(`${catalog}/terms?size=1`)).body, "meta.next");
    expect((await api.get(`${catalog}/terms?size=1&after=${cursor}`)).status).toBe(200);
    expectRefusal(await api.get(`${catalog}/attributes?after=${cursor}`), 400);
    expectRefusal(await api.get(`${catalog}/terms?sort=name&after=${cursor}`), 400);
  });

  test("a list that changes between pages shows what stays exactly once", async () => {
    const { dev, api } = await startWorld();
    seedTerms(dev, 6);
    const first = await api.get(`${catalog}/terms?size=3`);
    await api.delete(`${catalog}/terms/${textAt(first.body, "data.1.urn")}`);
    seedTerms(dev, 1);
    const rest = await api.get(`${catalog}/terms?size=100&after=${textAt(first.body, "meta.next")}`);
    const names = at(rest.body, "data");
    expect(isArray(names) && names.map((entry) => at(entry, "name"))).toEqual([
      "Term 003",
      "Term 002",
      "Term 001",
      "Term 001",
    ]);
  });

  test("document 2: meta.next of the monitor list is omitted on the last page", async () => {
    const { dev, api } = await startWorld();
    seedEstate(dev);
    const first = await api.get(`${quality}/dq-monitors?size=1`);
    const second = await api.get(`${quality}/dq-monitors?size=1&after=${textAt(first.body, "meta.next")}`);
    expect(at(second.body, "meta")).toEqual({ total: 2 });
  });

  test("an unknown query parameter is ignored, where the service does that", async () => {
    const { dev, api } = await startWorld();
    dev.quirks.unknownParameters = "ignored";
    expect((await api.get(`${catalog}/terms?colour=blue`)).status).toBe(200);
  });

  test("or refused: invalid parameters give 400", async () => {
    const { dev, api } = await startWorld();
    const paths = ["terms?size=1&sort=name", "terms?colour=blue", "folders?size=1&include=colour"];
    const answers = await Promise.all(paths.map(async (path) => api.get(`${catalog}/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
    const write = await api.post(`${catalog}/terms/bulk?dry=true`, {
      terms: [{ type: "businessTerm", name: "A" }],
    });
    expect([write.status, dev.counts().terms]).toEqual([400, 0]);
  });
});

describe("document 1, Sorting", () => {
  test("terms sort by name both ways, and page so", async () => {
    const { dev, api } = await startWorld();
    seedTerms(dev, 45);
    const up = await walk(api, `${catalog}/terms?sort=name&size=20`);
    expect(up.pages).toEqual([20, 20, 5]);
    expect(up.names).toEqual(up.names.toSorted());
    const down = await walk(api, `${catalog}/terms?sort=-name&size=20`);
    expect(down.names).toEqual(up.names.toReversed());
  });

  test("equal names keep the order of creation, and none is lost between pages", async () => {
    const { dev, api } = await startWorld();
    for (let index = 0; index < 5; index += 1) seed.seedTerm(dev, { name: "Same", description: `${index}` });
    const { names } = await walk(api, `${catalog}/terms?sort=name&size=2`);
    expect(names).toHaveLength(5);
  });

  test.each([
    ["terms", `${catalog}/terms?sort=description`],
    ["attributes, for which no field is documented", `${catalog}/attributes?sort=name`],
    ["items, for which no field is documented", `${catalog}/catalog-items?sort=name`],
    ["monitors, for which no field is documented", `${quality}/dq-monitors?sort=name`],
    ["entities, by what is not a scalar property", `${catalog}/entities?entityType=source&sort=connections`],
  ])("a field that is not documented is refused: %s", async (_what, path) => {
    const { api } = await startWorld();
    expectRefusal(await api.get(path), 400);
  });

  test("entities sort by any scalar property", async () => {
    const { dev, api } = await startWorld();
    for (const name of ["b", "c", "a"]) seed.seedGroup(dev, { name });
    const reply = await api.get(`${catalog}/entities?entityType=group&sort=-name&properties=name`);
    const data = at(reply.body, "data");
    expect(isArray(data) && data.map((entry) => at(entry, "properties.name"))).toEqual(["c", "b", "a"]);
  });
});
