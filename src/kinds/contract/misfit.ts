/** What of a body the environment that it is for has no place for. */
export interface Misfit {
  /** What is missing there, the same for all objects that have it: `the property owner of dataProduct`. */
  readonly about: string;
  /** A clause: `its metadata model has no property owner of dataProduct`. */
  readonly reason: string;
  /** What is to be done about it, where that is not to add it to the metadata model. */
  readonly suggestion?: string;
  /** Where it stands in the body; without one the whole object has no place. */
  readonly place?: readonly [field: string, member: string];
}

/** What the metadata model of an environment calls something of it, by its URN and as far as that was read. */
export type TypeOf = (urn: string) => string | undefined;

/** What things are in the words of the metadata model, by a URN of either side or by what stands for one to come. */
export interface ModelTypes {
  /** Of whatever has a URN of its type: `catalogItem`. */
  readonly general: (value: string) => string | undefined;
  /** Of this very thing, where its body tells: `dslQueryCatalogItem`. */
  readonly exact: (value: string) => string | undefined;
}
