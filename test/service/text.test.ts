import { anything, assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { display, displayJson } from "../../src/model/display.ts";
import { Cleaner } from "../../src/service/cleaner.ts";
import { isCertificateFailure, networkFailure } from "../../src/service/network-failure.ts";
import { isTooShort, redact, redactJson } from "../../src/service/redact.ts";
import { parseRetryAfter } from "../../src/service/retry-after.ts";

describe("redact", () => {
  test("masks a secret in every shape it travels in", () => {
    assert(
      property(
        string({ minLength: 4, maxLength: 40, unit: "grapheme-ascii" }).filter(
          (s) => s.trim() !== "" && !s.includes("*"),
        ),
        constantFrom("", " ", "x", '"'),
        (secret, around) => {
          const shapes = [
            secret,
            encodeURIComponent(secret),
            JSON.stringify(secret).slice(1, -1),
            new URLSearchParams([["", secret]]).toString().slice(1),
            Buffer.from(secret).toString("base64"),
          ];
          for (const shape of shapes) {
            expect(redact(`${around}${shape}${around}`, [secret])).not.toContain(secret);
            expect(redact(`${around}${shape}${around}`, [secret])).toBe(`${around}***${around}`);
          }
        },
      ),
    );
  });

  test.each(["s3cr3t\n", "two\nlines", "\u001b[31mred", "zero\u200bwidth", "  spaced  "])(
    "masks %j as it is shown, and without the space around it",
    (secret) => {
      for (const shape of [
        secret.trim(),
        display(secret),
        JSON.stringify(display(secret)).slice(1, -1),
        displayJson(JSON.stringify(secret)).slice(1, -1),
        Buffer.from(secret.trim()).toString("base64"),
      ])
        expect(redact(`x${shape}x`, [secret])).toBe("x***x");
    },
  );

  test("masks a secret inside of a page, where marks of HTML are escaped", () => {
    for (const secret of ["a<b>&c", 'R&D"<x'])
      expect(
        redact(
          JSON.stringify(secret)
            .replaceAll("&", "\\u0026")
            .replaceAll("<", "\\u003c")
            .replaceAll(">", "\\u003e"),
          [secret],
        ),
      ).toBe('"***"');
  });

  test.each(["a", "ab", "12", "7", ".", "$&"])("hides %j only where it is called a secret", (secret) => {
    const text = JSON.stringify({ name: "a table of 12 or 7 ab.", count: 12, at: 7, more: "ab" });
    expect(redact(text, [secret])).toBe(text);
    expect(redact(`client_secret=${secret}&realm=ab`, [secret])).toBe("client_secret=***&realm=ab");
    expect(redact(`{"password": "${secret}"}`, [secret])).toBe('{"password": "***"}');
    expect(redact(String.raw`{\"clientSecret\":\"${secret}\"}`, [secret])).toBe(
      String.raw`{\"clientSecret\":\"***\"}`,
    );
    expect(isTooShort(secret)).toBe(true);
  });

  test.each(['"', ":", "\\", '"a'])(
    "%j is left alone: it would be taken for what documents are made of",
    (secret) => {
      const text = JSON.stringify({ password: "a", token: "b" });
      expect(JSON.parse(redact(text, [secret]))).toEqual({ password: "a", token: "b" });
    },
  );

  test.each(["a-b", "a/b", "$^", "(.", "[-", "{}", "a|b"])("so it is with the marks of %j", (secret) => {
    expect(redact(`password: ${secret} end of ${secret}`, [secret])).toBe(`password: *** end of ${secret}`);
  });

  test("a secret of four characters is hidden wherever it stands", () => {
    expect(isTooShort("abcd")).toBe(false);
    expect(redact("xabcdx", ["abcd"])).toBe("x***x");
  });

  test("leaves nothing of a long secret that holds a short one", () => {
    expect(redact("a abcdef b", ["bcd", "abcdef"])).toBe("a *** b");
  });

  test("masks tokens nobody told it about, and nothing else", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x";
    expect(redact(`token ${jwt}, "Bearer abc.def" end`, [])).toBe('token ***, "***" end');
    expect(redact("a bearing of eyJ", ["", "nowhere"])).toBe("a bearing of eyJ");
  });

  test("remembers tokens that were replaced a while ago", () => {
    const cleaner = new Cleaner(["secret"]);
    cleaner.rememberToken("token-a");
    expect(cleaner.clean("token-a token-b")).toBe("*** token-b");
    cleaner.rememberToken("token-b");
    expect(cleaner.clean("token-a token-b secret\u0007")).toBe("*** *** ***\\u{7}");
  });
});

