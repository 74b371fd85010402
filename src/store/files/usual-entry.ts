import { dictionary } from "../../model/packed/entry.ts";
import type { MappingEntry } from "../../model/mapping.ts";

/** Printable ASCII that JSON writes as it is: no quote, no backslash. */
const text = String.raw`"([ !#-\[\]-~]*)"`;
const print = (field: string): string => `(?:,"${field}":"([0-9a-f]{32})")?`;
/** Of one length each, so that they are cut out by their places. */
const key = `"[0-9a-f-]{36}"`;
const keyLength = 38;
const usual = new RegExp(
  `^    ${text}: \\{"name":${text},"target":${text},"origin":"(created|adopted|explicit|paired)"` +
    `${print("sourceFingerprint")}${print("ownFingerprint")}${print("targetFingerprint")}` +
    `(?:,"keys":\\{(${key}:${key}(?:,${key}:${key})*)\\})?(?:,"run":${text})?\\}$`,
);

/**
 * The entry that stands in a line of a mapping file, where the line is just as `formatEntryLine` writes what nearly all
 * entries hold: what has this form is an entry, and says nothing twice, without being parsed, checked and written once more.
 * Undefined for anything else, which may be an entry all the same.
 */
export function usualEntry(line: string): readonly [string, MappingEntry] | undefined {
  const found = usual.exec(line);
  // Written otherwise (`displayJson`).
  if (found === null || line.includes("##[")) return undefined;
  const [, source = "", name = "", target = "", origin, sourcePrint, ownPrint, targetPrint, listed, run] =
    found;
  const keys = listed === undefined ? undefined : keysIn(listed);
  if (listed !== undefined && keys === undefined) return undefined;
  const entry: { -readonly [Field in keyof MappingEntry]: MappingEntry[Field] } = {
    name,
    target,
    origin: origin as MappingEntry["origin"],
  };
  if (sourcePrint !== undefined) entry.sourceFingerprint = sourcePrint;
  if (ownPrint !== undefined) entry.ownFingerprint = ownPrint;
  if (targetPrint !== undefined) entry.targetFingerprint = targetPrint;
  if (keys !== undefined) entry.keys = keys;
  if (run !== undefined) entry.run = run;
  return [source, entry];
}

/** Undefined where they are not in their order. */
function keysIn(listed: string): Record<string, string> | undefined {
  const keys = dictionary();
  let last = "";
  for (let at = 1; at < listed.length; at += 2 * keyLength + 2) {
    const name = listed.slice(at, at + keyLength - 2);
    if (name <= last) return undefined;
    const value = at + keyLength + 1;
    keys[name] = listed.slice(value, value + keyLength - 2);
    last = name;
  }
  return keys;
}
