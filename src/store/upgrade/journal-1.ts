/**
 * Version 2 names the file in its header and joins each line to the one before it. A file of version 1 has no such
 * name, and its lines stand each for itself: they are read as what they are, and the file is written anew, under a
 * name of its own, before anything is added to it.
 */
export function journalFrom1(header: unknown): unknown {
  return { ...(header as object), format: 2, lineage: "" };
}
