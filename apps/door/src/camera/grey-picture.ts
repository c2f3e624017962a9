/** Side of the square that is read, in pixels of the camera: a code at arm's length fills it. */
export const side = 720;

let kept: Uint8Array<ArrayBuffer> | undefined;

/**
 * A square grey picture as a file in the format PGM, which the decoder takes without a conversion of colours. The next picture of the same
 * size has the same memory.
 * @param bytes of the pixels and of what follows them @returns the file, and the part of it for the pixels
 */
export function greyPicture(
  square: number,
  bytes = square * square,
): { readonly file: Uint8Array<ArrayBuffer>; readonly pixels: Uint8Array<ArrayBuffer> } {
  const header = new TextEncoder().encode(`P5 ${square} ${square} 255\n`);
  const length = header.length + bytes;
  if (kept?.length !== length) kept = new Uint8Array(length);
  kept.set(header);
  return { file: kept, pixels: kept.subarray(header.length) };
}
