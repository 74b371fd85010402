import type { Registry } from "../../kinds/registry.ts";
import { printOf } from "../../model/canonical.ts";
import { uuidOf } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { Target, User, Users } from "../checks/users.ts";
import { findUsers } from "../checks/users.ts";
import { isDraftOf } from "../drafts.ts";
import { draftReader } from "../facets/drafts.ts";
import { GivenReader } from "../read/given-reader.ts";
import type { Built, Unbuilt } from "./built.ts";
import { standsAsSeen } from "./moved-since.ts";
import type { Task } from "./task.ts";
import { currentStep } from "./task.ts";

/** A look tells of all that are sent within as long as it took, and of those within so many milliseconds at least. */
const tellsFor = 10_000;

const none: ReadonlySet<string> = new Set();

/**
 * What becomes of a reference by this very run: `later` where that does not come before the change, of this id, by which what it leads
 * to goes.
 */
type Ends = (user: User, target: Target, id: string) => "before" | "later" | undefined;

interface Look {
  readonly found: Promise<{ readonly users: Users; readonly ends: Ends }>;
  /** Until when it tells; open while it is under way. */
  until: number | undefined;
}

export interface ReferredSinceOptions {
  /** By the id of a change: what is deleted by it, or loses parts, and which. */
  readonly gone: ReadonlyMap<string, Target>;
  readonly registry: Registry;
  /** The target as the plan of the run saw it. */
  readonly snapshot: SnapshotReader;
  readonly now: () => number;
  /** Whether nobody could look who refers to parts of it as the run was planned, which was told then. */
  readonly isToldUnseen: (id: string) => boolean;
  readonly endsOf: (users: Users) => Ends;
}

/**
 * Between the look at who refers to what goes, an object or parts of one, and the request by which it does lies a person's answer, perhaps
 * of days later, and whatever the run does before. So it is looked once more, in lists alone, and only where something goes: who has
 * come to refer to it keeps it, and so does who was to let go of it afterwards, and cannot be changed by now. What could be listed then and
 * cannot be by now shows nobody, and that is no absence: it is left. Parts of which nobody could look then go, which people were told.
 */
export class ReferredSince {
  readonly #options: ReferredSinceOptions;
  /** UUIDs of what is deleted: that a reference to one of them went with it is nobody's edit. */
  readonly #deleted: ReadonlySet<string>;
  #look: Look | undefined;
  #given: GivenReader | undefined;

  constructor(options: ReferredSinceOptions) {
    this.#options = options;
    const whole = [...options.gone.values()].filter(({ parts }) => parts === undefined);
    this.#deleted = new Set(whole.map(({ urn }) => uuidOf(urn)));
  }

  /**
   * A delete is looked at once more, and a change by which parts go. Lists take their time: whatever else is asked besides, who answers
   * for it say, is asked behind them.
   */
  looking(built: Built | Unbuilt, task: Task): Built | Unbuilt {
    const target = this.#options.gone.get(task.change.id);
    if (target === undefined || "state" in built) return built;
    const { besides } = built;
    if (currentStep(task).effect !== (target.parts === undefined ? "removes" : "changes")) return built;
    return {
      ...built,
      besides: async (client) => (await this.#kept(target, task.change.id, client)) ?? besides?.(client),
    };
  }

  async #kept(target: Target, id: string, client: ReadClient): Promise<string | undefined> {
    const { users, ends } = await this.#found(client);
    const isWhole = target.parts === undefined;
    for (const user of users.of(target.urn)) {
      const end = ends(user, target, id);
      const told = `${user.kind} "${user.name}" at the target refers to`;
      if (end === undefined)
        return `${told} ${isWhole ? "it by now" : "a part of it by now that was to go"} (${user.urn})`;
      if (end === "later" && !(await this.#stands(user, users.did(user, target.urn), client)))
        return `${told} ${isWhole ? "it" : "a part of it that was to go"}, and is not as it was when that was to end (${user.urn})`;
    }
    const unseen = this.#options.isToldUnseen(id) ? undefined : users.unknown(target.kind)?.why;
    return unseen === undefined
      ? undefined
      : `whether something at the target refers to ${isWhole ? "it" : "a part of it that was to go"} by now is not known: ${unseen}`;
  }

  async #found(client: ReadClient): Look["found"] {
    const { gone, registry, snapshot, now, endsOf } = this.#options;
    const known = this.#look;
    if (known !== undefined && (known.until === undefined || now() < known.until)) return known.found;
    const began = now();
    const again = (this.#given ??= new GivenReader(client, registry));
    const report = (): void => undefined;
    const found = findUsers([...gone.values()], { registry, snapshot, client, report, again });
    const look: Look = {
      found: found.then((users) => ({ users, ends: endsOf(users) })),
      until: undefined,
    };
    this.#look = look;
    return look.found.finally(() => {
      look.until = now() + Math.max(tellsFor, now() - began);
    });
  }

  /**
   * It is as the run saw it, and nobody has a draft of it: what is to be sent for it will be, its deletion, too. Where it has come to
   * refer to what goes since, that is an edit.
   */
  async #stands({ kind: name, urn }: User, did: boolean, client: ReadClient): Promise<boolean> {
    const { registry, snapshot } = this.#options;
    const kind = registry.movedKind(name);
    if (kind === undefined || !snapshot.has(name, urn)) return false;
    const body = snapshot.body(name, urn);
    const seen = printOf(body, kind.shape);
    const [published, draft] = await Promise.all([
      kind.one?.(client, urn, body),
      draftReader(kind)?.(client, { urn, name, body }),
    ]);
    const gone = did ? this.#deleted : none;
    if (published !== undefined && !standsAsSeen(kind, body, published, gone)) return false;
    return draft === undefined || isDraftOf(kind, draft, [seen]);
  }
}
