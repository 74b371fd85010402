import { describe, expect, test } from "vitest";
import { parseKey } from "../../../src/model/key.ts";
import { EngineError } from "../../../src/engine/progress.ts";
import type { Selectable } from "../../../src/engine/read/selection.ts";
import { glob, kindsToList, select } from "../../../src/engine/read/selection.ts";
import { registry } from "../../../src/kinds/index.ts";
import type { Selection } from "../../../src/model/plan.ts";

describe("a glob", () => {
  test.each([
    ["Email*", "Email valid", true],
    ["Email*", "Email", true],
    ["Email*", "My Email", false],
    ["*mail*", "E-mail address", true],
    ["Rule ?", "Rule 7", true],
    ["Rule ?", "Rule 77", false],
    ["Rule ?", "Rule ", false],
    ["*", "", true],
    ["", "", true],
    ["", "x", false],
    ["email*", "Email", false],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abcd", false],
    ["*", "two\nlines", true],
    ["?", "\n", true],
    ["?", "😀", true],
    ["😀*", "😀 party", true],
    ["E-mail pattern", "E-mail pattern", true],
    ["E-mail pattern", "Email pattern", false],
    ["a/b", "a/b", true],
    ["a.b", "a.b", true],
    ["a.b", "axb", false],
    ["(a|b)", "(a|b)", true],
    ["(a|b)", "a", false],
    ["[a-c]{2}^$+\\", "[a-c]{2}^$+\\", true],
    ["[a-c]", "b", false],
    ["100 %, #1 & 'x' \"y\" ~`!@=<>;:_", "100 %, #1 & 'x' \"y\" ~`!@=<>;:_", true],
  ])("%j and %j: %s", (pattern, name, expected) => {
    expect(glob(pattern).test(name)).toBe(expected);
  });

  test("takes every character but * and ? for itself", () => {
    for (let code = 1; code < 0x300; code += 1) {
      const mark = String.fromCodePoint(code);
      if (mark === "*" || mark === "?") continue;
      expect(glob(mark).test(mark), `U+${code.toString(16)}`).toBe(true);
      expect(glob(`${mark}*`).test(`x${mark}`), `U+${code.toString(16)}`).toBe(mark === "x");
    }
  });
});

const everything: Selection = {
  kinds: ["terms", "rules", "monitors"],
  include: [],
  exclude: [],
  entityTypes: [],
  dependencies: "include",
};

function object(name: string, selectedAs = "rules", refersTo: readonly string[] = []): Selectable {
  return {
    selectedAs,
    kind: selectedAs,
    owns: true,
    urn: `urn of ${name}`,
    name,
    refersTo: refersTo.map((other) => `urn of ${other}`),
  };
}

/** What was selected; with `by` for what another one pulled in. */
function chosen(objects: readonly Selectable[], selection: Partial<Selection>): readonly string[] {
  const { why } = select(objects, { ...everything, ...selection });
  const name = (key: string): string => parseKey(key).id.replace("urn of ", "");
  return [...why].map(([urn, by]) => (by === undefined ? name(urn) : `${name(urn)} by ${name(by)}`)).sort();
}

