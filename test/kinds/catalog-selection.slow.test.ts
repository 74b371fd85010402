import { describe, expect, test } from "vitest";
import { suggestMappings } from "../../src/operations/suggest.ts";
import type { Suggestion } from "../../src/operations/suggest.ts";
import type { Result } from "../../src/model/result.ts";
import type { Side } from "../diff/support/side.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { editFolder } from "../diff/support/web.ts";
import { editEntity, editItem, seedPort, seedProduct, seedSqlItem } from "./support/catalog.ts";
import { fresh, type Place } from "./support/place.ts";

/** `kind name`, and who pulled it in. */
function made(result: Result): readonly string[] {
  return result.changes
    .map(({ kind, source, pulledInBy }) =>
      [kind, source?.name ?? "", ...(pulledInBy === undefined ? [] : [`for ${pulledInBy.name}`])].join(" "),
    )
    .sort();
}

function seed(side: Side): void {
  const views = seedFolder(side, "Views");
  const daily = seedFolder(side, "Daily", views);
  const active = seedSqlItem(side, "Active", daily);
  seedSqlItem(side, "Other", seedFolder(side, "Others"));
  const sales = seedProduct(side, "Sales", { domain: seedTerm(side, "Domain"), mainItem: active });
  seedPort(side, sales, "Door");
  seedProduct(side, "Other product");
}

describe("what is selected brings along what it stands in and what it refers to", () => {
  test("a folder its parents", async () => {
    const at = await fresh();
    seed(at.source);
    const plan = { select: { kinds: ["folders"], include: [{ kind: "folders", name: "Daily" }] } };
    const result = await at.apply(plan);
    expect(made(result)).toEqual(["folders Daily", "folders Views for Daily"]);
    expect(result.exitCode).toBe(0);
  });

  test("an SQL item its folder with that one's parents", async () => {
    const at = await fresh();
    seed(at.source);
    const plan = { select: { kinds: ["sql-items"], include: [{ kind: "sql-items", name: "Active" }] } };
    const result = await at.apply(plan);
    expect(made(result)).toEqual(["folders Daily for Active", "folders Views for Daily", "sql-items Active"]);
    expect(result.exitCode).toBe(0);
  });

  test("an entity its parent, and all that those refer to", async () => {
    const at = await fresh();
    seed(at.source);
    const plan = {
      select: {
        kinds: ["entities"],
        entityTypes: ["dataProduct", "outputPort"],
        include: [{ kind: "entities", name: "Door" }],
      },
    };
    const result = await at.apply(plan);
    expect(made(result)).toEqual([
      "entities Door",
      "entities Sales for Door",
      "folders Daily for Active",
      "folders Views for Daily",
      "sql-items Active for Sales",
      "terms Domain for Sales",
    ]);
    expect(result.exitCode).toBe(0);
    expect((await at.apply(plan)).changes).toEqual([]);
  });

  test("only what is mapped where the plan says so: the rest is blocked by name", async () => {
    const at = await fresh();
    seed(at.source);
    const select = { kinds: ["sql-items"], dependencies: "mapped-only" as const };
    const result = await at.apply({ select });
    expect(result.changes.map(({ action }) => action)).toEqual(["blocked", "blocked"]);
    expect(at.writes()).toEqual([]);
  });
});

test("folders, SQL items and entities of the same name are suggested as twins, with what differs", async () => {
  const at = await fresh();
  for (const side of [at.source, at.target]) seed(side);
  editFolder(at.target, at.target.folder("Others"), { description: "Theirs" });
  editItem(at.target, at.target.item("Active"), { description: "Theirs" });
  editEntity(at.target, at.target.entity("dataProduct", "Sales"), { status: "Theirs" });
  const plan = {
    select: { kinds: ["folders", "sql-items", "entities"], entityTypes: ["dataProduct", "outputPort"] },
  };
  const { details } = await suggestMappings(at.world.migration(plan));
  const { suggestions } = details as { readonly suggestions: readonly Suggestion[] };
  const differing = Object.fromEntries(
    suggestions.map(({ kind, name, differing: paths }) => [`${kind} ${name}`, paths]),
  );
  expect(differing).toEqual({
    "folders Views": [],
    "folders Daily": [],
    "folders Others": ["/description"],
    "sql-items Active": ["/description"],
    "sql-items Other": [],
    "terms Domain": [],
    "entities Sales": ["/properties/status"],
    "entities Door": [],
    "entities Other product": [],
  });
});

describe("a column of an SQL item brings the item along", () => {
  const plan = {
    select: {
      kinds: ["entities"],
      entityTypes: ["dataProduct", "outputPort"],
      include: [{ kind: "entities", name: "Door" }],
    },
  };
  const all = [
    "entities Door",
    "entities Sales for Door",
    "folders Views for Active",
    "sql-items Active for Door",
  ];

  async function keyed(): Promise<Place> {
    const at = await fresh();
    seedSqlItem(at.source, "Active", seedFolder(at.source, "Views"));
    seedSqlItem(at.source, "Other", seedFolder(at.source, "Others"));
    const keys = [at.source.attribute("Active", "EMAIL"), at.source.attribute("CUSTOMER", "EMAIL")];
    seedPort(at.source, seedProduct(at.source, "Sales"), "Door", { keys });
    return at;
  }

  test("whose columns are found after its creation", async () => {
    const at = await keyed();
    const result = await at.apply(plan, { verify: true });
    expect(made(result)).toEqual(all);
    expect(result.exitCode).toBe(0);
    expect(at.target.tenant.entities.get(at.target.entity("outputPort", "Door"))?.properties["keys"]).toEqual(
      [at.target.attribute("Active", "EMAIL"), at.target.attribute("CUSTOMER", "EMAIL")],
    );
    expect((await at.apply(plan)).changes).toEqual([]);
  });

  test("also from a snapshot that was made before", async () => {
    const at = await keyed();
    await at.diff(plan);
    const { snapshot } = at.world.places(plan);
    const result = await at.apply(plan, { snapshot });
    expect(made(result)).toEqual(all);
    expect(result.exitCode).toBe(0);
  });
});
