import { once } from "../../model/once.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { uuidOf } from "../../model/urn.ts";
import type { Pairs } from "./pairing.ts";

/** Twins of given things by their bare UUIDs; gathered for the first who asks, since few bodies hold such. */
export function twinUuids({ twins }: Pick<Pairs, "twins">): (uuid: string) => string | undefined {
  const all = once(() => {
    const uuids = new TextPairs();
    for (const [from, to] of twins) uuids.set(uuidOf(from), uuidOf(to));
    return uuids;
  });
  return (uuid) => all().get(uuid);
}
