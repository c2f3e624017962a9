import { create } from 'qrcode';
import sharp from 'sharp';

/** Size of a camera picture in pixels. */
export const pictureSize = { width: 1280, height: 720 };

/** How a QR code looks to the camera. */
export interface CodePicture {
  readonly text: string;
  /** Pixels of the picture per module of the code. Default: 8. */
  readonly pixels?: number;
  /** How far the code is turned. Default: 0. */
  readonly degrees?: number;
  /** Grey values of modules and background, 0 to 255. Default: black on white. */
  readonly ink?: number;
  readonly paper?: number;
  /** Place of the code's centre, from the centre of the picture. */
  readonly right?: number;
  readonly down?: number;
  /** Width of the blur in pixels. Default: 0.5, as of a camera in focus. */
  readonly blur?: number;
  /** Largest change of a pixel by the noise of the sensor. Default: 3. */
  readonly noise?: number;
}

/** The kinds of codes of which a scanner reads at least 11 of 12. */
export const hardPictures = {
  /** A ticket on a phone in dark mode. */
  inverted: { ink: 235, paper: 20 },
  /** A printed ticket in a dark street: a tenth of the contrast, with noise. */
  dim: { ink: 22, paper: 46, noise: 5 },
  /** A ticket that is held askew. */
  turned: { degrees: 45 },
  /** A code that is small or far away. */
  small: { pixels: 2, blur: 0.3 },
} satisfies Record<string, Omit<CodePicture, 'text'>>;

/**
 * The code with its quiet zone, one grey byte per pixel. Drawn by hand, because the server refuses SVG in its whole process, and tests run
 * in that process.
 */
function modulesOf(text: string, pixels: number, ink: number, paper: number): { data: Buffer; side: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const margin = 4;
  const side = (modules.size + 2 * margin) * pixels;
  const data = Buffer.alloc(side * side, paper);
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue;
      const left = (column + margin) * pixels;
      for (let line = 0; line < pixels; line += 1) {
        const at = ((row + margin) * pixels + line) * side + left;
        data.fill(ink, at, at + pixels);
      }
    }
  }
  return { data, side };
}

/** The same noise in every run: a linear congruential generator. */
function addNoise(pixels: Buffer, most: number): Buffer {
  let state = 7;
  for (let index = 0; index < pixels.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const change = Math.round((state / 0xffff_ffff - 0.5) * 2 * most);
    pixels[index] = Math.min(255, Math.max(0, (pixels[index] as number) + change));
  }
  return pixels;
}

/** Draws what the camera sees. @returns one grey byte per pixel, in rows */
export async function drawCode(picture: CodePicture): Promise<Buffer> {
  const { text, pixels = 8, degrees = 0, ink = 0, paper = 255, right = 0, down = 0, blur = 0.5, noise = 3 } = picture;
  const { width, height } = pictureSize;
  const background = Math.round((ink + paper) / 2);
  const { data, side } = modulesOf(text, pixels, ink, paper);
  const fill = { r: background, g: background, b: background };
  const code = await sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('srgb')
    .rotate(degrees, { background: fill })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: codeWidth, height: codeHeight, channels } = code.info;
  const place = { left: Math.round((width - codeWidth) / 2 + right), top: Math.round((height - codeHeight) / 2 + down) };
  const drawn = await sharp({ create: { width, height, channels: 3, background: fill } })
    .composite([{ input: code.data, raw: { width: codeWidth, height: codeHeight, channels }, ...place }])
    .flatten()
    .greyscale()
    .blur(blur)
    .raw()
    .toBuffer();
  return noise > 0 ? addNoise(drawn, noise) : drawn;
}

/** What the camera sees between two tickets. */
export function blankPicture(): Buffer {
  return addNoise(Buffer.alloc(pictureSize.width * pictureSize.height, 120), 3);
}
