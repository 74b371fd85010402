/** The names by which a machine calls itself are one address. */
const thisMachine = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/;

/** The same address, however it is spelt: capitals and a dot at the end of the host, a slash at the end of the path. */
export function plainAddress(url: string): URL | undefined {
  const plain = URL.parse(url);
  if (plain === null) return undefined;
  const name = plain.hostname.replace(/\.$/, "");
  plain.hostname = thisMachine.test(name) ? "localhost" : name;
  plain.pathname = plain.pathname.replace(/\/+$/, "");
  return plain;
}

/** As a text, which is the same for what is one address. */
export function addressText(url: string): string {
  return (plainAddress(url)?.href ?? url).replace(/\/+$/, "");
}