describe("selection", () => {
  const objects = [
    object("Email valid"),
    object("Email known"),
    object("Phone"),
    object("Customer", "terms"),
    object("Emails", "monitors", ["Email valid"]),
    object("Board", "dashboards", ["Emails"]),
  ];

  test("takes the kinds of the plan and nothing else", () => {
    expect(chosen(objects, { kinds: ["terms"] })).toEqual(["Customer"]);
    expect(chosen(objects, {})).toEqual(["Customer", "Email known", "Email valid", "Emails", "Phone"]);
    expect(chosen(objects, { kinds: [] })).toEqual([]);
  });

  test("an include narrows its own kind and leaves the others", () => {
    const include = [{ kind: "rules", name: "Email*" }];
    expect(chosen(objects, { include })).toEqual(["Customer", "Email known", "Email valid", "Emails"]);
    expect(chosen(objects, { include: [{ name: "Email*" }] })).toEqual([
      "Email known",
      "Email valid",
      "Emails",
    ]);
  });

  test("several includes add up, by name and by URN", () => {
    const include = [
      { kind: "rules", name: "Phone" },
      { kind: "rules", urns: ["urn of Email known"] },
    ];
    expect(chosen(objects, { kinds: ["rules"], include })).toEqual(["Email known", "Phone"]);
  });

  test("a selector with a name and URNs wants both", () => {
    const urns = ["urn of Phone"];
    expect(chosen(objects, { kinds: ["rules"], include: [{ urns, name: "P*" }] })).toEqual(["Phone"]);
    expect(() => chosen(objects, { kinds: ["rules"], include: [{ urns, name: "E*" }] })).toThrow(EngineError);
  });

  test("of several URNs each must be found, and those that are not are named", () => {
    const include = [{ urns: ["urn of Phone", "urn of nothing", "urn of nobody"] }];
    expect(() => chosen(objects, { kinds: ["rules"], include })).toThrow(
      "nothing at the source matches include: URNs urn of nothing, urn of nobody",
    );
  });

  test("an exclude wins over an include", () => {
    const selection = { kinds: ["rules"], include: [{ name: "Email*" }], exclude: [{ name: "*known" }] };
    expect(chosen(objects, selection)).toEqual(["Email valid"]);
  });

  test("what is referred to comes along, and says through whom", () => {
    expect(chosen(objects, { kinds: ["monitors"] })).toEqual(["Email valid by Emails", "Emails"]);
    expect(chosen(objects, { kinds: ["dashboards"] })).toEqual([
      "Board",
      "Email valid by Emails",
      "Emails by Board",
    ]);
  });

  test("an excluded object does not come along, however it is referred to", () => {
    const selection = { kinds: ["rules", "monitors"], exclude: [{ kind: "rules", name: "Email*" }] };
    expect(chosen(objects, selection)).toEqual(["Emails", "Phone"]);
  });

  test("mapped-only brings nothing along", () => {
    expect(chosen(objects, { kinds: ["monitors"], dependencies: "mapped-only" })).toEqual(["Emails"]);
  });

  test("circles come to an end, and what is not there is left alone", () => {
    const circle = [
      object("A", "terms", ["B"]),
      object("B", "rules", ["C"]),
      object("C", "rules", ["A", "gone"]),
    ];
    expect(chosen(circle, { kinds: ["terms"] })).toEqual(["A", "B by A", "C by B"]);
  });

  test.each([
    ["include", { include: [{ kind: "rules", name: "Fax*" }] }, 'include: kind rules, name "Fax*"'],
    ["exclude", { exclude: [{ name: "Fax*" }] }, 'exclude: name "Fax*"'],
    ["URN", { include: [{ urns: ["urn of nothing"] }] }, "include: URN urn of nothing"],
    [
      "kind that the plan does not move",
      { include: [{ kind: "dashboards", name: "Board" }] },
      'include: kind dashboards, name "Board"',
    ],
  ])("a selector that matches nothing is an error, as it is written (%s)", (_what, selection, written) => {
    expect(() => chosen(objects, selection)).toThrow(EngineError);
    expect(() => chosen(objects, selection)).toThrow(`nothing at the source matches ${written}`);
  });
});

describe("the kinds to list", () => {
  const listed = (kinds: readonly string[], dependencies: Selection["dependencies"]): readonly string[] =>
    [...kindsToList(registry, { ...everything, kinds, dependencies })].sort();

  test("are the selected ones and those that they refer to", () => {
    expect(listed(["terms"], "include")).toEqual(["terms"]);
    expect(listed(["dashboards"], "include")).toEqual([
      "dashboards",
      "monitors",
      "primary-monitors",
      "rules",
    ]);
    expect(listed(["monitors"], "mapped-only")).toEqual(["monitors", "primary-monitors"]);
  });

  test("a relation needs both its ends, whatever the plan says of dependencies", () => {
    expect(listed(["term-assignments"], "mapped-only")).toEqual([
      "primary-monitors",
      "term-assignments",
      "terms",
    ]);
  });
});
