import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, Doubt } from "../../src/engine/settle/subtraction.ts";
import { subtract } from "../../src/engine/settle/subtraction.ts";
import { monitors } from "../../src/kinds/monitors.ts";
import type { EntityKind } from "../../src/kinds/kind.ts";
import { fingerprint } from "../../src/model/canonical.ts";
import { own } from "../../src/model/json.ts";
import { strip } from "../../src/model/shape.ts";
import { subEntityKeys } from "../../src/model/sub-entity.ts";
import { typedBody } from "./arbitraries.ts";
import { patience, runs } from "./runs.ts";
import type { Fields } from "./sketch.ts";
import { atTarget, partsOf, sent, shape, shuffler, uuidFor, write } from "./sketch.ts";

/** Objects of the tests' own shape, recognised by name; nothing is sent here. */
const kind: EntityKind = {
  ...monitors,
  name: "things",
  shape,
  naturalKey: (body) => [own(body, "title") ?? ""],
};

/** Contents differ by a field of their own, so that equal and different is known beforehand. */
interface Content {
  readonly title: string;
  readonly sketch: Fields;
}

/** What was sent, what of it arrived, and what somebody else made; all by the number of a content. */
interface Case {
  readonly contents: readonly Content[];
  readonly sent: readonly { readonly content: number; readonly committed: boolean }[];
  readonly foreign: readonly number[];
  readonly seed: number;
}

