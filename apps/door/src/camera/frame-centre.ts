import { greyPicture, side } from './grey-picture.js';

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the decoder takes, and the bytes in it that are pixels. */
export interface Centre {
  readonly picture: Uint8Array<ArrayBuffer> | ImageData;
  readonly pixels: Uint8Array | Uint8ClampedArray;
}

/** Formats whose first plane is the brightness, one byte for each pixel. */
const bright = /^(?:I4\d\dA?|NV12)$/;
/** Of so many pixels at least one differs from the first in every picture of a camera that sees anything. */
const samples = 64;

/** The square in the centre of a picture that is read. Its sides are even, because planes of colours have half as many rows and columns. */
export function centreOf({ x, y, width, height }: Rect): Rect {
  const square = even(Math.min(side, width, height));
  return { x: even(x + (width - square) / 2), y: even(y + (height - square) / 2), width: square, height: square };
}

/** The centre of a frame of the camera in grey. @returns undefined: the format of the frame has no plane of brightness */
export async function greyCentre(frame: VideoFrame): Promise<Centre | undefined> {
  const { visibleRect, format } = frame;
  if (!visibleRect || !bright.test(format ?? '')) return undefined;
  const rect = centreOf(visibleRect);
  // The colours come after the brightness, and the decoder ignores them.
  const { file, pixels } = greyPicture(rect.width, frame.allocationSize({ rect }));
  await frame.copyTo(pixels, { rect });
  return { picture: file, pixels: pixels.subarray(0, rect.width * rect.height) };
}

/** Whether all pixels are equal, as where a browser hands out frames without their content. */
export function isEmpty({ pixels }: Centre): boolean {
  // The same channel of each pixel, also where a pixel has four bytes.
  const step = 4 * Math.ceil(pixels.length / samples / 4);
  for (let at = step; at < pixels.length; at += step) if (pixels[at] !== pixels[0]) return false;
  return true;
}

const even = (pixels: number): number => 2 * Math.floor(pixels / 2);
