import { expect, onTestFinished, test } from "vitest";
import * as emulator from "../../src/emulator/seed.ts";
import { useStage } from "../cli/support/stage.ts";
import * as a from "./support/answers.ts";
import type { Answer } from "./support/front.ts";
import { Front } from "./support/front.ts";

const stage = useStage();

/** JSON, whoever answers. */
const json = (content: object): Answer =>
  a.status(404, JSON.stringify(content), { "content-type": "application/json" });

const answers: readonly (readonly [string, Answer])[] = [
  ["a gateway", json({ message: "no Route matched with those values" })],
  ["a framework", json({ timestamp: "2026-11-25T13:00:00Z", status: 404, error: "Not Found", path: "/x" })],
  ["a problem of no type of its own", json({ type: "about:blank", title: "Not Found", status: 404 })],
  [
    "the service itself",
    json({ type: "RESOURCE_NOT_FOUND", title: "Resource Not Found", detail: "no term" }),
  ],
];

async function moved(): Promise<Front> {
  emulator.seedTerm(stage().dev, { name: "A", description: "d" });
  emulator.seedTerm(stage().dev, { name: "B", description: "d" });
  const front = await Front.start();
  onTestFinished(async () => front.close());
  front.upstream = stage().emulator.url;
  stage().plan({ source: { baseUrl: `${front.url}/dev` }, target: { baseUrl: `${front.url}/prod` } });
  expect((await stage().ferry("apply move --yes")).code).toBe(0);
  return front;
}

function there(): readonly (string | undefined)[] {
  return [...stage().prod.terms.values()].map(({ published }) => published?.name);
}

function refuseDeletes(front: Front, answer: Answer): void {
  front.hostile = [{ at: "prod DELETE /api/catalog/v1/terms/*", unheard: true, answer }];
}

test.each(answers)(
  "a delete that %s does not find is not done while the object is there",
  async (_who, answer) => {
    const front = await moved();
    const [gone] = stage().dev.terms.values();
    if (gone !== undefined) stage().dev.terms.delete(gone.urn);
    refuseDeletes(front, answer);
    const { code, stdout } = await stage().ferry("sync move --yes --allow-delete");
    expect([code, there()]).toEqual([4, ["A", "B"]]);
    expect(stdout).toContain('terms "A": delete failed');
    front.hostile = [];
    // Its row is kept: it is deleted as soon as that can be done.
    expect((await stage().ferry("apply move --yes --allow-delete")).code).toBe(0);
    expect(there()).toEqual(["B"]);
  },
);

test.each(answers)("and so it is for a rollback: %s", async (_who, answer) => {
  const front = await moved();
  refuseDeletes(front, answer);
  expect((await stage().ferry("rollback move --yes --allow-delete")).code).toBe(4);
  expect(there()).toEqual(["A", "B"]);
});

test("an item of a batch that is said not to exist, and is there when it is read, is not deleted", async () => {
  const product = emulator.seedEntity(stage().dev, {
    concreteType: "dataProduct",
    parentProperty: "dataProducts",
    properties: { name: "Sales" },
  });
  const front = await Front.start();
  onTestFinished(async () => front.close());
  front.upstream = stage().emulator.url;
  stage().plan({
    source: { baseUrl: `${front.url}/dev` },
    target: { baseUrl: `${front.url}/prod` },
    select: { kinds: ["entities"], entityTypes: ["dataProduct"] },
  });
  expect((await stage().ferry("apply move --yes")).code).toBe(0);
  stage().dev.entities.delete(product.urn);
  const error = { type: "RESOURCE_NOT_FOUND", title: "Resource Not Found", detail: "no such entity" };
  const answer: Answer = ({ asked }, out) => {
    const { data } = JSON.parse(asked) as { readonly data: readonly { readonly id: string }[] };
    out.writeHead(207, { "content-type": "application/json" });
    out.end(JSON.stringify({ results: data.map(({ id }) => ({ id, status: error.type, error })) }));
  };
  front.hostile = [{ at: "prod POST /api/catalog/v1/entities/batch/delete", unheard: true, answer }];
  const { code, stdout } = await stage().ferry("apply move --yes --allow-delete");
  expect([code, stdout]).toEqual([4, expect.stringContaining("it is there when it is read")]);
  front.hostile = [];
  const again = await stage().ferry("apply move --yes --allow-delete");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 change made")]);
});
