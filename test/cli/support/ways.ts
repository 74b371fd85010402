import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { join } from "node:path";

/** A server on loopback, and its end. */
export interface Way {
  readonly port: number;
  close(): Promise<void>;
}

async function listening(
  server: Pick<Server, "listen" | "address" | "close" | "closeAllConnections">,
): Promise<Way> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export interface ForwardProxy extends Way {
  /** Hosts that were asked for, one for each tunnel or request. */
  readonly asked: string[];
  readonly authorizations: string[];
}

/** A proxy as companies have one: CONNECT for tunnels, and whole addresses for plain requests. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const asked: string[] = [];
  const authorizations: string[] = [];
  const note = (host: string, { headers }: IncomingMessage): void => {
    asked.push(host);
    authorizations.push(headers["proxy-authorization"] ?? "");
  };
  const server = createServer((incoming, outgoing) => {
    note(new URL(incoming.url ?? "").host, incoming);
    forward(incoming.url ?? "")(incoming, outgoing);
  });
  server.on("connect", (incoming, socket, head) => {
    note(incoming.url ?? "", incoming);
    // Whatever name is asked for is on this machine.
    const upstream = connect(Number((incoming.url ?? "").split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on("error", () => upstream.destroy());
  });
  return { ...(await listening(server)), asked, authorizations };
}

function forward(to: string): RequestListener {
  return (incoming, outgoing) => {
    const { method, headers } = incoming;
    const { hostname: _name, port, pathname, search } = new URL(to);
    const options = { host: "127.0.0.1", port, path: pathname + search, method, headers };
    const upstream = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  };
}

export interface Authority {
  /** The certificate of the authority itself. */
  readonly ca: string;
  readonly key: string;
  readonly certificate: string;
}

const tool = "openssl";

/** Whether a private authority can be made here. */
export const hasAuthorities = spawnSync(tool, ["version"]).status === 0;

/** A private authority and a certificate for localhost from it; undefined where there is no openssl. */
export function privateAuthority(folder: string): Authority | undefined {
  const at = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): boolean => spawnSync(tool, words, { cwd: folder }).status === 0;
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const request = ["req", "-x509", ...key, "-keyout", "server.key", "-out", "server.pem", "-days", "2"];
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const leaf = ["-addext", "basicConstraints=critical,CA:FALSE", ...names];
  const signed = ["-subj", "/CN=localhost", "-CA", "ca.pem", "-CAkey", "ca.key", ...leaf];
  const made =
    openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "2",
      "-subj",
      "/CN=Our own",
    ) && openssl(...request, ...signed);
  if (!made) return undefined;
  return {
    ca: at("ca.pem"),
    key: readFileSync(at("server.key"), "utf8"),
    certificate: readFileSync(at("server.pem"), "utf8"),
  };
}

/** TLS before the emulator. */
export async function startFront(upstream: string, { key, certificate }: Authority): Promise<Way> {
  return listening(
    createSecureServer({ key, cert: certificate }, (incoming, outgoing) => {
      forward(`${upstream}${incoming.url ?? ""}`)(incoming, outgoing);
    }),
  );
}
