import type { Registry } from "../kinds/registry.ts";
import { keyText } from "../model/key.ts";

/** What a person writes to mean an object: what lies over another one has that one's URN, which alone would mean several. */
export function wordFor(registry: Registry, kind: string, urn: string): string {
  return registry.owns(kind) ? urn : keyText(kind, urn);
}
