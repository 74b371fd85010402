import type { User, Users, UsersOptions } from "../checks/users.ts";
import { findUsers } from "../checks/users.ts";
import type { Said } from "../checks/said-of.ts";
import { notBrought, saidBySomebody } from "../checks/said-of.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import { removeStep } from "../facets/steps.ts";
import { printOf } from "../../model/canonical.ts";
import { isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { referenced } from "../../model/walk.ts";
import type { NotSeen } from "../checks/not-seen.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isDelete, isPossible } from "./plan.ts";
import { leadsTo } from "./leads-to.ts";
import { gone as goneWith, goingWithIt } from "./with-it.ts";
import { leftAsItIs } from "./words.ts";

/**
 * What the run created is not deleted while something at the target refers to it that stays as it is, whichever kinds
 * the run was about: the reference would lead nowhere. What this rollback changes lets go of it first.
 */
export async function withoutReferred(
  planned: readonly Planned[],
  context: PlanContext,
  options: Pick<UsersOptions, "client" | "report">,
): Promise<readonly Planned[]> {
  const gone = planned.filter(isDelete).map(({ deed }) => ({ kind: deed.kind, urn: deed.target }));
  if (gone.length === 0) return planned;
  const { registry, standing } = context;
  const users = await findUsers(gone, { ...options, registry, snapshot: standing.snapshot });
  const stays = (user: User, urn: string): boolean =>
    !planned.some((item) => letsGo(item, user, urn, users, context) || isOfTheRun(item, user, urn, context));
  const said = await saidOf(planned, context, options.client);
  const again = ledToAgain(planned, new TextSet(gone.values().map(({ urn }) => urn)));
  // What lies over it, and the run had nothing to do with, goes with it, as it does where an apply deletes it. What the run
  // has written there, and somebody has changed since, keeps it, and so does what somebody else has said of it.
  const deeds = new TextSet(planned.values().map(({ deed }) => keyText(deed.kind, deed.target)));
  const { going: withIt, keeping } = await goingWithIt(planned, context, options.client);
  // What is left may refer to others that were to be deleted, and so on.
  for (let current = planned; ;) {
    const deletes = new TextSet(
      current
        .values()
        .filter(isDelete)
        .map(({ change }) => change.id),
    );
    const holderOf = ({ change }: Planned): string | undefined => {
      const holder = withIt.get(change.id);
      return holder !== undefined && deletes.has(holder) ? holder : undefined;
    };
    const going = new TextSet(
      current
        .values()
        .filter((item) => isDelete(item) || holderOf(item) !== undefined)
        .map(({ deed }) => keyText(deed.kind, deed.target)),
    );
    let kept = false;
    const next = current.map((item): Planned => {
      if (!isDelete(item)) return item;
      const keeper = keeping.get(item.change.id);
      if (keeper !== undefined) {
        kept = true;
        return keptBy(item, keeper);
      }
      const word = said.get(item.change.id);
      if (word !== undefined) {
        kept = true;
        return word.state === "changed" ? keptByWord(item, word) : notKnown(item, word.unseen);
      }
      const { target } = item.deed;
      const back = again.get(target);
      if (back !== undefined) {
        kept = true;
        return referredAgain(item, back);
      }
      const user = users
        .of(target)
        .find(
          (one) =>
            !going.has(keyText(one.kind, one.urn)) &&
            !(one.over === target && !deeds.has(keyText(one.kind, one.urn))) &&
            stays(one, target),
        );
      const unseen = users.unknown(item.kind.name);
      if (user !== undefined) {
        kept = true;
        return stillReferred(item, user);
      }
      if (unseen === undefined) return item;
      kept = true;
      return notKnown(item, unseen);
    });
    if (!kept)
      return next.map((item) => {
        const holder = holderOf(item);
        return holder === undefined ? item : goneWith(item, holder);
      });
    current = next;
  }
}

/**
 * By URN of what is to be deleted, what is to lead to it again: somebody had it do so when one of the runs had made that, and the next one
 * wrote over it.
 */
function ledToAgain(planned: readonly Planned[], gone: TextSet): ReadonlyMap<string, Planned> {
  return new Map(
    planned.flatMap((item) =>
      leadsTo(item)
        .filter((urn) => urn !== item.deed.target && gone.has(urn))
        .map((urn) => [urn, item] as const),
    ),
  );
}

/** By the id of a delete, what somebody has said of the thing besides what runs did. */
async function saidOf(
  planned: readonly Planned[],
  { registry, standing: { snapshot }, mapping }: PlanContext,
  client: UsersOptions["client"],
): Promise<ReadonlyMap<string, Said>> {
  const found = await bounded(planned.filter(isDelete), looksAtOnce, async ({ deed, change }) => {
    const said = await saidBySomebody(deed, { registry, snapshot, client, mapping });
    return said === undefined ? [] : [[change.id, said] as const];
  });
  return new Map(found.flat());
}

/** After its change the user does not refer to the object, or to a part of it that goes, any more. */
export function letsGo(
  item: Planned,
  user: User,
  urn: string,
  users: Users,
  { standing, returning }: Pick<PlanContext, "standing" | "returning">,
): boolean {
  const { kind, reverse } = item;
  if (reverse?.what !== "patch" || !isPossible(item)) return false;
  if (kind.name !== user.kind || reverse.target !== user.urn) return false;
  const after = mergePatch(standing.snapshot.body(kind.name, user.urn), returning.rewrite(reverse.patch));
  return isObject(after) && !users.refers(kind, after, urn);
}

/**
 * The reference is the work of the very run that is taken back, and the service offers no way to take it away by
 * itself: an assignment that the run made, a dashboard that it created and that nobody has touched since.
 */
export function isOfTheRun(
  { deed, kind }: Planned,
  user: User,
  urn: string,
  { standing }: Pick<PlanContext, "standing">,
): boolean {
  if (kind.name !== user.kind || deed.target !== user.urn) return false;
  const { body } = deed.intent;
  if (deed.what === "assigned") return isObject(body) && referenced(body, ["urn"]).includes(urn);
  if (deed.what !== "created" || removeStep(kind) !== undefined) return false;
  const { snapshot } = standing;
  return (
    snapshot.has(kind.name, deed.target) &&
    printOf(snapshot.body(kind.name, deed.target), kind.shape) === deed.left
  );
}

function stillReferred({ deed, kind }: Planned, user: User): Planned {
  return leftAsItIs(
    deed,
    kind,
    `${user.kind} "${user.name}" at the target still refers to it (${user.urn})`,
    "Take the reference out there, or delete both by hand, and run again.",
  );
}

function referredAgain({ deed, kind }: Planned, user: Planned): Planned {
  return leftAsItIs(
    deed,
    kind,
    `${user.kind.name} "${user.deed.name}" refers to it again once that is taken back, as somebody had it before the run wrote over that`,
    "Take the reference out there by hand, and run again.",
  );
}

/** No list shows all of what lies over something, such as a steward. */
function keptBy({ deed, kind }: Planned, { kind: over, deed: { name } }: Planned): Planned {
  return leftAsItIs(
    deed,
    kind,
    `somebody has changed what lies over it since, and that would go with it: ${over.name} "${name}"`,
    "Bring that back by hand to what the run made of it, or delete both by hand, and run again.",
  );
}

function keptByWord({ deed, kind }: Planned, said: Said): Planned {
  return leftAsItIs(
    deed,
    kind,
    notBrought(said),
    "Take that away by hand, or bring it back to what was brought there, and run again; or delete both by hand.",
  );
}

function notKnown({ deed, kind }: Planned, { why, act }: NotSeen): Planned {
  return leftAsItIs(deed, kind, `whether something at the target refers to it is not known: ${why}`, act);
}
