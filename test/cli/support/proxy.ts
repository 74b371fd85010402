import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string;
}

export interface Proxied {
  readonly status: number;
  readonly body: string;
}

/** Stands before the emulator and may answer in its place: for answers that the service itself never gives. */
export async function startProxy(
  upstream: string,
  instead: (request: Passing) => Proxied | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const answer = async (): Promise<void> => {
      const { method = "GET", url = "/", headers } = incoming;
      const body = await text(incoming);
      const authorization = headers.authorization ?? "";
      const own = instead({ method, path: url, body, authorization });
      if (own !== undefined) {
        outgoing.writeHead(own.status, { "content-type": "application/json" }).end(own.body);
        return;
      }
      const { "content-type": type = "application/json" } = headers;
      const given = await fetch(`${upstream}${url}`, {
        method,
        headers: { "content-type": type, authorization },
        ...(body === "" ? {} : { body }),
      });
      outgoing.writeHead(given.status, { "content-type": given.headers.get("content-type") ?? "text/plain" });
      outgoing.end(await given.text());
    };
    answer().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
