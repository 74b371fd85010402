import type { OverlayKind, LinkKind } from "../../kinds/kind.ts";
import { TextPairs } from "../../model/packed/numbers.ts";

/** Where the twins of what is laid over other things lie at the target: by kind and id, and by URN where the kind owns it. */
export class Overlays {
  readonly #targets = new Map<string, TextPairs>();
  readonly #named = new TextPairs();

  set(kind: OverlayKind | LinkKind, source: string, target: string): void {
    const targets = this.#targets.get(kind.name) ?? new TextPairs();
    targets.set(source, target);
    this.#targets.set(kind.name, targets);
    if (kind.urnTypes.length > 0) this.#named.set(source, target);
  }

  get(kind: string, source: string): string | undefined {
    return this.#targets.get(kind)?.get(source);
  }

  /** Whether the twin of anything lies there; hardly ever asked, and all are looked through. */
  isPlace(kind: string, target: string): boolean {
    return (
      this.#targets
        .get(kind)
        ?.values()
        .some((place) => place === target) === true
    );
  }

  /** What a source URN in a body has become. */
  named(urn: string): string | undefined {
    return this.#named.get(urn);
  }
}
