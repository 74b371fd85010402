import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Diagnostic } from "../model/diagnostic.ts";
import { readText } from "../plan/read-text.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What a plan's variables are taken from, and what a person should know of it. What is set already wins over the file. */
export function environment(
  io: Io,
  { envFile }: Pick<CommonFlags, "envFile">,
): { readonly env: Variables; readonly notes: readonly Diagnostic[] } {
  if (envFile === undefined) return { env: io.env, notes: [] };
  const read = readText(resolve(io.cwd, envFile));
  if ("why" in read)
    throw new UsageError(
      `--env-file ${envFile} ${read.why}`,
      "Correct the path, or leave it out where the variables are set.",
    );
  // UTF-16 without a mark, as some shells write it: it would be read as a file without variables.
  if (read.text.includes("\0"))
    throw new UsageError(
      `--env-file ${envFile} is not text in UTF-8`,
      "Write it anew in UTF-8, a line NAME=value for each variable.",
    );
  const variables = parseEnv(read.text);
  return { env: { ...variables, ...io.env }, notes: cutNotes(read.text, envFile, variables, io.env) };
}

/** A value without quotation marks that goes on behind a `#`: where a blank stands before that, it is a remark to everybody. */
const cut = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*([^\s'"`#][^\r\n#]*(?<=[^\s#]))#/gm;

/**
 * Such files are read as Node reads them; a shell, and others, take the same line for a whole secret. What only looks like a line, inside
 * of quotation marks, or is not the one that counts, is none.
 */
function cutNotes(text: string, file: string, variables: Variables, env: Variables): readonly Diagnostic[] {
  return [...text.matchAll(cut)].flatMap(([, name = "", value]): readonly Diagnostic[] =>
    env[name] === undefined && variables[name] === value
      ? [
          {
            severity: "warning",
            code: "env-file-cut",
            summary: `--env-file ${file}: ${name} ends before the #, what stands behind it is taken for a remark`,
            suggestion: "Where it belongs to the value, put that in quotation marks.",
          },
        ]
      : [],
  );
}
