import { describe, it } from "vitest";
import { expectOverHttp, rowsOf, subjectOf } from "./support/wire.ts";

/** One cell a kind, and one of every sort of writes between them; all of them are in matrix-wire.slow.test.ts. */
describe("a cell of the matrix over HTTP", () => {
  it.each([
    ...rowsOf(subjectOf("terms"), ["changed"], ["two-twins"]),
    ...rowsOf(subjectOf("rules"), ["gone"], ["twin"]),
    ...rowsOf(subjectOf("monitors"), ["new"], ["gone"]),
    ...rowsOf(subjectOf("primary-monitors"), ["changed"], ["same", "changed"]),
    ...rowsOf(subjectOf("dashboards"), ["new"], ["twin"]),
  ])("$subject.kind, source $source, target $target: $action", expectOverHttp);
});
