import type { MovedKind } from "../../kinds/kind.ts";
import { printOf } from "../../model/canonical.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import type { TargetState } from "../read/target.ts";
import type { Deed } from "./deed.ts";
import { leftAsItIs } from "./words.ts";

interface Context {
  readonly standing: Pick<TargetState, "snapshot">;
  readonly mapping: Pick<MappingTable, "takenBy">;
}

/** How one deed is taken back. */
interface Taking {
  readonly deed: Deed;
  readonly kind: MovedKind;
  readonly reverse?: { readonly what: string };
}

/**
 * What a run has made by a request that had no answer is known by what it looks like. Where somebody had made just the same before the
 * service came to that, theirs may have been taken, and ours have come since: of two that look alike neither is deleted.
 */
export class Alike {
  readonly #context: Context;
  /** URNs by name, of kinds of which anything is asked. */
  readonly #named = new Map<string, ReadonlyMap<string, readonly string[]>>();

  constructor(context: Context) {
    this.#context = context;
  }

  readonly unless = <T extends Taking>(planned: T): T | ReturnType<typeof leftAsItIs> => {
    const { deed, kind, reverse } = planned;
    const other = deed.isFound === true && reverse?.what === "delete" ? this.#besides(planned) : undefined;
    if (other === undefined) return planned;
    const reason = `the answer to its creation was lost, and another one that looks just like it stands there, which nobody has paired (${other}): which of the two the run has made nobody knows`;
    return leftAsItIs(
      deed,
      kind,
      reason,
      "See which of them is somebody's, and remove the other one by hand.",
    );
  };

  #besides({ deed, kind }: Taking): string | undefined {
    const { snapshot } = this.#context.standing;
    const body = snapshot.body(kind.name, deed.target);
    const prints = new Set([deed.left, deed.intent.fingerprint, printOf(body, kind.shape)]);
    const named = this.#ofName(kind.name, snapshot.name(kind.name, deed.target));
    return named.find(
      (urn) =>
        urn !== deed.target &&
        this.#context.mapping.takenBy(kind.name, urn) === undefined &&
        prints.has(printOf(snapshot.body(kind.name, urn), kind.shape)),
    );
  }

  #ofName(kind: string, name: string): readonly string[] {
    const { snapshot } = this.#context.standing;
    const known =
      this.#named.get(kind) ?? Map.groupBy(snapshot.urns(kind), (urn) => snapshot.name(kind, urn));
    this.#named.set(kind, known);
    return known.get(name) ?? [];
  }
}
