import type { Emulator } from "../index.ts";
import type { MasterData } from "../master-data/master-data.ts";
import type { Tenant } from "../tenant.ts";
import { prepareDemo } from "./demo/index.ts";
import { prepareEmpty } from "./empty.ts";
import { prepareLarge } from "./large.ts";
import { prepareParties } from "./master-data/demo.ts";
import { prepareManyParties } from "./master-data/many.ts";

export { demoPairing, demoQueries, type Pairing } from "./demo/pairing.ts";

/** Ready-made content for an emulator. */
export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** The source first. */
  readonly tenants: readonly [source: string, target: string];
  /** Fills the tenants of the emulator, which have to be there and empty. */
  prepare(emulator: Emulator): void;
}

const tenants = ["dev", "prod"] as const;
const largest = 1_000_000;

/** For help texts. */
export const scenarioNames: readonly string[] = ["demo", "empty", "large:N", "records:N"];

/** The scenario of a name: `demo`, `empty`, or `large:N` and `records:N` for an N of 1 to 1,000,000. */
export function scenario(name: string): Scenario | undefined {
  if (name === "demo")
    return of(
      name,
      "A small online grocer, with something of every shape to move.",
      prepareDemo,
      prepareParties,
    );
  if (name === "empty")
    return of(name, "Two environments that have the same sources, and nothing to move.", prepareEmpty);
  const [, what, digits] = /^(large|records):([1-9]\d{0,6})$/.exec(name) ?? [];
  const size = Number(digits ?? 0);
  if (size < 1 || size > largest) return undefined;
  if (what === "records") {
    return of(
      name,
      `${size} parties at the master-data server of the source.`,
      prepareEmpty,
      (source, target) => prepareManyParties(source, target, size),
    );
  }
  const summary = `${size} rules and monitors, half as many terms, up to 200 dashboards.`;
  return of(name, summary, (source, target) => prepareLarge(source, target, size));
}

function of(
  name: string,
  summary: string,
  fill: (source: Tenant, target: Tenant) => void,
  fillRecords: (source: MasterData, target: MasterData) => void = () => {},
): Scenario {
  return {
    name,
    summary,
    tenants,
    prepare: (emulator) => {
      fill(emulator.tenant(tenants[0]), emulator.tenant(tenants[1]));
      if (emulator.servesMasterData)
        fillRecords(emulator.masterData(tenants[0]), emulator.masterData(tenants[1]));
    },
  };
}
