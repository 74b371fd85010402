import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import type { Answer, Given } from "./front.ts";
import { plainly } from "./front.ts";
import type { Loose } from "./loose.ts";

/** Answers that a service, or something on the way to it, may give instead of its own. */

const json = "application/json";

/** This text as the body, with the status of a good answer. */
export const body =
  (text: string | Buffer, type = json): Answer =>
  (given, out) => {
    out.writeHead(given.status === 0 ? 200 : given.status, { "content-type": type });
    out.end(text);
  };

export const page = "<!doctype html><html><body><h1>Please sign in</h1></body></html>";
export const html: Answer = body(page, "text/html");

/** A refusal with a body, JSON unless said otherwise. */
export const status =
  (code: number, content?: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_given, out) => {
    const text = typeof content === "string" ? content : content === undefined ? "" : JSON.stringify(content);
    out.writeHead(code, {
      "content-type": typeof content === "object" ? "application/problem+json" : "text/plain",
      ...headers,
    });
    out.end(text);
  };

/** The service's own answer under other headers. */
export const headers =
  (others: Readonly<Record<string, string>>): Answer =>
  ({ status: code, type, body: text }, out) => {
    out.writeHead(code, { "content-type": type, ...others });
    out.end(text);
  };

/** The service's own answer with its text changed. */
export const text =
  (change: (body: string) => string): Answer =>
  (given, out) =>
    plainly({ ...given, body: change(given.body) }, out);

/** The service's own answer with its JSON changed, in place. */
export const changed =
  (change: (body: Loose, given: Given) => unknown): Answer =>
  (given, out) => {
    const value: unknown = JSON.parse(given.body);
    const other = change(value, given);
    plainly({ ...given, body: JSON.stringify(other === undefined ? value : other) }, out);
  };

/** The first object of a list gets this field, written as it stands here: JSON that JavaScript would write otherwise. */
export const field = (name: string, raw: string): Answer =>
  text((given) => given.replace(/"data":\[\{/, `"data":[{${JSON.stringify(name)}:${raw},`));

/** So many answers as they should be, then another one. */
export const after =
  (count: number, answer: Answer, before: Answer = plainly): Answer =>
  (given, out) =>
    given.before < count ? before(given, out) : answer(given, out);

/** So many answers of this sort, then as it should be. */
export const first =
  (count: number, answer: Answer): Answer =>
  (given, out) =>
    given.before < count ? answer(given, out) : plainly(given, out);

/** The connection ends in the middle of the body. */
export const cut: Answer = ({ status: code, type, body: text }, out) => {
  out.writeHead(code, { "content-type": type, "content-length": Buffer.byteLength(text) });
  out.write(text.slice(0, text.length / 2));
  setTimeout(() => out.destroy(), 5);
};

/** The connection ends before anything is answered. */
export const silence: Answer = (_given, out) => {
  out.destroy();
};

/** A body that never ends. */
export const endless: Answer = (_given, out) => {
  out.writeHead(200, { "content-type": json });
  const piece = `{"meta":{"total":1},"data":[${" ".repeat(65_536)}`;
  const more = (): void => {
    while (!out.destroyed && out.write(piece));
    if (!out.destroyed) out.once("drain", more);
  };
  out.on("error", () => undefined);
  more();
};

/** 20 KB that unpack to 20 MB. */
export const bomb: Answer = (_given, out) => {
  out.writeHead(200, { "content-type": json, "content-encoding": "gzip" });
  out.end(gzipSync(Buffer.alloc(20 << 20, 0x20)));
};

/** Bytes on the wire, the head included. */
export const raw =
  (head: string, content = ""): Answer =>
  (_given, out: ServerResponse) => {
    out.socket?.end(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${content}`);
  };
