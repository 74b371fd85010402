import type { Registry } from "../kinds/registry.ts";
import { keyText } from "../model/key.ts";
import { shellWord } from "../model/shell-word.ts";

/**
 * What a person writes in a command to mean an object: what lies over another one has that one's URN, which alone would mean several.
 * As a shell takes it: URNs come from a service.
 */
export function wordFor(registry: Registry, kind: string, urn: string): string {
  return shellWord(registry.owns(kind) ? urn : keyText(kind, urn));
}
