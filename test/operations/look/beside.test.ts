import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { apply } from "../../diff/support/run.ts";
import { atRest, isAsBefore, plan } from "./support.ts";

const files = { kept: "files" } as const;

describe("the last diff", () => {
  test.each(["", "{", "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"])(
    "is made anew where its file says %j",
    async (text) => {
      const at = await atRest(files);
      const { diff } = at.world.places(plan);
      const before = readFileSync(diff, "utf8");
      writeFileSync(diff, text);
      const result = await apply(at, plan);
      expect([result.exitCode, isAsBefore(result)]).toEqual([0, false]);
      expect(readFileSync(diff, "utf8")).toBe(before);
    },
  );
});
