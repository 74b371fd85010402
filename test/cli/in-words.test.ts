import { expect, test } from "vitest";
import { inWords } from "../../src/cli/in-words.ts";

const text = `plans/prod.yaml is written. Set the four variables it names (A_CLIENT, B_CLIENT), then:
  ferry doctor plans/prod.yaml --env-file a/very/long/path/of/a/file/that/is/not/broken.env
    dev: baseUrl http://127.0.0.1:8051, realm dev, clientId dev-client
`;

test("a terminal gets lines that are broken between words, and commands whole", () => {
  const output = { write: () => {}, isTerminal: true, columns: 62 };
  expect(inWords(text, output)).toBe(`plans/prod.yaml is written. Set the four variables it names
(A_CLIENT, B_CLIENT), then:
  ferry doctor plans/prod.yaml --env-file a/very/long/path/of/a/file/that/is/not/broken.env
    dev: baseUrl http://127.0.0.1:8051, realm dev, clientId
      dev-client
`);
  expect(inWords(text, { ...output, isTerminal: false })).toBe(text);
});
