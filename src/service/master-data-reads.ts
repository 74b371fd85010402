import { text } from "../model/json.ts";
import { at } from "./address.ts";
import type { Reader } from "./call.ts";
import { directory } from "./shapes.ts";

/** What the server says of itself (document 3, "Directory"). */
export interface Directory {
  readonly name: string;
  readonly version: string;
  /** It takes writes (`rwmode` RW). */
  readonly isWritable: boolean;
}

/** Document 3, base `/api/rest`, which cannot be configured. All throw ServiceError. */
export interface MasterDataReads {
  directory(): Promise<Directory>;
}

export function masterDataReads(reader: Reader): MasterDataReads {
  return {
    directory: async () => {
      const body = await reader.read({ method: "GET", at: at`/api/rest/` }, (answer) =>
        directory(answer.body),
      );
      return {
        name: text(body, "name") ?? "",
        version: text(body, "version") ?? "",
        isWritable: text(body, "rwmode") === "RW",
      };
    },
  };
}
