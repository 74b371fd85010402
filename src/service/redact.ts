import { display, displayJson } from "../model/display.ts";
import { literal } from "../model/literal.ts";

const mask = "***";

/** What is shorter stands in words and numbers all over: to mask it there would leave nothing to read, and would tell what it is. */
const leastLength = 4;

export function isTooShort(secret: string): boolean {
  return secret !== "" && secret.length < leastLength;
}

/** A short one, where what stands before it says what it is. */
function named(value: string): RegExp {
  return new RegExp(
    String.raw`(?<=(?:secret|passw(?:or)?d|token)[\\"']*\s*[:=]\s*[\\"']*)${literal(value)}(?![\p{L}\p{N}])`,
    "giu",
  );
}

/** As JSON stands inside of a page: what could end its script element is escaped there. */
function inScript(secret: string): string {
  return JSON.stringify(secret)
    .slice(1, -1)
    .replaceAll(/[<>&]/gu, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
}

/**
 * The shapes in which a value travels: as it is, in a form or URL, inside JSON, in basic authentication. A variable may have a
 * line break at its end, which whoever echoes it leaves out, and marks that nobody sees, which are shown as escapes.
 */
function shapes(secret: string): readonly string[] {
  return [secret, secret.trim(), display(secret)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams([["", text]]).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    displayJson(JSON.stringify(text)).slice(1, -1),
    inScript(text),
    Buffer.from(text, "utf8").toString("base64"),
  ]);
}

/** Anything that looks like a token, even one this client has never seen. */
const tokenLike: readonly RegExp[] = [/\bBearer\s+[^\s"',;]+/giu, /\beyJ[\w-]{6,}(?:\.[\w-]+){1,4}/gu];

/** Puts a mask in the place of what is secret in a text; what that may look like is made out once. */
export type Mask = (text: string) => string;

/**
 * Masks known secret values and everything that looks like a bearer token in text that came from outside: a
 * service may echo what it was sent (README, promise 8).
 */
export function maskOf(secrets: Iterable<string>): Mask {
  const values = new Set<string>();
  for (const secret of secrets) {
    if (secret === "") continue;
    for (const shape of shapes(secret)) if (shape !== "") values.add(shape);
  }
  // Longest first: a short secret inside a long one must not leave the rest of it behind.
  const sorted = [...values].toSorted((a, b) => b.length - a.length);
  const whole = sorted.filter((value) => !isTooShort(value));
  // What begins as the writing around it would be taken for that, and a document would no longer be one.
  const short = sorted.filter((value) => isTooShort(value) && !/^[\\"'\s:=]/u.test(value)).map(named);
  return (text) => {
    let result = text;
    for (const value of whole) result = result.replaceAll(value, mask);
    for (const pattern of [...short, ...tokenLike]) result = result.replaceAll(pattern, mask);
    return result;
  };
}

export function redact(text: string, secrets: Iterable<string>): string {
  return maskOf(secrets)(text);
}

const jsonTexts = /"[^"\\]*(?:\\.[^"\\]*)*"/gu;

/**
 * The same in a document of JSON, which stays one: what is secret stands in its texts. A password of four digits stands in numbers
 * as well, and one that is a word in `true`.
 */
export function redactJson(json: string, secrets: Iterable<string>): string {
  const all = [...secrets];
  const hide = maskOf(all);
  if (hide(json) === json) return json;
  const hidden = json.replaceAll(jsonTexts, (quoted) => {
    const said = String(JSON.parse(quoted));
    const masked = hide(said);
    return masked === said ? quoted : displayJson(JSON.stringify(masked));
  });
  // What a short one is, the name of its field says, which is another text.
  return redact(hidden, all.filter(isTooShort));
}
