import { expect, test } from "vitest";
import type { Waiting } from "../../src/operations/acknowledge.ts";
import { meant } from "../../src/operations/acknowledge.ts";
import type { Contested } from "../../src/operations/decide.ts";
import { contestedNamed } from "../../src/operations/decide.ts";

const urn = "urn:data:dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000001";
const primary = { kind: "primary-monitors", selectedAs: "monitors", urn, name: "CUSTOMER" };
const rule = { kind: "rules", selectedAs: "rules", urn: urn.replace("dq-monitor", "rule"), name: "CUSTOMER" };

test.each([
  [`monitors:${urn}`, [primary]],
  ["monitors:CUST*", [primary]],
  ["primary-monitors:CUSTOMER", [primary]],
  ["rules:CUSTOMER", [rule]],
  ["CUSTOMER", [primary, rule]],
  ["terms:CUSTOMER", []],
])("%s means a thing by the plan's word for its kind as well", (word, found) => {
  const all = [primary, rule];
  expect(meant(all as unknown as readonly Waiting[], word)).toEqual(found);
  expect(contestedNamed(all as unknown as readonly Contested[], word)).toEqual(found);
});
