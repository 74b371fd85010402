import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { mentionedUrn, parseRichText, referenced, references, walk } from "../../src/model/walk.ts";
import { sourceKey, urn, uuid } from "./ids.ts";

const term = urn("dev", "catalog:term", 1);
const rich = (gid: string): string =>
  ` [ {"type":"paragraph","children":[{"type":"entityReference","gid":"${gid}","entityName":"Email"}]} ]`;

/** What is seen of a field with this value. */
const seen = (value: JsonObject[string]): readonly string[] =>
  references({ field: value }).map(({ form, value }) => `${form} ${value}`);

/** What a text mentions without referring to it. */
function mentions(value: JsonObject[string]): readonly string[] {
  const found: string[] = [];
  walk(
    { field: value },
    (_form, whole) => whole,
    (id) => found.push(id),
  );
  return found;
}

describe("the walker", () => {
  it("knows a URN, a bare UUID and the keys of sub-entities", () => {
    const body = {
      urn: term,
      list: [uuid("a", 2)],
      groups: { [sourceKey(1)]: { inputs: { [sourceKey(2)]: { of: term } } } },
    };
    expect(references(body)).toEqual([
      { form: "urn", value: term, pointer: "/urn" },
      { form: "uuid", value: uuid("a", 2), pointer: "/list/0" },
      { form: "key", value: sourceKey(1), pointer: `/groups/${sourceKey(1)}` },
      { form: "key", value: sourceKey(2), pointer: `/groups/${sourceKey(1)}/inputs/${sourceKey(2)}` },
      { form: "urn", value: term, pointer: `/groups/${sourceKey(1)}/inputs/${sourceKey(2)}/of` },
    ]);
  });

  it("knows URNs inside longer texts, next to marks and quotes too", () => {
    const other = urn("dev", "catalog:term", 2);
    expect(seen(`see ${term}, "${other}" and <${term}>.`)).toEqual([
      `embedded ${term}`,
      `embedded ${other}`,
      `embedded ${term}`,
    ]);
    expect(seen(`${term} `)).toEqual([`embedded ${term}`]);
  });

  it("tells ids inside of texts, such as in addresses, once each, by the side of those that are references", () => {
    const id = uuid("a", 3);
    expect(mentions(`see https://dev/terms/${id}, ${id} and https://dev/terms%2F${id}?x`)).toEqual([id]);
    const encoded = term.replaceAll(":", "%3A");
    expect(mentions(`https://dev/${encoded}`)).toEqual([encoded]);
    expect(mentionedUrn(encoded)).toBe(term);
    expect(mentionedUrn(term.replaceAll(":", "%253a"))).toBe(term);
    expect(mentionedUrn(id)).toBeUndefined();
    const link = { type: "link", url: `https://dev/terms/${id}` };
    expect(mentions(JSON.stringify([{ type: "entityReference", gid: id }, link]))).toEqual([id]);
    expect(mentions(JSON.stringify([{ type: "entityReference", gid: id }]))).toEqual([]);
    const plain = id.replaceAll("-", "");
    for (const text of [plain, `of ${plain}`, `${"x".repeat(31)}${plain}.`, `${"a".repeat(33)} ${plain}`])
      expect(mentions(text)).toEqual([plain]);
    expect(mentions(`${plain}0 and 0${plain}`)).toEqual([]);
    for (const reference of [term, `see ${term}`, id, "no id at all, though it is long enough - for one"])
      expect(mentions(reference)).toEqual([]);
  });

  it("knows the gid of an entityReference in rich text, at any depth and once", () => {
    expect(seen(rich(uuid("a", 3)))).toEqual([`gid ${uuid("a", 3)}`]);
    const twice = JSON.stringify([
      { type: "entityReference", gid: uuid("a", 3) },
      { type: "entityReference", gid: uuid("a", 3) },
    ]);
    expect(seen(twice)).toEqual([`gid ${uuid("a", 3)}`]);
  });

  it.each([
    [
      "a gid of another node",
      JSON.stringify([{ type: "link", gid: uuid("a", 3), about: "entityReference" }]),
    ],
    ["a gid that is no UUID", JSON.stringify([{ type: "entityReference", gid: "x" }])],
    ["a gid outside of a list", JSON.stringify({ type: "entityReference", gid: uuid("a", 3) })],
    ["text that only begins like rich text", '[{"type":"entityReference" '],
    ["a UUID in a sentence", `see ${uuid("a", 3)}`],
  ])("does not take %s for a reference", (_what, text) => {
    expect(seen(text)).toEqual([]);
  });

  it("does not take a key among ordinary names for the key of a sub-entity", () => {
    expect(references({ [sourceKey(1)]: 1, name: true, other: null })).toEqual([]);
  });

  it("puts in the place of a reference what the visitor says, and leaves the rest of a text as it was written", () => {
    const body = {
      urn: term,
      text: `see ${term}.`,
      rich: rich(uuid("a", 3)),
      key: { [sourceKey(1)]: { name: "n" } },
      id: uuid("a", 4),
    };
    const changed = walk(body, (form) => `<${form}>`);
    expect(changed).toEqual({
      urn: "<urn>",
      text: "see <embedded>.",
      rich: rich("<gid>"),
      key: { "<key>": { name: "n" } },
      id: "<uuid>",
    });
    expect(body.urn).toBe(term);
  });

  it("leaves out fields, items and sub-entities, but never a part of a text", () => {
    const body = {
      urn: term,
      list: [term, 1],
      text: `see ${term}`,
      rich: rich(uuid("a", 3)),
      keep: 1,
      groups: { [sourceKey(1)]: {} },
    };
    expect(walk(body, () => undefined)).toEqual({
      list: [1],
      text: `see ${term}`,
      rich: rich(uuid("a", 3)),
      keep: 1,
      groups: {},
    });
  });

  it("does not look again at what it put in the place of a gid", () => {
    const forms: string[] = [];
    const changed = walk({ rich: rich(uuid("a", 3)) }, (form) => {
      forms.push(form);
      return form === "gid" ? term : "again";
    });
    expect(forms).toEqual(["gid"]);
    expect(changed).toEqual({ rich: rich(term) });
  });

  it("changes all ids of a rich text at once, when one becomes what another was", () => {
    const nodes = (one: string, other: string): string =>
      JSON.stringify([one, other].map((gid) => ({ type: "entityReference", gid })));
    const swap = new Map([
      [uuid("a", 1), uuid("a", 2)],
      [uuid("a", 2), uuid("a", 1)],
    ]);
    const changed = walk({ rich: nodes(uuid("a", 1), uuid("a", 2)) }, (_form, gid) => swap.get(gid));
    expect(changed).toEqual({ rich: nodes(uuid("a", 2), uuid("a", 1)) });
  });

  it("rewrites URNs and gids of the same rich text", () => {
    const text = `${rich(uuid("a", 3)).trim().slice(0, -1)},{"type":"link","url":"${term}"}]`;
    const changed = walk({ text }, (form) => (form === "gid" ? uuid("b", 3) : "urn:new"));
    expect(changed).toEqual({ text: text.replace(uuid("a", 3), uuid("b", 3)).replace(term, "urn:new") });
  });
});

describe("references of some forms", () => {
  it("are listed without their places", () => {
    const body = { a: term, b: uuid("a", 2), c: [term] };
    expect(referenced(body, ["urn"])).toEqual([term, term]);
    expect(referenced(body, ["uuid", "key"])).toEqual([uuid("a", 2)]);
    expect(referenced(body, [])).toEqual([]);
  });
});

describe("rich text", () => {
  it("is a JSON list in a string; other strings are plain", () => {
    expect(parseRichText(' [{"type":"paragraph"}]')).toEqual([{ type: "paragraph" }]);
    for (const text of ["plain", "[ plain", '{"type":"paragraph"}', "", '"[1]"'])
      expect(parseRichText(text)).toBeUndefined();
  });
});
