import { expect, test } from "vitest";
import { Runner } from "../../src/engine/runs/runner.ts";
import type { RunnerOptions } from "../../src/engine/runs/runner.ts";
import { documentationFlows } from "../../src/kinds/documentation-flows.ts";

/** What runs there already is asked before a start: by what is new afterwards a lost answer is settled. */
async function started(
  lists: readonly (readonly string[])[],
): Promise<{ readonly state: string; readonly known: readonly unknown[] }> {
  const left = [...lists];
  const known: unknown[] = [];
  const kind = {
    ...documentationFlows,
    seen: async () => left.shift() ?? [],
    start: {
      ...documentationFlows.start,
      send: async () => [{ state: "refused", reason: "no" }] as const,
    },
  };
  const recorder = {
    intent: async (
      _kind: string,
      _step: unknown,
      [item]: readonly { readonly body: { readonly known?: unknown } }[],
    ) => {
      known.push(item?.body.known);
      return { op: "op" };
    },
    sent: async () => undefined,
    outcome: async () => undefined,
  };
  const stop = new AbortController().signal;
  const options = { client: {}, recorder, stop } as unknown as RunnerOptions;
  const { state } = await new Runner(kind, options).start({ key: "Import", name: "Import", body: {} });
  return { state, known };
}

test("a list that names one run twice is read once more", async () => {
  expect(
    await started([
      ["urn:a", "urn:a"],
      ["urn:a", "urn:b"],
    ]),
  ).toEqual({
    state: "refused",
    known: [["urn:a", "urn:b"]],
  });
});

test("where it does so again nothing is started: the one that it does not name would be taken for new", async () => {
  expect(await started([["urn:a", "urn:a"], ["urn:a", "urn:a"], []])).toEqual({
    state: "refused",
    known: [],
  });
});

test("one that is empty is read again until three of them were", async () => {
  expect(await started([[], ["urn:a"]])).toEqual({ state: "refused", known: [["urn:a"]] });
  expect(await started([[], [], ["urn:a"]])).toEqual({ state: "refused", known: [["urn:a"]] });
  expect(await started([[], [], [], ["urn:a"]])).toEqual({ state: "refused", known: [[]] });
});

test("what the first look has shown counts where the second one is empty", async () => {
  expect(await started([["urn:a", "urn:a"], []])).toEqual({ state: "refused", known: [["urn:a"]] });
});
