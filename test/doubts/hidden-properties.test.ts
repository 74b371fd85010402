import { expect, test } from "vitest";
import { subtract } from "../../src/engine/settle/subtraction.ts";
import type { EntityKind } from "../../src/kinds/kind.ts";
import { terms } from "../../src/kinds/terms.ts";
import { fingerprint } from "../../src/model/canonical.ts";
import type { JsonObject } from "../../src/model/json.ts";

/** The model of the target has no property `owner` by now, or lets nobody change it: no list shows it any more. */
const kind: EntityKind = {
  ...terms,
  misfits: (body) =>
    "extraProperties" in body
      ? [{ about: "owner", reason: "it has no owner", place: ["extraProperties", "owner"] }]
      : [],
};
const source = "urn:data:dev:catalog:term:00000000-0000-4000-8000-000000000001";
const urn = "urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000002";

function left(body: JsonObject, shown: JsonObject): readonly number[] {
  const item = { source, name: "Customer", body, fingerprint: fingerprint(body, kind.shape) };
  const doubt = { op: "1", run: "run", kind: "terms", step: "create", item, at: 0, reason: "no answer" };
  const { taken, absent, ask } = subtract(kind, [doubt], [{ urn, name: "it", body: { urn, ...shown } }]);
  return [taken.length, ask.length, absent.length];
}

const sent = { name: "Customer", type: "businessTerm", extraProperties: { owner: "Grace" } };

test.each([
  ["renamed since, and shown without it", { name: "Phone", type: "businessTerm" }, [0, 1, 0]],
  ["renamed since, and shown with it", { ...sent, name: "Phone" }, [0, 1, 0]],
  ["something else", { name: "Phone", type: "businessTerm", description: "theirs" }, [0, 0, 1]],
])("a creation without an answer, whose property the model hides since then: %s", (_what, shown, told) => {
  expect(left(sent, shown)).toEqual(told);
});
