import { errno } from "../store-error.ts";
import type { Disk } from "./disk.ts";
import { Sha256 } from "./sha256.ts";

const pieceSize = 1 << 18;

/** SHA-256 of a file's bytes, of which no more than a piece is in memory; undefined where they cannot be read. */
export async function fileDigest(disk: Disk, path: string): Promise<string | undefined> {
  try {
    const file = await disk.open(path, "r");
    try {
      const sha256 = new Sha256();
      const piece = Buffer.allocUnsafe(pieceSize);
      for (;;) {
        const { bytesRead } = await file.read(piece, 0, piece.length);
        if (bytesRead === 0) return sha256.hex("");
        sha256.add(piece.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}