describe("a document of JSON", () => {
  test("stays one, whatever the secret is, and holds it in none of its texts", () => {
    assert(
      property(
        constantFrom(
          "1234",
          "true",
          "null",
          "0000",
          "n123",
          "u00e9",
          '": "',
          "},{ ",
          "\\abc",
          '"abc',
          "a\nbcd",
        ),
        string({ maxLength: 5 }),
        anything({ withNullPrototype: false }),
        integer(),
        (secret, more, value, number) => {
          const said = [
            `${more}${secret}${more}`,
            { note: secret, count: 12_345, at: number, is: true },
            null,
          ];
          for (const document of [said, { said, value }]) {
            const hidden = redactJson(JSON.stringify(document, undefined, 2) ?? "null", [secret]);
            const [first, second] = textsIn(JSON.parse(hidden));
            for (const text of [first, second]) expect(text).not.toContain(secret);
          }
        },
      ),
    );
  });

  test("numbers and words of its own are no secret", () => {
    const document = { count: 123_456, is: true, none: null, text: "it is true that 1234 is null" };
    const secrets = ["1234", "true", "null"];
    expect(JSON.parse(redactJson(JSON.stringify(document), secrets))).toEqual({
      count: 123_456,
      is: true,
      none: null,
      text: "it is *** that *** is ***",
    });
  });

  test("hides what is short where its field says what it is, and tokens", () => {
    expect(redactJson('{"password": "ab", "said": "ab Bearer abc.def"}', ["ab"])).toBe(
      '{"password": "***", "said": "ab ***"}',
    );
  });

  test("leaves all else as it was written", () => {
    const text = '{"a": 1.10,  "b": "\\u200b and \\u003c", "c": "a secret"}\n';
    expect(redactJson(text, ["secret"])).toBe(text.replace("secret", "***"));
  });
});

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  test.each([
    [null, undefined],
    ["", undefined],
    ["0", 0],
    ["120", 120_000],
    [" 1.5 ", 1500],
    ["-1", undefined],
    ["soon", undefined],
    ["1 apple", undefined],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Thursday, 01-Jan-26 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["Thu, 99 Foo 2026", undefined],
  ])("%j is %j", (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});

describe("what an exception of the network tells", () => {
  const coded = (code: string, extra: object = {}): Error =>
    Object.assign(new Error("m"), { code, ...extra });
  const wrapped = (cause: Error): Error =>
    new Error("outer", { cause: new TypeError("fetch failed", { cause }) });

  test.each([
    ["ECONNREFUSED", coded("ECONNREFUSED"), "no"],
    ["ENOTFOUND", coded("ENOTFOUND"), "no"],
    ["connect timeout", coded("UND_ERR_CONNECT_TIMEOUT"), "no"],
    ["ETIMEDOUT of connect", coded("ETIMEDOUT", { syscall: "connect" }), "no"],
    ["ETIMEDOUT of read", coded("ETIMEDOUT", { syscall: "read" }), "maybe"],
    ["ECONNRESET", coded("ECONNRESET"), "maybe"],
    ["certificate", coded("ERR_TLS_CERT_ALTNAME_INVALID"), "no"],
    ["TLS in the middle", coded("ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC"), "maybe"],
    [
      "reset during the TLS handshake",
      Object.assign(new Error("socket disconnected before secure TLS connection was established"), {
        code: "ECONNRESET",
      }),
      "no",
    ],
    ["all addresses refused", new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")]), "no"],
    ["one address not", new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")]), "maybe"],
    ["no address at all", new AggregateError([]), "maybe"],
    ["something unknown", new Error("?"), "maybe"],
  ])("%s", (_name, error, arrived) => {
    expect(networkFailure(wrapped(error)).arrived).toBe(arrived);
  });

  test("thrown things that are no errors are in doubt too", () => {
    expect(networkFailure("text")).toEqual({ message: "unknown", arrived: "maybe", timedOut: false });
  });

  test("the platform's own time limits are time limits", () => {
    expect(networkFailure(wrapped(coded("UND_ERR_HEADERS_TIMEOUT"))).timedOut).toBe(true);
    expect(networkFailure(wrapped(coded("UND_ERR_BODY_TIMEOUT")))).toMatchObject({
      timedOut: true,
      arrived: "maybe",
    });
    expect(networkFailure(wrapped(coded("ECONNRESET"))).timedOut).toBe(false);
  });

  test.each(["CERT_HAS_EXPIRED", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_SSL_WRONG_VERSION_NUMBER"])(
    "%s",
    (code) => {
      expect(isCertificateFailure(code)).toBe(true);
    },
  );
});
