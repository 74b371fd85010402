import type { NotThere } from "../../engine/pair/not-there.ts";
import type { WithoutTwin } from "./unpaired.ts";

/** One pair for the plan, guessed by name. */
export interface PairingEdit {
  readonly section: WithoutTwin["section"];
  readonly source: string;
  readonly target: string;
  /** In the place of what stands there and names nothing at the target. */
  readonly replaces: boolean;
}

/** What is still to be told once so much has been put into the plan. */
export function without(
  written: readonly PairingEdit[],
  unpaired: readonly WithoutTwin[],
  notThere: readonly NotThere[],
): { readonly unpaired: readonly WithoutTwin[]; readonly notThere: readonly NotThere[] } {
  const done = new Set(written.map(({ section, source }) => keyOf(section, source)));
  return {
    unpaired: unpaired.filter(({ section, found }) => !done.has(keyOf(section, wordOf(found)))),
    notThere: notThere.filter(({ section, source }) => !done.has(keyOf(section, source))),
  };
}

const keyOf = (section: string, source: string): string => JSON.stringify([section, source]);

/** What a plan would say for it. */
const wordOf = ({ word, name }: WithoutTwin["found"]): string => word ?? name;

/** What could be put into the plan: a pair for each name, and none where nothing comes near. */
export function pairingEdits(
  pairing: Readonly<Record<WithoutTwin["section"], Readonly<Record<string, string>>>>,
  unpaired: readonly WithoutTwin[],
  notThere: readonly NotThere[],
): readonly PairingEdit[] {
  const edits = new Map<string, PairingEdit>();
  const add = (section: PairingEdit["section"], source: string, target: string | undefined): void => {
    const key = keyOf(section, source);
    if (target === undefined || edits.has(key)) return;
    edits.set(key, { section, source, target, replaces: Object.hasOwn(pairing[section], source) });
  };
  for (const { section, source, nearest } of notThere) add(section, source, nearest);
  for (const { section, found } of unpaired) add(section, wordOf(found), found.nearest);
  return [...edits.values()];
}
