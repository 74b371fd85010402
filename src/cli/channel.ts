import { fstatSync, writeSync } from "node:fs";
import type { Output } from "./io.ts";

type Stream = NodeJS.WriteStream & { readonly fd: number };

interface Channel extends Output {
  /**
   * Resolves when all that was written has arrived or is lost: undefined when nobody misses anything, which a reader
   * that has seen enough (`head`) does not; otherwise the system's code of the trouble, such as ENOSPC.
   */
  flushed(): Promise<string | undefined>;
}

/**
 * An output that may fail without ending the run behind it, which may be writing to production. The first trouble is
 * kept, and nothing is written after it.
 */
export function openChannel(stream: Stream): Channel {
  let trouble: string | undefined;
  const failed = (error: unknown): void => {
    trouble ??= error instanceof Error && "code" in error ? String(error.code) : "an unknown reason";
  };
  stream.on("error", failed);
  const isFile = isWrittenAtOnce(stream);
  return {
    write(text) {
      if (trouble !== undefined) return;
      try {
        if (isFile) writeAll(stream.fd, text);
        else stream.write(text);
      } catch (error) {
        failed(error);
      }
    },
    get isTerminal() {
      return stream.isTTY;
    },
    get columns() {
      return stream.columns ?? 80;
    },
    async flushed() {
      if (trouble === undefined && !isFile) {
        await new Promise<void>((done) => {
          stream.write("", () => done());
        });
        // The event of a failure comes after the call that tells of it.
        await new Promise((done) => {
          setImmediate(done);
        });
      }
      return trouble === "EPIPE" ? undefined : trouble;
    },
  };
}

/** A file, or a device other than a terminal. */
function isWrittenAtOnce({ fd, isTTY }: Stream): boolean {
  if (isTTY) return false;
  try {
    const found = fstatSync(fd);
    return found.isFile() || found.isCharacterDevice();
  } catch {
    return false;
  }
}

/** Node's own stream for files takes a write that the disk had room for in part as one that was done. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
}
