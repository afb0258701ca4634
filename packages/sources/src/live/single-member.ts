import { concatBytes } from "../input/bytes.js";
import { Unzip, UnzipInflate } from "fflate";
import { SourceError } from "../source-error.js";

/**
 * The only file of a zip archive. It is decompressed in pieces and counted, because the sizes that an archive states may
 * be false.
 * @throws SourceError if the bytes are not an archive with one file, or the file is larger than `maxBytes`.
 */
export function singleMember(archive: Uint8Array, maxBytes: number, where: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let files = 0;
  let isComplete = false;
  const unzip = new Unzip((file) => {
    files += 1;
    if (files > 1) {
      throw new SourceError("The archive has several files.", where);
    }
    file.ondata = (error, piece, isLast) => {
      if (error !== null) {
        throw new SourceError("The archive is damaged.", where, { cause: error });
      }
      size += piece.length;
      if (size > maxBytes) {
        throw new SourceError(`The file in the archive is larger than ${maxBytes} bytes.`, where);
      }
      pieces.push(piece);
      isComplete ||= isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let start = 0; start < archive.length; start += PIECE_BYTES) {
      unzip.push(archive.subarray(start, start + PIECE_BYTES), start + PIECE_BYTES >= archive.length);
    }
  } catch (error) {
    if (error instanceof SourceError) {
      throw error;
    }
    throw new SourceError("The archive cannot be read.", where, { cause: error });
  }
  if (!isComplete) {
    throw new SourceError("The response is not an archive of one file.", where);
  }
  return concatBytes(pieces);
}

// A piece of an archive may grow a thousandfold before it is counted.
const PIECE_BYTES = 16 * 1024;
