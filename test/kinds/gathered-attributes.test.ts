import { describe, expect, test } from "vitest";
import { seedDenylist } from "../../src/emulator/seed.ts";
import { attributes } from "../../src/kinds/attributes.ts";
import { GatheredAttributes } from "../../src/kinds/shared/gathered-attributes.ts";
import { configurePrimary, instanceOf, seedRule, seedTerm } from "../diff/support/content.ts";
import { seedTable, writeOver } from "../diff/support/metadata.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const urn = (number: number): string => `urn:data:dev:catalog:catalog-attribute:${id(number)}`;
const body = (
  number: number,
  item: string,
  name: string,
): { urn: string; name: string; catalogItemUrn: string } => ({
  urn: urn(number),
  name,
  catalogItemUrn: item,
});

describe("attributes as a listing shows them", () => {
  test("are found by their items and by their URNs, whatever they are called, each once", () => {
    const all = new GatheredAttributes();
    const odd = { ...body(3, "two", 'a "quoted"\n\tname, ünïcode 😀'), urn: "no urn at all" };
    all.add([{ ...body(1, "one", "A"), description: "x" }, body(2, "two", "B")]);
    // Lists move while they are read.
    all.add([odd, body(1, "one", "A"), body(4, "three", "")]);
    const found = all.ofItems(new Set(["one", "two", "nobody's"]));
    expect(found.map(({ body: shown }) => shown)).toEqual([body(1, "one", "A"), body(2, "two", "B"), odd]);
    expect(all.named(new Set([urn(4), odd.urn, urn(9)])).map(({ name }) => name)).toEqual([odd.name, ""]);
  });

  test("are nobody's before the listing has ended, and its failure is thrown to whoever asks", async () => {
    const gathered = attributes.gather?.();
    if (gathered === undefined) throw new Error("nothing gathers them");
    gathered.take([body(1, "one", "A")]);
    const asked = gathered.read({} as never, new Set([urn(1)]), () => new Set());
    gathered.ended(new Error("page two is gone"));
    await expect(asked).rejects.toThrow("page two is gone");
  });
});

const lists = (at: Place, tenant: string): number =>
  at.world.emulator.log.entries.filter(
    (entry) => entry.tenant === tenant && entry.route === "GET /api/catalog/v1/attributes",
  ).length;

test("monitors, descriptions and denials over columns read the list of columns once a side", async () => {
  const at = await fresh();
  const { source, target } = at;
  for (const side of [source, target]) seedTable(side, "WIDE", ["ONE", "TWO"]);
  const rule = seedRule(source, "Email");
  configurePrimary(source, "CUSTOMER", { manualRuleInstances: { one: instanceOf(source, rule, "Email") } });
  writeOver(source, source.attribute("WIDE", "ONE"), {
    description: "The first",
    extraProperties: { derivedFrom: [source.attribute("WIDE", "TWO")] },
  });
  seedDenylist(source.tenant, {
    attributeUrn: source.attribute("WIDE", "TWO"),
    termUrn: seedTerm(source, "Personal"),
  });
  const plan = { select: { kinds: ["monitors", "attribute-metadata", "term-denylist"] } };
  const result = await at.apply(plan);
  expect(result.exitCode).toBe(0);
  const pages = Math.ceil(source.tenant.attributes.size / 100);
  expect([lists(at, "dev"), lists(at, "prod")]).toEqual([pages, pages]);
  expect(target.tenant.attributes.get(target.attribute("WIDE", "ONE"))?.extraProperties).toEqual({
    derivedFrom: [target.attribute("WIDE", "TWO")],
  });
  expect((await at.diff(plan)).changes).toEqual([]);
});

test("a column that the list does not show, and that another one refers to, is asked for by itself", async () => {
  const at = await fresh();
  const { source } = at;
  for (const side of [source, at.target]) seedTable(side, "WIDE", ["ONE", "TWO"]);
  const [one, two] = [source.attribute("WIDE", "ONE"), source.attribute("WIDE", "TWO")];
  writeOver(source, one, { extraProperties: { derivedFrom: [two] } });
  const { tenant } = source;
  const hidden = tenant.attributes.get(two);
  // It goes while the list is read, and is there again afterwards.
  const off = at.world.emulator.on(({ phase, entry }) => {
    if (entry.tenant !== "dev" || entry.route !== "GET /api/catalog/v1/attributes") return;
    if (phase === "received") tenant.attributes.delete(two);
    if (phase === "answered" && hidden !== undefined) tenant.attributes.put(hidden);
  });
  const result = await at.apply({ select: { kinds: ["attribute-metadata"] } });
  off();
  expect(changeOf(result, one)).toMatchObject({ outcome: "done" });
});
