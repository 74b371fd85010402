import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { MigrationOptions } from "../../src/operations/migration.ts";
import type { PlanChanges, World } from "./world.ts";

/** Text in requests and answers as an environment would have it that keeps what the emulator cannot. */
export interface Rewriting {
  readonly answer?: (body: string, path: string) => string;
  readonly request?: (body: string) => string;
  /** The status and body of a refusal; a request that is refused is not passed on. */
  readonly refuse?: (body: string, path: string) => readonly [status: number, body: string] | undefined;
  /** A request is passed on when this is done. */
  readonly before?: (path: string) => Promise<void>;
}

/** Stands before an environment for one test; its address, and the bodies that were sent to it, as they came. */
export async function front(
  upstream: string,
  { answer = (body) => body, request = (body) => body, refuse, before }: Rewriting,
): Promise<{ readonly url: string; readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const { origin, pathname } = new URL(upstream);
  const server = createServer((incoming, outgoing) => {
    const handle = async (): Promise<void> => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = await text(incoming);
      if (body !== "") sent.push(`${method} ${url} ${body}`);
      await before?.(url);
      const refused = refuse?.(body, url);
      if (refused !== undefined) {
        outgoing.writeHead(refused[0], { "content-type": "application/json" });
        outgoing.end(refused[1]);
        return;
      }
      const { "content-type": type = "application/json", authorization = "" } = headers;
      const given = await fetch(`${origin}${url}`, {
        method,
        headers: { "content-type": type, authorization },
        ...(body === "" ? {} : { body: request(body) }),
      });
      const said = answer(await given.text(), url);
      outgoing.writeHead(given.status, { "content-type": given.headers.get("content-type") ?? "text/plain" });
      outgoing.end(given.status === 204 ? undefined : said);
    };
    handle().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${pathname.replace(/\/$/u, "")}`, sent };
}

/** A plan whose environments are reached through fronts. */
export function through(
  world: World,
  changes: PlanChanges,
  urls: { readonly source?: string; readonly target?: string },
): Pick<MigrationOptions, "plan"> {
  const plan = world.plan(changes);
  const at = <T extends { baseUrl: string; authUrl: string }>(environment: T, url: string | undefined): T =>
    url === undefined ? environment : { ...environment, baseUrl: url, authUrl: url };
  return { plan: { ...plan, source: at(plan.source, urls.source), target: at(plan.target, urls.target) } };
}
