import type { OverlayKind, LinkKind } from "../../kinds/kind.ts";
import { keyText } from "../../model/key.ts";

/** Where the twins of what is laid over other things lie at the target: by kind and id, and by URN where the kind owns it. */
export class Overlays {
  readonly #targets = new Map<string, string>();
  readonly #named = new Map<string, string>();

  set(kind: OverlayKind | LinkKind, source: string, target: string): void {
    this.#targets.set(keyText(kind.name, source), target);
    if (kind.urnTypes.length > 0) this.#named.set(source, target);
  }

  get(kind: string, source: string): string | undefined {
    return this.#targets.get(keyText(kind, source));
  }

  /** What a source URN in a body has become. */
  named(urn: string): string | undefined {
    return this.#named.get(urn);
  }
}
