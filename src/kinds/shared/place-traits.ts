import type { Trait, TraitWords } from "../kind.ts";

/** What something imported is looked for by: the source that it is in, and its path from there. `there`: those that fit at the target. */
export function placeTraits(
  source: string | undefined,
  place: readonly string[],
  there: readonly (readonly string[])[],
  words: TraitWords,
): readonly Trait[] {
  const twin = source === undefined ? undefined : words.twin(source);
  const fits = new Set(there.map((path) => path.join("/")));
  return [
    {
      label: "source",
      value: nameOrUrn(source, words),
      fits: twin === undefined ? [] : [nameOrUrn(twin, words)],
      under: "sources",
    },
    { label: "path", value: place.join("/"), fits: [...fits], under: "paths" },
  ];
}

function nameOrUrn(urn: string | undefined, words: TraitWords): string {
  return urn === undefined ? "" : (words.nameOf(urn) ?? urn);
}
