import type { Diagnostic } from "../model/diagnostic.ts";
import type { Plan } from "../model/plan.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const proxyNames = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

/** What a person should know of the way to both environments before anything is sent; never an error. */
export function networkNotes({ source, target }: Plan, env: Variables): readonly Diagnostic[] {
  const addresses = [source, target].flatMap(({ name, baseUrl, authUrl, masterData }) => [
    ...[...new Set([baseUrl, authUrl])].map((address) => ({
      name,
      url: new URL(address),
      what: "client secret and the token",
    })),
    ...(masterData === undefined
      ? []
      : [{ name, url: new URL(masterData.baseUrl), what: "user name and the password" }]),
  ]);
  const outside = addresses.filter(({ url }) => !isThisMachine(url.hostname));
  const plain = new Map(
    outside
      .filter(({ url }) => url.protocol === "http:")
      .map(({ name, url, what }) => [`${name} ${url.host} ${what}`, { name, url, what }]),
  );
  const notes = [...plain.values()].map(({ name, url, what }): Diagnostic => ({
    severity: "warning",
    code: "plain-http",
    summary: `${name}: ${url.protocol}//${url.host} is not encrypted: the ${what} can be read by whoever is on the way`,
    suggestion: "Write an https address into the plan.",
  }));
  const unused = proxyNames.find((name) => (env[name] ?? "") !== "");
  if (unused === undefined || outside.length === 0 || usesProxies(env)) return notes;
  return [
    ...notes,
    {
      severity: "warning",
      code: "proxy-unused",
      summary: `${unused} is set, and Node uses it only with NODE_USE_ENV_PROXY=1: requests go around the proxy`,
      suggestion: `Set NODE_USE_ENV_PROXY=1 as well, or take ${unused} away.`,
    },
  ];
}

/** Through which proxies requests go, without what stands in their addresses beside host and port; undefined where they go through none. */
export function proxyInUse(env: Variables): string | undefined {
  if (!usesProxies(env)) return undefined;
  const named = proxyNames.flatMap((name) => {
    const host = URL.parse(env[name] ?? "")?.host;
    return host === undefined || host === "" ? [] : [`${name}: ${host}`];
  });
  return named.length === 0 ? undefined : named.join(", ");
}

/** Credentials inside the address of a proxy. */
export function proxySecrets(env: Variables): readonly string[] {
  return proxyNames.flatMap((name) => {
    const { username = "", password = "" } = URL.parse(env[name] ?? "") ?? {};
    if (password === "") return [];
    return [
      `${username}:${password}`,
      password,
      decoded(password),
      `${decoded(username)}:${decoded(password)}`,
    ];
  });
}

function usesProxies(env: Variables): boolean {
  return env["NODE_USE_ENV_PROXY"] === "1" || /(?:^|\s)--use-env-proxy\b/.test(env["NODE_OPTIONS"] ?? "");
}

/** `URL` writes every address of a machine in one way: `127.1` is 127.0.0.1 by then. */
function isThisMachine(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(host);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
