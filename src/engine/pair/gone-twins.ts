import type { GivenKind } from "../../kinds/kind.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import type { ReadClient } from "../../service/index.ts";

/**
 * Of given things that a person paired: which twins the target has no more. What its list of candidates does not show is
 * asked for by itself, and where that is not answered the person's word stands.
 */
export async function goneTwins(options: {
  readonly client: ReadClient;
  readonly kind: GivenKind;
  readonly said: Iterable<string>;
  /** What was read of the target so far. */
  readonly seen: { has(urn: string): boolean };
}): Promise<ReadonlySet<string>> {
  const { client, kind, said, seen } = options;
  const gone = new Set<string>();
  for (const urn of said) if (!seen.has(urn)) gone.add(urn);
  if (gone.size === 0) return gone;
  const found = await kind.read(client, gone, () => new TextSet());
  if ("notKnown" in found) return new Set();
  for (const { urn } of found) gone.delete(urn);
  return gone;
}
