import { describe, it } from "vitest";
import { sourceStates, targetStates } from "./support/cells.ts";
import { subjects } from "./support/subjects.ts";
import { expectOverHttp, rowsOf } from "./support/wire.ts";

/** The whole matrix once more, with everything that stands around the diff; matrix.test.ts has it in memory. */
describe.each(subjects)("$kind", (subject) => {
  it.each(rowsOf(subject, sourceStates, targetStates))(
    "source $source, target $target: $action",
    expectOverHttp,
  );
});
