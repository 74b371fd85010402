import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { attributes } from "../../src/kinds/attributes.ts";
import { catalogItems } from "../../src/kinds/catalog-items.ts";
import { registry } from "../../src/kinds/index.ts";
import type { Kind } from "../../src/kinds/kind.ts";
import { monitors } from "../../src/kinds/monitors.ts";
import { primaryMonitors } from "../../src/kinds/primary-monitors.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { sources } from "../../src/kinds/sources.ts";
import { terms } from "../../src/kinds/terms.ts";

const folder = new URL("../../src/kinds/", import.meta.url);

/** Files beside the kinds that hold none. */
const others = ["index.ts", "kind.ts", "registry.ts", "trouble.ts"];
const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !others.includes(name));

function isKind(value: unknown): value is Kind {
  return typeof value === "object" && value !== null && "mode" in value && "urnTypes" in value;
}

async function kindsIn(file: string): Promise<readonly Kind[]> {
  const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>;
  return Object.values(exported).filter(isKind);
}

describe("the registry", () => {
  test.each(files)(
    "has the one kind of %s, which has a test file and goes by the file's name",
    async (file) => {
      const [kind, ...more] = await kindsIn(file);
      expect(more).toEqual([]);
      expect(kind?.name).toBe(file.replace(".ts", ""));
      expect(registry.get(kind?.name ?? "")).toBe(kind);
      expect(existsSync(new URL(file.replace(".ts", ".test.ts"), import.meta.url))).toBe(true);
    },
  );

  test("has nothing that has no file", () => {
    const kinds = [...registry.given(), ...registry.moved(), ...registry.records(), ...registry.actions()];
    const names = kinds.map((kind) => `${kind.name}.ts`);
    expect(names.sort()).toEqual([...files].sort());
    expect(files.length).toBeGreaterThan(10);
  });

  test("what a file merges into the plan's types comes with the registry's declarations", () => {
    const index = readFileSync(new URL("index.ts", folder), "utf8");
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const merging = all.filter(
      (name) =>
        name.endsWith(".ts") && readFileSync(new URL(name, folder), "utf8").includes("\ndeclare module "),
    );
    expect(merging).toContain("groups.ts");
    for (const name of merging) expect(index).toContain(`export type {} from "./${name}";`);
  });

  test("the files that hold no kind export none", async () => {
    for (const file of others.filter((name) => name !== "kind.ts")) expect(await kindsIn(file)).toEqual([]);
  });

  test("lists what others refer to first", () => {
    const names = registry.moved().map((kind) => kind.name);
    for (const [index, kind] of registry.moved().entries()) {
      const later = new Set(names.slice(index + 1));
      expect(kind.refersTo.filter((name) => later.has(name) && kind.mode !== "link")).toEqual([]);
    }
  });

  test("declares batches within what the documents allow", () => {
    for (const kind of registry.moved()) {
      const steps = [...(kind.mode === "entity" ? kind.create : []), ...(kind.update ?? [])];
      for (const step of steps) {
        expect(step.atMost).toBeGreaterThan(0);
        expect(step.atMost).toBeLessThanOrEqual(100);
        // A change whose answer was lost is settled by looking, so there must be a way to look.
        if (step.settle === "by-reading") expect(step.readBack).toBeDefined();
      }
    }
  });
});

describe("a registry", () => {
  const all = [sources, catalogItems, attributes, terms];

  test("refuses two kinds of one name", () => {
    expect(() => new Registry([terms, terms])).toThrow("two kinds have the same name");
  });

  test("refuses a kind that names one which is not there", () => {
    expect(() => new Registry([attributes])).toThrow(
      "kind attributes names catalog-items, which is not registered",
    );
    expect(() => new Registry([terms])).toThrow("kind terms names detection-rules, which is not registered");
  });

  test("tells given kinds and moved ones apart", () => {
    const made = new Registry(all.filter((kind) => kind !== terms));
    expect(made.given()).toEqual([sources, catalogItems, attributes]);
    expect(made.moved()).toEqual([]);
    expect(made.get("sources")).toBe(sources);
    expect(made.get("terms")).toBeUndefined();
  });

  test("finds the given kind of a type of URN, and no moved one", () => {
    expect(registry.givenOf("catalog:catalog-item")).toBe(catalogItems);
    expect(registry.givenOf("catalog:term")).toBeUndefined();
    expect(registry.givenOf("nothing:of-this-sort")).toBeUndefined();
    expect(registry.mayBeMoved("catalog:term")).toBe(true);
    // An SQL item is one, and types of generic entities are known to nobody: what was listed decides.
    expect(registry.mayBeMoved("catalog:catalog-item")).toBe(true);
    expect(registry.mayBeMoved("nothing:of-this-sort")).toBe(true);
    expect(registry.mayBeMoved("catalog:catalog-attribute")).toBe(false);
  });

  test("monitors is one word for two kinds, and is offered once", () => {
    expect([monitors, primaryMonitors].map((kind) => kind.selectedAs)).toEqual(["monitors", "monitors"]);
    expect(registry.selectable()).toEqual([
      "folders",
      "sql-items",
      "terms",
      "entities",
      "rules",
      "monitors",
      "dashboards",
      "term-assignments",
      "term-denylist",
      "item-metadata",
      "attribute-metadata",
      "stewardship",
      "reference-data",
      "master-data",
    ]);
  });
});
