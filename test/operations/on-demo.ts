import { afterEach, beforeEach } from "vitest";
import type { Tenant } from "../../src/emulator/index.ts";
import type { World } from "../support/world.ts";
import { world } from "../support/world.ts";

/** The demo, and both of its tenants: new for each test of the file. */
export function onDemo(
  begin: (at: { readonly demo: World; readonly source: Tenant; readonly target: Tenant }) => void,
): void {
  let demo: World;
  beforeEach(async () => {
    demo = await world("demo");
    const { emulator } = demo;
    begin({ demo, source: emulator.tenant("dev"), target: emulator.tenant("prod") });
  });
  afterEach(async () => demo.close());
}
