import { expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Result } from "../../src/model/result.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedFolder } from "../diff/support/content.ts";
import { apply, diff, expectChange, stage, twinOf, type Stage } from "../diff/support/run.ts";
import { wanted } from "../diff/support/side.ts";
import { editFolder } from "../diff/support/web.ts";
import { seedComment, seedIssue, seedProduct, seedSqlItem } from "./support/catalog.ts";

/**
 * "The parent of a folder cannot be changed" (document 1, "Folders"), nor that of an SQL item or of an entity: what is new below
 * one that was moved at the source is made in its twin, where that stands, and that is said.
 */

const plan = { select: { kinds: ["folders", "sql-items"] } };

interface Moved extends Stage {
  readonly moved: Urn;
  readonly inner: Urn;
}

/** The folder "Moved" went from "One" to "Two", with the folder "Inner" in it. */
async function begin(): Promise<Moved> {
  const at = await stage();
  const one = seedFolder(at.source, "One");
  const two = seedFolder(at.source, "Two");
  const moved = seedFolder(at.source, "Moved", one);
  const inner = seedFolder(at.source, "Inner", moved);
  seedSqlItem(at.source, "Old", inner);
  expect((await apply(at, plan)).exitCode).toBe(0);
  editFolder(at.source, moved, { parentUrn: two });
  return { ...at, moved, inner };
}

const said = ({ diagnostics }: Result): readonly Diagnostic[] =>
  diagnostics.filter(({ code }) => code === "made-below-moved");

test("what is new below a folder that was moved is made in its twin, and both places are said before that", async () => {
  const at = await begin();
  const fresh = [
    seedFolder(at.source, "New folder", at.moved),
    seedSqlItem(at.source, "Beside", at.moved),
    seedSqlItem(at.source, "Deeper", at.inner),
  ];
  const expected = [
    {
      severity: "warning",
      coordinate: { kind: "folders", urn: at.moved, name: "Moved" },
      summary:
        '3 new objects are made below the folder "Moved" where that stands at the target (in "One"), and not where it stands at the source (in "Two"): "New folder", "Beside", "Deeper"',
    },
  ];
  expect(said(await diff(at, plan))).toMatchObject(expected);
  const result = await apply(at, plan);
  expect(said(result)).toMatchObject(expected);
  expectChange(result, at.moved, "manual", "cannot change parentUrn");
  for (const urn of fresh) expectChange(result, urn, "create", "nothing at the target");
  const twin = await twinOf(at, at.moved);
  expect(at.target.tenant.folders.get(at.target.folder("New folder"))?.parentUrn).toBe(twin);
  expect(at.target.tenant.items.get(at.target.item("Beside"))?.parentUrn).toBe(twin);
  // What is there already is not told again; that the folder stands elsewhere is.
  const again = await apply(at, plan);
  expect(said(again)).toEqual([]);
  expect(again.changes.map(({ action }) => action)).toEqual(["manual"]);
});

test("what is new elsewhere is nobody's business, nor is a folder in which nothing is new", async () => {
  const at = await begin();
  seedSqlItem(at.source, "Elsewhere", at.source.folder("Two"));
  const result = await apply(at, plan);
  expect(result.changes.map(({ action }) => action)).toEqual(["manual", "create"]);
  expect(said(result)).toEqual([]);
});

test("the same of entities", async () => {
  const at = await stage();
  const types = ["dataProduct", "qualityIssue", "issueComment"];
  const entities = { select: { kinds: ["entities"], entityTypes: types } };
  const [one, two] = [seedProduct(at.source, "One"), seedProduct(at.source, "Two")];
  const issue = seedIssue(at.source, "Late", { parentUrn: one, parentProperty: "issues" });
  expect((await apply(at, entities)).exitCode).toBe(0);
  at.source.tenant.entities.put({ ...wanted(at.source.tenant.entities.get(issue), issue), parentUrn: two });
  seedComment(at.source, issue, "Again");
  const result = await apply(at, entities);
  expectChange(result, issue, "manual", "cannot change parentUrn");
  expect(said(result)).toMatchObject([
    {
      coordinate: { kind: "entities", urn: issue, name: "Late" },
      summary: expect.stringMatching(
        /^1 new object is made below the entity "Late" .* \(in "One"\), .* \(in "Two"\): "issueComment"$/,
      ),
    },
  ]);
});
