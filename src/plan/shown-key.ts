import { distance } from "fastest-levenshtein";

const environments: ReadonlySet<string> = new Set(["source", "target"]);

/**
 * Whether an unknown key may be named in an error. A secret that lost its place in the file (`clientSecret:s3cr3t`
 * without a space, one on a line of its own) is read as a key: what is no slip of a key that there is, and no plain
 * word either, may be one. Among the keys of an environment a plain word may be a passphrase, too.
 */
export function mayBeShown(key: string, section: string, known: readonly string[]): boolean {
  if (!/^[a-z]+(?:[_-]?[A-Z]?[a-z]+)*$/i.test(key) || key.length > 24) return false;
  const isSlip = known.some((word) => distance(key.toLowerCase(), word.toLowerCase()) <= 2);
  if (isSlip) return true;
  return !environments.has(section.split(".")[0] ?? "") && /^[a-z]+(?:[A-Z][a-z]+)*$/.test(key);
}
