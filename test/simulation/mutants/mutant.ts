/** A fault that is put into a copy of the tool when it is loaded: nothing in the tool knows of it. */
export interface Mutant {
  readonly name: string;
  /** What is broken, in words. */
  readonly what: string;
  /** From the project's root. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly from: string;
  readonly to: string;
}

export function mutated(source: string, { name, file, from, to }: Mutant): string {
  const parts = source.split(from);
  if (parts.length !== 2)
    throw new Error(`the mutant ${name} fits ${parts.length - 1} places of ${file}; it must fit one`);
  return parts.join(to);
}
