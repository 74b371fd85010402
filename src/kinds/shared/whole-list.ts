import type { ReadClient } from "../../service/index.ts";
import type { Found, GivenKind, NotKnown } from "../kind.ts";
import { Begun } from "./begun.ts";

type ListOf = (client: ReadClient) => Promise<readonly Found[] | NotKnown>;

/**
 * A kind that is read by one list, whatever is wanted of it: begun as soon as something is. `narrow` leaves what was
 * wanted; without it the whole list is of use.
 */
export function wholeList(
  list: ListOf,
  narrow: (found: readonly Found[], urns: ReadonlySet<string>) => readonly Found[] = (found) => found,
): Pick<GivenKind, "read" | "candidates" | "foresee"> {
  const by = (get: ListOf): Pick<GivenKind, "read" | "candidates"> => ({
    async read(client, urns) {
      const found = await get(client);
      return "notKnown" in found ? found : narrow(found, urns);
    },
    candidates: (client) => get(client),
  });
  return {
    ...by(list),
    foresee({ client }) {
      const begun = new Begun(() => list(client));
      return {
        ...by((other) => begun.take() ?? list(other)),
        certain({ isWanted }) {
          if (isWanted) begun.begin();
        },
      };
    },
  };
}
