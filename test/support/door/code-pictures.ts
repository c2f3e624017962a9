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

const grey = (value: number): string => `rgb(${value},${value},${value})`;

/** The modules of a code as the data of an SVG path, and their number per side. */
function modulesOf(text: string): { path: string; count: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size: count } = modules;
  let path = '';
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) if (modules.get(row, column)) path += `M${column} ${row}h1v1h-1z`;
  }
  return { path, count };
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
  const { path, count } = modulesOf(text);
  const margin = 4;
  const middle = -count / 2;
  const place = `translate(${width / 2 + right} ${height / 2 + down}) rotate(${degrees}) scale(${pixels}) translate(${middle} ${middle})`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="${grey(Math.round((ink + paper) / 2))}"/>
    <g transform="${place}">
      <rect x="${-margin}" y="${-margin}" width="${count + 2 * margin}" height="${count + 2 * margin}" fill="${grey(paper)}"/>
      <path d="${path}" fill="${grey(ink)}" shape-rendering="crispEdges"/>
    </g></svg>`;
  const drawn = await sharp(Buffer.from(drawing)).flatten().greyscale().blur(blur).raw().toBuffer();
  return noise > 0 ? addNoise(drawn, noise) : drawn;
}

/** What the camera sees between two tickets. */
export function blankPicture(): Buffer {
  return addNoise(Buffer.alloc(pictureSize.width * pictureSize.height, 120), 3);
}
