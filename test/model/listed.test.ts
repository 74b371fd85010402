import { describe, expect, it } from "vitest";
import type { AppliedChange, Change } from "../../src/model/change.ts";
import { become, ChangeList, joined, packed, withSome } from "../../src/model/packed/change-list.ts";
import { altered, Changes } from "../../src/model/packed/changes.ts";
import { few, inTurn, listed, mapped, Selection } from "../../src/model/packed/listed.ts";

const many = few + 1;
const numbers = Array.from({ length: many }, (_, place) => place * 2);

describe.each([
  ["few", few],
  ["many", many],
])("a list of %s", (_how, length) => {
  const list = listed(length, (place) => ({ place }));
  const same = Array.from({ length }, (_, place) => ({ place }));

  it("is to whoever gets it a list like any other", () => {
    expect(Array.isArray(list)).toBe(true);
    expect(list).toHaveLength(length);
    expect([...list]).toEqual(same);
    expect(JSON.stringify(list)).toBe(JSON.stringify(same));
    expect(Object.keys(list)).toEqual(Object.keys(same));
    expect(list).toEqual(same);
    expect([list[0], list.at(-1), list[length]]).toEqual([{ place: 0 }, { place: length - 1 }, undefined]);
    expect([0 in list, length in list, "01" in list, "map" in list]).toEqual([true, false, false, true]);
    expect(list.slice(1, 3)).toEqual([{ place: 1 }, { place: 2 }]);
    expect(list.filter(({ place }) => place % 1_000 === 7)).toEqual(
      same.filter(({ place }) => place % 1_000 === 7),
    );
    expect(list.findIndex(({ place }) => place === length - 2)).toBe(length - 2);
    expect(list.flatMap(({ place }) => (place < 2 ? [place, place] : []))).toEqual([0, 0, 1, 1]);
    expect(list.toSorted((a, b) => b.place - a.place)[0]).toEqual({ place: length - 1 });
    expect(Array.from(list.entries()).at(-1)).toEqual([length - 1, { place: length - 1 }]);
    expect(
      list
        .values()
        .drop(length - 1)
        .toArray(),
    ).toEqual([{ place: length - 1 }]);
  });
});

describe("a list of many", () => {
  it("makes what is in it when it is asked for it, and nothing before", () => {
    const asked: number[] = [];
    const list = mapped(
      listed(many, (place) => {
        asked.push(place);
        return place;
      }),
      (place) => -place,
    );
    expect(asked).toEqual([]);
    expect([list.length, list[7]]).toEqual([many, -7]);
    expect(asked).toEqual([7]);
  });

  it("is not to be changed", () => {
    const list = listed(many, (place) => place) as number[];
    expect(() => {
      list[0] = 1;
    }).toThrow(TypeError);
    expect(() => list.push(1)).toThrow(TypeError);
    expect(Reflect.deleteProperty(list, 0)).toBe(false);
    expect(() => {
      list.length = 0;
    }).toThrow(TypeError);
    expect([list[0], list.length]).toEqual([0, many]);
  });

  it("follows others, some of them empty, in their order", () => {
    const list = inTurn([[], numbers, [], [-1], numbers.slice(0, 2)]);
    expect([...list]).toEqual([...numbers, -1, 0, 2]);
    expect([list[many], list[many + 1], list[many + 3]]).toEqual([-1, 0, undefined]);
    expect(inTurn([])).toEqual([]);
  });

  it("is what was selected, in the order of the selection", () => {
    const selection = new Selection();
    for (let place = many - 1; place >= 0; place -= 1) selection.push(place);
    selection.put(0, 3);
    const [first, ...rest] = selection.of(numbers);
    expect([selection.length, first]).toEqual([many, 6]);
    expect(rest).toEqual(numbers.toReversed().slice(1));
    expect(selection.values()).toHaveLength(many);
  });
});

function changeOf(place: number, more: Partial<Change> = {}): Change {
  const urn = `urn:x:dev:catalog:term:00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
  return {
    id: `terms:${urn}`,
    action: "create",
    kind: "terms",
    source: { urn, name: `Term ${place}` },
    reason: "nothing at the target stands for it",
    fields: [],
    diagnostics: [],
    dependsOn: place % 3 === 0 ? ["rules:a"] : [],
    ...more,
  };
}

describe.each([
  ["few", 12],
  ["many", many + 12],
])("a list of %s changes", (_how, length) => {
  const plain = Array.from({ length }, (_, place) => changeOf(place));

  function kept(): Change[] {
    const changes = new Changes();
    // What is put otherwise, alone or alike, and what is an object of its own stand among the others.
    const done: Partial<AppliedChange> = { outcome: "done" };
    return plain.map((change, place) => {
      if (place % 5 === 1) return change;
      const one = changes.keep(change);
      if (place % 5 === 2) return altered(one, { reason: `for reason ${place}` });
      return place % 5 === 3 ? altered<AppliedChange>(one, done) : one;
    });
  }

  it("says what went in, at each place", () => {
    const all = kept();
    const list = packed(all);
    expect(list.map((change) => ({ ...change }))).toEqual(all.map((change) => ({ ...change })));
  });

  it("takes another one for a place, and leaves the list that it came from as it was", () => {
    const all = kept();
    const list = packed(all);
    const other = changeOf(1, { action: "manual" });
    const last = list.length - 1;
    const put = withSome(list, new Map([[last, other]]));
    expect([put[last], put[0]]).toEqual([other, all[0]]);
    expect(list[last]).toEqual(all[last]);
    expect(withSome(list, new Map())).toBe(list);
    const filled = new ChangeList<Change>();
    for (const change of all) filled.push(change);
    filled.set(2, other);
    filled.set(3, all[4] ?? other);
    expect([filled.length, filled.all()[2], filled.all()[3]]).toEqual([all.length, other, all[4]]);
  });

  it("is the list itself where nothing becomes another one, and else one in which that is in its place", () => {
    const list = packed(kept());
    expect(become(list, (change) => change)).toBe(list);
    for (const at of [0, 7, list.length - 1]) {
      const others = become(list, (change) => {
        return change.id === plain[at]?.id ? { ...change, reason: "another" } : change;
      });
      expect(others).toHaveLength(list.length);
      expect(others.flatMap(({ reason }, place) => (reason === "another" ? [place] : []))).toEqual([at]);
      for (const place of [0, 1, 6, 8, list.length - 2])
        if (place !== at) expect(others[place]).toEqual(list[place]);
    }
  });

  it("comes after another one", () => {
    const list = joined(packed(kept()), [changeOf(-1)], packed(kept().slice(0, 2)));
    expect(list).toHaveLength(length + 3);
    expect(list[length]).toEqual(changeOf(-1));
    expect(list.at(-1)).toEqual(plain[1]);
  });
});

it("two that are put otherwise in the same way share what they have in common", () => {
  const changes = new Changes();
  const over: Partial<AppliedChange> = { outcome: "done" };
  const list = new ChangeList<Change>();
  let made = 0;
  for (let place = 0; place < many; place += 1) list.push(altered(changes.keep(changeOf(place)), over));
  for (const change of list.all()) made += change.id === changeOf(made).id && "outcome" in change ? 1 : 0;
  expect(made).toBe(many);
  // Of what is shared there is one for each form of change: with and without something that it waits for.
  expect(list.forms).toBe(2);
});
