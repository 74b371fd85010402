import { describe, expect, it } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import { subjects } from "./support/subjects.ts";
import { expectOverHttp, rowsOf, subjectOf } from "./support/wire.ts";

/** One cell a kind, and one of every sort of writes between them; all of them are in matrix-wire.slow.test.ts. */
describe("a cell of the matrix over HTTP", () => {
  it.each([
    ...rowsOf(subjectOf("terms"), ["changed"], ["two-twins"]),
    ...rowsOf(subjectOf("rules"), ["gone"], ["twin"]),
    ...rowsOf(subjectOf("monitors"), ["new"], ["gone"]),
    ...rowsOf(subjectOf("primary-monitors"), ["changed"], ["same", "changed"]),
    ...rowsOf(subjectOf("dashboards"), ["new"], ["twin"]),
    ...rowsOf(subjectOf("folders"), ["gone"], ["other-twin"]),
    ...rowsOf(subjectOf("sql-items"), ["new"], ["gone"]),
    ...rowsOf(subjectOf("entities"), ["changed"], ["two-twins"]),
    ...rowsOf(subjectOf("term-assignments"), ["same"], ["gone"]),
    ...rowsOf(subjectOf("term-denylist"), ["changed"], ["same"]),
    ...rowsOf(subjectOf("item-metadata"), ["new"], ["changed"]),
    ...rowsOf(subjectOf("attribute-metadata"), ["changed"], ["same"]),
    ...rowsOf(subjectOf("stewardship"), ["changed"], ["changed"]),
  ])("$subject.kind, source $source, target $target: $action", expectOverHttp);

  it("is there for every kind that is moved", () => {
    expect(subjects.map(({ kind }) => kind).sort()).toEqual(
      registry
        .moved()
        .map(({ name }) => name)
        .sort(),
    );
  });
});
