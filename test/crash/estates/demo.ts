import { demoPairing, scenario } from "../../../src/emulator/scenarios/index.ts";
import type { Estate } from "./estate.ts";

/** The demo: something of every shape. Two rules of the condition builder cannot be moved, so it is done in part. */
export const demo: Estate = {
  name: "demo",
  pairing: demoPairing,
  flags: [],
  except: ["rule Fuel level (built)", "rule Supplier has a contact (built)"],
  twins: [],
  done: 4,
  prepare: (emulator) => scenario("demo")?.prepare(emulator),
};
