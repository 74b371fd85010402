import type { Work } from "../change.ts";
import { parseJson } from "../json-text.ts";
import { Blobs } from "./blobs.ts";

/**
 * What apply needs of each change, outside of the heap: patches and what takes them back are most of what a change holds,
 * and nobody looks at them but when it is its turn.
 */
export class Works {
  readonly #blobs = new Blobs();
  /** What was looked at last: whoever asks for one thing of it asks for several. */
  #last: { readonly at: number; readonly work: Work } | undefined;

  /** The same, read back field by field when it is asked for. */
  keep(work: Work): Work {
    const bytes = Buffer.from(JSON.stringify(work));
    return new KeptWork(this.#blobs.add(bytes, bytes.length), this.#read);
  }

  readonly #read = (at: number): Work => {
    if (this.#last?.at !== at)
      this.#last = { at, work: parseJson(this.#blobs.at(at).toString()) as unknown as Work };
    return this.#last.work;
  };
}

/** As an object of its own, such as to make another one of it. */
export function wholeWork(work: Work | undefined): Work | undefined {
  return work instanceof KeptWork ? work.toJSON() : work;
}

/** A getter has to give something: what is not there is not said, as ever, by whoever reads it. */
type Field<Name extends keyof Work> = Exclude<Work[Name], undefined>;

/** All that work may say; another field of it is missing here when it does not compile. */
class KeptWork implements Required<Work> {
  readonly #at: number;
  readonly #read: (at: number) => Work;

  constructor(at: number, read: (at: number) => Work) {
    this.#at = at;
    this.#read = read;
  }

  /** All of it; also what JSON writes. */
  toJSON(): Work {
    return this.#read(this.#at);
  }

  get sourceFingerprint(): Field<"sourceFingerprint"> {
    return this.toJSON().sourceFingerprint as Field<"sourceFingerprint">;
  }

  get ownFingerprint(): Field<"ownFingerprint"> {
    return this.toJSON().ownFingerprint as Field<"ownFingerprint">;
  }

  get targetFingerprint(): Field<"targetFingerprint"> {
    return this.toJSON().targetFingerprint as Field<"targetFingerprint">;
  }

  get patch(): Field<"patch"> {
    return this.toJSON().patch as Field<"patch">;
  }

  get undo(): Field<"undo"> {
    return this.toJSON().undo as Field<"undo">;
  }

  get keys(): Field<"keys"> {
    return this.toJSON().keys as Field<"keys">;
  }

  get left(): Field<"left"> {
    return this.toJSON().left as Field<"left">;
  }

  get kept(): Field<"kept"> {
    return this.toJSON().kept as Field<"kept">;
  }

  get deferred(): Field<"deferred"> {
    return this.toJSON().deferred as Field<"deferred">;
  }

  get deferredOn(): Field<"deferredOn"> {
    return this.toJSON().deferredOn as Field<"deferredOn">;
  }

  get unfinished(): Field<"unfinished"> {
    return this.toJSON().unfinished as Field<"unfinished">;
  }
}