const cases: fc.Arbitrary<Case> = fc
  .array(fc.record({ title: fc.constantFrom("Email", "Phone", "__proto__"), sketch: typedBody }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((contents) => {
    const content = fc.nat({ max: contents.length - 1 });
    return fc.record({
      contents: fc.constant(contents),
      sent: fc.array(fc.record({ content, committed: fc.boolean() }), { minLength: 1, maxLength: 8 }),
      foreign: fc.array(content, { maxLength: 3 }),
      seed: fc.nat(),
    });
  });

/** Only foreign objects of contents that nobody sent. */
const undisturbed = cases.map((one): Case => ({ ...one, foreign: [] }));

function bodyOf({ contents }: Case, number: number): Fields {
  const { title, sketch } = contents[number] ?? { title: "", sketch: { is: "object", fields: [] } };
  const fields = sketch.fields.filter(([name]) => name !== "title" && name !== "content");
  return {
    is: "object",
    fields: [
      ["title", { is: "value", value: title }],
      ["content", { is: "value", value: `content ${number}` }],
      ...fields,
    ],
  };
}

interface Scene {
  readonly doubts: readonly Doubt[];
  readonly candidates: readonly Candidate[];
  readonly contentOf: (urn: string) => number;
}

function sceneOf(one: Case): Scene {
  const doubts = one.sent.map(({ content }, index): Doubt => {
    const body = strip(write(bodyOf(one, content), sent), shape);
    const source = `urn:data:dev:catalog:thing:${uuidFor("a", index)}`;
    const item = { source, name: `object ${index}`, fingerprint: fingerprint(body, shape), body };
    return {
      op: `run/${index}`,
      run: "run",
      kind: kind.name,
      step: "create",
      item,
      at: 0,
      reason: "no answer",
    };
  });
  const there = [
    ...one.sent.filter(({ committed }) => committed).map(({ content }) => content),
    ...one.foreign,
  ];
  const contents = new Map<string, number>();
  const candidates = there.map((content, index): Candidate => {
    const urn = `urn:data:prod:catalog:thing:${uuidFor("b", index)}`;
    contents.set(urn, content);
    const key = (id: number): string => uuidFor("d", index * 1000 + id);
    const body = write(bodyOf(one, content), {
      ...atTarget,
      key,
      order: shuffler(one.seed + index),
      served: true,
    });
    return { urn, name: `object ${index}`, body };
  });
  return {
    doubts: shuffler(one.seed)(doubts),
    candidates: shuffler(one.seed + 1)(candidates),
    contentOf: (urn) => contents.get(urn) ?? -1,
  };
}

function contentOf(one: Case, doubt: Doubt): number {
  return one.sent[Number(doubt.op.slice(4))]?.content ?? -1;
}

/** More that is new and was never sent goes by the name of this content than is still looked for. */
function hasStrangers(one: Case, { doubts, candidates, contentOf: there }: Scene, number: number): boolean {
  const titleOf = (content: number): string | undefined => one.contents[content]?.title;
  const sentOnes = new Set(doubts.map((doubt) => contentOf(one, doubt)));
  const found = new Set(candidates.map(({ urn }) => there(urn)));
  const isNamesake = (content: number): boolean => titleOf(content) === titleOf(number);
  const strangers = candidates.map(({ urn }) => there(urn)).filter((content) => !sentOnes.has(content));
  const lookedFor = doubts.map((doubt) => contentOf(one, doubt)).filter((content) => !found.has(content));
  return strangers.filter(isNamesake).length > lookedFor.filter(isNamesake).length;
}

describe("the generator", () => {
  it("makes twins, doubts that did not arrive, and objects of somebody else", () => {
    const sample = fc.sample(cases, { numRuns: 200, seed: 1 });
    const counts = (one: Case): readonly number[] =>
      one.contents.map((_, number) => one.sent.filter(({ content }) => content === number).length);
    expect(sample.some((one) => counts(one).some((count) => count > 2))).toBe(true);
    expect(sample.some((one) => one.foreign.some((number) => counts(one)[number] === 0))).toBe(true);
    expect(sample.some((one) => one.foreign.some((number) => (counts(one)[number] ?? 0) > 0))).toBe(true);
    expect(sample.some((one) => one.sent.some(({ committed }) => !committed))).toBe(true);
    const parts = sample.flatMap((one) => one.contents.map(({ sketch }) => partsOf(sketch).length));
    expect(Math.max(...parts)).toBeGreaterThan(2);
  });
});

describe("subtraction", () => {
  it(
    "answers every doubt once, and gives every object away once",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const { doubts, candidates } = sceneOf(one);
          const { taken, absent, ask } = subtract(kind, doubts, candidates);
          const answered = [...taken.map(({ doubt }) => doubt), ...absent, ...ask.map(({ doubt }) => doubt)];
          expect(answered.map(({ op }) => op).sort()).toEqual(doubts.map(({ op }) => op).sort());
          expect(new Set(taken.map(({ urn }) => urn)).size).toBe(taken.length);
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "never takes an object of other content",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const scene = sceneOf(one);
          for (const { doubt, urn } of subtract(kind, scene.doubts, scene.candidates).taken) {
            expect(scene.contentOf(urn)).toBe(contentOf(one, doubt));
          }
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "takes exactly what arrived when nobody else made the same, twins in any order",
    () => {
      fc.assert(
        fc.property(undisturbed, (one) => {
          const { doubts, candidates } = sceneOf(one);
          const { taken, absent, ask } = subtract(kind, doubts, candidates);
          expect(taken.map(({ urn }) => urn).sort()).toEqual(candidates.map(({ urn }) => urn).sort());
          expect(ask).toEqual([]);
          expect(absent.length).toBe(doubts.length - candidates.length);
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "asks when there are more of a content than were sent, and takes none of them",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const scene = sceneOf(one);
          const { taken, absent, ask } = subtract(kind, scene.doubts, scene.candidates);
          for (const number of one.contents.keys()) {
            const there = scene.candidates.filter(({ urn }) => scene.contentOf(urn) === number).length;
            const wanted = scene.doubts.filter((doubt) => contentOf(one, doubt) === number);
            const took = taken.filter(({ doubt }) => contentOf(one, doubt) === number).length;
            expect(took).toBe(there > wanted.length || hasStrangers(one, scene, number) ? 0 : there);
            if (there <= wanted.length) continue;
            const asked = ask.filter(({ doubt }) => contentOf(one, doubt) === number);
            expect(asked.length).toBe(wanted.length);
            for (const { candidates } of asked) expect(candidates.length).toBe(there);
            expect(absent.some((doubt) => contentOf(one, doubt) === number)).toBe(false);
          }
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "asks where something else that is new has the same natural key, and nothing says which of them is ours",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const scene = sceneOf(one);
          const { ask } = subtract(kind, scene.doubts, scene.candidates);
          for (const number of one.contents.keys()) {
            if (!hasStrangers(one, scene, number)) continue;
            const there = scene.candidates.filter(({ urn }) => scene.contentOf(urn) === number).length;
            if (there === 0) continue;
            const wanted = scene.doubts.filter((doubt) => contentOf(one, doubt) === number);
            expect(ask.filter(({ doubt }) => contentOf(one, doubt) === number).length).toBe(wanted.length);
          }
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "asks before it sends again what something new with the same natural key may be",
    () => {
      fc.assert(
        fc.property(cases, (one) => {
          const scene = sceneOf(one);
          const { taken, absent, ask } = subtract(kind, scene.doubts, scene.candidates);
          const used = new Set([
            ...taken.map(({ urn }) => urn),
            ...ask.flatMap(({ candidates }) => candidates.map(({ urn }) => urn)),
          ]);
          const title = (number: number): string => one.contents[number]?.title ?? "";
          for (const doubt of absent) {
            const rivals = scene.candidates.filter(
              ({ urn }) => !used.has(urn) && title(scene.contentOf(urn)) === title(contentOf(one, doubt)),
            );
            expect(rivals).toEqual([]);
          }
          for (const { candidates } of ask) expect(candidates.length).toBeGreaterThan(0);
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "does not depend on the order of the listing or of the doubts in what it decides",
    () => {
      fc.assert(
        fc.property(cases, fc.nat(), (one, seed) => {
          const scene = sceneOf(one);
          const decisions = (doubts: readonly Doubt[], candidates: readonly Candidate[]): unknown => {
            const { taken, absent, ask } = subtract(kind, doubts, candidates);
            const count = (list: readonly Doubt[]): readonly number[] =>
              list.map((doubt) => contentOf(one, doubt)).sort((left, right) => left - right);
            return [
              count(taken.map(({ doubt }) => doubt)),
              count(absent),
              count(ask.map(({ doubt }) => doubt)),
            ];
          };
          const order = shuffler(seed);
          expect(decisions(order(scene.doubts), order(scene.candidates))).toEqual(
            decisions(scene.doubts, scene.candidates),
          );
        }),
        runs(150),
      );
    },
    patience(),
  );

  it(
    "pairs every sub-entity of what it takes",
    () => {
      fc.assert(
        fc.property(undisturbed, (one) => {
          const { doubts, candidates } = sceneOf(one);
          for (const { doubt, urn, keys } of subtract(kind, doubts, candidates).taken) {
            const body = candidates.find((candidate) => candidate.urn === urn)?.body ?? {};
            const sourceKeys = partsOf(bodyOf(one, contentOf(one, doubt))).map(({ id }) => uuidFor("c", id));
            expect(Object.keys(keys).sort()).toEqual(sourceKeys.sort());
            expect(new Set(Object.values(keys))).toEqual(subEntityKeys(body));
          }
        }),
        runs(150),
      );
    },
    patience(),
  );
});
