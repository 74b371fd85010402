import type { Estate } from "./estate.ts";
import { miniChanged } from "./mini-changed.ts";

/**
 * The changed estate, moved in peace and then taken back: creates of what was deleted, reverse patches with their
 * publishing, deletes. A dashboard cannot be deleted, so that none is new.
 */
export const miniBack: Estate = {
  ...miniChanged,
  name: "mini-back",
  back: true,
  change(source, emulator) {
    miniChanged.change?.(source, emulator);
    for (const { urn, published } of Array.from(source.dashboards.values()))
      if (published?.["name"] === "Strict") source.dashboards.delete(urn);
  },
};
