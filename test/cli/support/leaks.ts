import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The shapes in which a secret may travel. */
function shapes(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ secret }).toString().slice("secret=".length),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
  ];
}

/** A JSON web token, which is what the emulator hands out. */
const token = /eyJ[\w-]{6,}\.[\w-]{6,}/;

/** Where a secret or a token can be read. `.env` is where a person keeps them, so that it may hold them. */
export function leaks(
  folder: string,
  shown: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  const texts = new Map(shown.map((text, index) => [`output ${index}`, text]));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!name.endsWith(".env") && statSync(path).isFile()) texts.set(name, readFileSync(path, "latin1"));
  }
  const hunted = secrets.flatMap(shapes);
  const bytes = hunted.map((text) => Buffer.from(text).toString("latin1"));
  return [...texts].flatMap(([name, text]) => {
    const found = [...hunted, ...bytes].find((secret) => text.includes(secret));
    if (found !== undefined) return [`${name} holds ${found}`];
    return token.test(text) ? [`${name} holds a token`] : [];
  });
}
