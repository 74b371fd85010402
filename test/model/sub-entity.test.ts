import { describe, expect, it } from "vitest";
import {
  correlatedKeys,
  isAssignedKey,
  isSubEntityMap,
  isTemporaryKey,
  keysFromCorrelationIds,
  sourceKeyOf,
  subEntityKeys,
  temporaryKey,
} from "../../src/model/sub-entity.ts";
import { newKey, sourceKey, targetKey } from "./ids.ts";

describe("keys", () => {
  it("are temporary with new_, and 36 characters after it are the limit that a UUID fills", () => {
    expect(temporaryKey(sourceKey(1))).toBe(newKey(1));
    expect(newKey(1).length).toBe("new_".length + 36);
    expect([isTemporaryKey(newKey(1)), isTemporaryKey(sourceKey(1))]).toEqual([true, false]);
    expect([sourceKeyOf(newKey(1)), sourceKeyOf(sourceKey(1))]).toEqual([sourceKey(1), sourceKey(1)]);
  });

  it("are assigned or stand for an assigned one", () => {
    expect([sourceKey(1), newKey(1), "new_email", "name", ""].map(isAssignedKey)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a map of sub-entities", () => {
  it("has keys, and every one of them is assigned or temporary", () => {
    expect(isSubEntityMap({ [sourceKey(1)]: {}, [newKey(2)]: 1 })).toBe(true);
    expect(isSubEntityMap({ [sourceKey(1)]: {}, name: {} })).toBe(false);
    for (const value of [{}, [], null, undefined, "a"]) expect(isSubEntityMap(value)).toBe(false);
  });

  it("is found at every level, in arrays too", () => {
    const body = {
      groups: { [sourceKey(1)]: { inputs: { [newKey(2)]: {} } } },
      list: [{ parts: { [sourceKey(3)]: 1 } }],
      mixed: { [sourceKey(4)]: 1, a: 1 },
    };
    expect([...subEntityKeys(body)]).toEqual([sourceKey(1), newKey(2), sourceKey(3)]);
  });
});

describe("the keys that an answer assigns", () => {
  it("stand beside the temporary ones in correlationId, at every level", () => {
    const answer = {
      groups: {
        [targetKey(1)]: {
          correlationId: newKey(1),
          inputs: { [targetKey(2)]: { correlationId: newKey(2) } },
        },
      },
      list: [{ parts: { [targetKey(3)]: { correlationId: newKey(3) } } }],
      old: {
        [targetKey(4)]: { correlationId: "not a temporary key" },
        [targetKey(5)]: { name: "was there" },
      },
    };
    expect(correlatedKeys(answer)).toEqual({
      [sourceKey(1)]: targetKey(1),
      [sourceKey(2)]: targetKey(2),
      [sourceKey(3)]: targetKey(3),
    });
    expect(correlatedKeys("text")).toEqual({});
  });

  it("come as a list from a batch; what is no key is left out", () => {
    expect(keysFromCorrelationIds({ [newKey(1)]: targetKey(1), [newKey(2)]: 7 })).toEqual({
      [sourceKey(1)]: targetKey(1),
    });
    expect(keysFromCorrelationIds(undefined)).toEqual({});
  });
});
