import type { Trait, TraitWords } from "../kind.ts";

/** What something imported is looked for by: the source that it is in, and its path from there. */
export function placeTraits(
  source: string | undefined,
  place: readonly string[],
  words: TraitWords,
): readonly Trait[] {
  const twin = source === undefined ? undefined : words.twin(source);
  const path = place.join("/");
  const renamed = place.map((part) => words.rename(part)).join("/");
  return [
    {
      label: "source",
      value: nameOrUrn(source, words),
      fits: twin === undefined ? [] : [nameOrUrn(twin, words)],
      under: "sources",
    },
    { label: "path", value: path, fits: [...new Set([renamed, path])], under: "paths" },
  ];
}

function nameOrUrn(urn: string | undefined, words: TraitWords): string {
  return urn === undefined ? "" : (words.nameOf(urn) ?? urn);
}
