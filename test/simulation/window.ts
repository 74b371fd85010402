import type { Books } from "./books.ts";
import type { Under } from "./breach.ts";
import { idOf } from "./kinds/index.ts";

/**
 * Between the last look at this very object, taken to write to it, and the write; what is asked after the request that
 * writes was sent, as where its answer was lost, comes too late to keep it back. Who asks for the draft sees nothing of what is
 * published, and is asked beside it.
 */
export function isInWindow(
  books: Books,
  under: Under | undefined,
  urn: string,
  touched: number,
  of: "published" | "draft" = "published",
): boolean {
  // Nobody was there any more to see it, or to keep back what had been sent.
  if (touched > (under?.overAt ?? Infinity)) return true;
  const addresses = books.addressesOf(urn);
  const isSteward = urn.startsWith(idOf("stewardship", ""));
  const looks = books.requests.filter(
    ({ method, path, received, isOfDraft, isBare, isOfSteward }) =>
      received <= books.sentAt &&
      !isBare &&
      (!isOfSteward || isSteward) &&
      // What is published says nothing of a draft (document 2, draftType).
      (of === "draft" ? isOfDraft || method !== "GET" : !isOfDraft) &&
      addresses.some((address) => path.includes(address)),
  );
  const since = under?.writesSince ?? Infinity;
  const last = looks.findLast(({ received }) => received <= touched);
  if (last === undefined) return false;
  // The request that writes was on its way already, or followed right after this look.
  const after = looks.filter(({ received }) => received > touched);
  const isOnItsWay = after.length === 0;
  // What is written is published by a second request.
  const wroteNext = after.length > 0 && after.every(({ method }) => method !== "GET");
  if (isOnItsWay) return last.received >= (under?.began ?? 0) && touched > last.received;
  return wroteNext && last.received >= since;
}
