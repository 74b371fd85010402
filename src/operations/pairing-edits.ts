import type { NotThere } from "../engine/pair/not-there.ts";
import type { WithoutTwin } from "./unpaired.ts";

/** One pair for the plan, guessed by name. */
export interface PairingEdit {
  readonly section: WithoutTwin["section"];
  readonly source: string;
  readonly target: string;
  /** In the place of what stands there and names nothing at the target. */
  readonly replaces: boolean;
}

/** What could be put into the plan: a pair for each name, and none where nothing comes near. */
export function pairingEdits(
  pairing: Readonly<Record<WithoutTwin["section"], Readonly<Record<string, string>>>>,
  unpaired: readonly WithoutTwin[],
  notThere: readonly NotThere[],
): readonly PairingEdit[] {
  const edits = new Map<string, PairingEdit>();
  const add = (section: PairingEdit["section"], source: string, target: string | undefined): void => {
    const key = JSON.stringify([section, source]);
    if (target === undefined || edits.has(key)) return;
    edits.set(key, { section, source, target, replaces: Object.hasOwn(pairing[section], source) });
  };
  for (const { section, source, nearest } of notThere) add(section, source, nearest);
  for (const { section, found } of unpaired) add(section, found.word ?? found.name, found.nearest);
  return [...edits.values()];
}
