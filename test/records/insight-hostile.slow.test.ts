import { describe, expect, onTestFinished, test, vi } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** What is asked about rows for people, of a server whose answers cannot be true, or are none: no sentence is made of them. */

/** From now on this is what is answered there; a number is a status, with an error as document 3 has it. */
function answered(path: RegExp, what: string | number): void {
  const real = globalThis.fetch;
  const stub: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!path.test(new URL(url).pathname)) return real(input, init);
    const [body, status] =
      typeof what === "string" ? [what, 200] : [JSON.stringify({ message: "no", exception: "x" }), what];
    const location: Record<string, string> = status === 302 ? { location: "/elsewhere" } : {};
    return new Response(body, { status, headers: { "content-type": "application/json", ...location } });
  };
  vi.stubGlobal("fetch", stub);
  onTestFinished(() => void vi.unstubAllGlobals());
}

function told({ changes }: Result, code: string): readonly string[] {
  return changes.flatMap(({ diagnostics }) =>
    diagnostics.filter((found) => found.code === code).map(({ summary }) => summary),
  );
}

const master = (id: number): object => ({ type: "party", metadata: { id }, attributes: { cmo_name: "Ada" } });
const match = { matchRelatedId: 1, matchQuality: 1, matchRuleName: "same_email" };

describe("which master a new instance would join is not known", () => {
  async function asked(path: RegExp, what: string | number): Promise<readonly string[]> {
    const here = await stage([party]);
    put(here.dev, "1", { src_name: "Ada" });
    answered(path, what);
    const result = await here.diff({ identify: 100 });
    expect([result.exitCode, result.summary.create]).toEqual([exitCodes.done, 1]);
    return told(result, "row-identified");
  }

  test.each([
    ["of something else", JSON.stringify({ error: "failed" })],
    ["of a match without its record", JSON.stringify({ matchMetadata: match })],
    ["of a record whose id is none", JSON.stringify({ matchMetadata: match, record: master(1.5) })],
    ["that asks for another sign-in", 401],
    ["that leads elsewhere", 302],
  ])("by an answer %s", async (_name, what) => {
    const [all, row] = await asked(/\/identify$/, what);
    expect(all).toBe("of 1 new instance, as the target is now, of 1 it is not known");
    expect(row).toContain("could not be asked about");
  });

  test.each([
    ["the views", /rest\/master$/],
    ["the entities of a view", /rest\/master\/\w+$/],
  ])("where %s are told in no form that is known", async (_name, path) => {
    expect(await asked(path, JSON.stringify({ views: "masters" }))).toEqual([
      expect.stringContaining("which master views show them it tells in no form that is known"),
    ]);
  });
});

test.each(["", "{}", "null", JSON.stringify({ proposals: [] }), JSON.stringify({ matchMetadata: null })])(
  "nothing is an answer: %j",
  async (what) => {
    const here = await stage([party]);
    put(here.dev, "1", { src_name: "Ada" });
    answered(/\/identify$/, what);
    const [all] = told(await here.diff({ identify: 100 }), "row-identified");
    expect(all).toContain("1 would be a master of its own");
  },
);

describe("since when a row is otherwise", () => {
  async function drifted(): Promise<Stage> {
    const here = await stage([party]);
    here.prod.historised.instance.add("party");
    put(here.dev, "A", { src_name: "ours" });
    await here.apply();
    put(here.prod, "A", { src_name: "theirs" });
    return here;
  }
  const versions = (...all: readonly (readonly [from: string, name: string])[]): string =>
    JSON.stringify(
      all.map(([validFrom, src_name]) => ({ metadata: { id: 1, validFrom }, attributes: { src_name } })),
    );

  test.each([
    [
      "is not what the target shows",
      versions(["2026-02-01T00:00:00Z", "another"], ["2026-01-01T00:00:00Z", "x"]),
    ],
    ["comes last", versions(["2026-01-01T00:00:00Z", "theirs"], ["2026-02-01T00:00:00Z", "ours"])],
  ])("is not told where the newest word of the history %s", async (_name, what) => {
    const here = await drifted();
    answered(/\d\/history$/, what);
    const result = await here.diff();
    expect([result.summary.drift, told(result, "row-history")]).toEqual([1, []]);
  });

  test.each([401, 302, "<html>"])("is not known where the answer is %s, and that is told", async (what) => {
    const here = await drifted();
    answered(/\d\/history$/, what);
    const result = await here.diff();
    expect([result.summary.drift, told(result, "row-history")]).toEqual([
      1,
      [expect.stringMatching(/^the history of rows that were otherwise could not be looked at: GET /)],
    ]);
  });

  test.each([401, 302, "<html>", ""])(
    "keeps nothing from being moved where what is kept of it is answered with %j",
    async (what) => {
      const here = await drifted();
      put(here.dev, "B", { src_name: "new" });
      answered(/\/history\/metadata$/, what);
      const result = await here.apply();
      expect([result.exitCode, result.summary]).toMatchObject([exitCodes.partial, { create: 1, drift: 1 }]);
      expect(result.diagnostics.map(({ summary }) => summary)).toEqual([
        expect.stringMatching(/^party: prod \(master data\) shows no history of it \(GET /),
        "1 row was changed or removed at the target since the last apply, and is left",
      ]);
      expect(here.prod.instances("party")?.size).toBe(2);
    },
  );
});
