import type { Target, User, UsersOptions } from "../checks/users.ts";
import { findUsers } from "../checks/users.ts";
import { namesItsParts } from "../facets/standing.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { keyText } from "../../model/key.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { leftWithout } from "./dead-references.ts";
import type { Planned, PlanContext } from "./plan.ts";
import { isDelete, isPossible } from "./plan.ts";
import { letsGo } from "./referred.ts";
import { leftAsItIs } from "./words.ts";

/**
 * No part that the run had added to an object (an input of a rule) is taken out again while something at the target refers to it that
 * stays so: what a colleague has made since, or what is not deleted without leave. Asked when it is known what is deleted.
 */
export async function withoutPartsReferred(
  planned: readonly Planned[],
  context: PlanContext,
  options: Pick<UsersOptions, "client" | "report">,
): Promise<readonly Planned[]> {
  const gone = partsGoneIn(planned, context);
  if (gone.size === 0) return planned;
  const { registry, standing } = context;
  const users = await findUsers([...gone.values()], { ...options, registry, snapshot: standing.snapshot });
  // What is left may be what something else was to lead to, or to let go of.
  for (let current = planned; ;) {
    const going = deletesIn(current);
    const keeps = (item: Planned): Planned => {
      const target = isPossible(item) ? gone.get(item.change.id) : undefined;
      if (target === undefined) return item;
      const user = users
        .of(target.urn)
        .find(
          (one) =>
            !going.has(keyText(one.kind, one.urn)) &&
            !current.some((other) => letsGo(other, one, target.urn, users, context)),
        );
      return user === undefined ? item : stillReferred(item, user);
    };
    const next = current.map(keeps);
    if (next.every((item, place) => item === current[place]))
      return current.map((item) => {
        const why =
          isPossible(item) && gone.has(item.change.id) ? users.unknown(item.kind.name)?.why : undefined;
        return why === undefined ? item : notKnown(item, why);
      });
    current = leftWithout(next, context);
  }
}

/** By the id of its change, what loses parts as it is changed back, and which. */
export function partsGoneIn(
  planned: readonly Planned[],
  { standing: { snapshot }, returning }: Pick<PlanContext, "standing" | "returning">,
): ReadonlyMap<string, Required<Target>> {
  return new Map(
    planned.flatMap(({ change, kind, reverse }): [string, Required<Target>][] => {
      if (reverse?.what !== "patch" || !namesItsParts(kind)) return [];
      const before = snapshot.body(kind.name, reverse.target);
      const after = subEntityKeys(mergePatch(before, returning.rewrite(reverse.patch)));
      const parts = [...subEntityKeys(before)].filter((key) => !after.has(key));
      return parts.length === 0 ? [] : [[change.id, { kind: kind.name, urn: reverse.target, parts }]];
    }),
  );
}

/** What is deleted, by itself or with what it lies over, and the id of the delete. */
export function deletesIn(planned: readonly Planned[]): ReadonlyMap<string, string> {
  const found = new TextPairs();
  for (const item of planned)
    if (isDelete(item) || item.goesWith !== undefined)
      found.set(keyText(item.deed.kind, item.deed.target), item.goesWith ?? item.change.id);
  return found;
}

function stillReferred({ deed, kind }: Planned, user: User): Planned {
  return leftAsItIs(
    deed,
    kind,
    `a part of it would go that ${user.kind} "${user.name}" at the target still refers to (${user.urn})`,
    "Take the reference out there, or delete that, and run again.",
  );
}

function notKnown(item: Planned, why: string): Planned {
  const { change, deed } = item;
  const told: Diagnostic = {
    severity: "warning",
    code: "users-unknown",
    coordinate: { kind: deed.kind, urn: deed.source, name: deed.name },
    summary: `A part of it goes, and whether something at the target refers to that is not known: ${why}`,
    suggestion: "Look who uses it in the web application of the target.",
  };
  return { ...item, change: { ...change, diagnostics: [...change.diagnostics, told] } };
}
