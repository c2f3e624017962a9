import { inflateSync } from 'node:zlib';
import { create } from 'qrcode';
import decodeQr from 'qr/decode.js';

/** A printed QR code. Lengths in points. */
export interface PrintedCode {
  readonly text: string;
  /** Without the quiet zone. */
  readonly width: number;
  /** The narrowest white margin around it, in modules. */
  readonly quietModules: number;
}

type Rectangle = readonly [number, number, number, number];

/** The compressed streams of a PDF, decompressed, in order. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/\/Length (\d+)[^>]*>>\r?\nstream\r?\n/g)].flatMap(({ index, 0: head, 1: length }) => {
    const start = index + head.length;
    try {
      return [inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1')];
    } catch {
      return [];
    }
  });
}

/** The drawing operators of each page. */
export const paintedPages = (pdf: Buffer): string[] => streamsOf(pdf).filter((stream) => / re\n/.test(stream));

/** White squares with black rectangles on them, whose unit is a module. */
const drawnSquares = new RegExp(
  '([\\d.]+) ([\\d.]+) ([\\d.]+) ([\\d.]+) re\\n/DeviceRGB cs\\n1 1 1 scn\\nf\\nq\\n' +
    '([\\d.]+) 0 0 \\5 ([\\d.]+) ([\\d.]+) cm\\n(.*?)/DeviceRGB cs\\n0 0 0 scn\\nf\\nQ\\n',
  'gs',
);

/** A white square and the black rectangles on it, in points. */
interface DrawnSquare {
  readonly square: Rectangle;
  readonly painted: readonly Rectangle[];
}

function squaresOf(page: string): DrawnSquare[] {
  return [...page.matchAll(drawnSquares)].map(([, ...found]) => {
    const [x = 0, y = 0, width = 0, height = 0, module = 0, left = 0, top = 0] = found.map(Number);
    const painted = [...(found[7] ?? '').matchAll(/^(\d+) (\d+) (\d+) (\d+) re$/gm)].map((match): Rectangle => {
      const [column = 0, row = 0, wide = 0, high = 0] = match.slice(1).map(Number);
      return [left + column * module, top + row * module, wide * module, high * module];
    });
    return { square: [x, y, width, height], painted };
  });
}

/** Decodes the QR codes of a PDF, page by page: black rectangles on a white square. */
export function printedCodes(pdf: Buffer): PrintedCode[][] {
  return paintedPages(pdf).map((page) => squaresOf(page).map(({ painted, square }) => readCode(painted, square)));
}

/** The modules of the first QR code that a page draws, row by row (1 is dark), and the size of one in points. */
export function drawnModules(page: string): { readonly modules: number[]; readonly points: number } {
  const [drawn] = squaresOf(page);
  const painted = drawn?.painted ?? [];
  const points = painted[0]![3];
  const left = Math.min(...painted.map(([x]) => x));
  const top = Math.min(...painted.map(([, y]) => y));
  const size = Math.round((Math.max(...painted.map(([, y, , high]) => y + high)) - top) / points);
  const modules = Array.from({ length: size * size }, () => 0);
  for (const [x, y, width] of painted) {
    const first = Math.round((y - top) / points) * size + Math.round((x - left) / points);
    modules.fill(1, first, first + Math.round(width / points));
  }
  return { modules, points };
}

/** The QR codes with error correction M that contain a text, as another package draws them: one for each mask. */
export function possibleCodes(text: string): { readonly size: number; readonly modules: number[] }[] {
  return ([0, 1, 2, 3, 4, 5, 6, 7] as const).map((maskPattern) => {
    const { size, data } = create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M', maskPattern }).modules;
    return { size, modules: [...data].map(Number) };
  });
}

function readCode(painted: readonly Rectangle[], [x, y, width, height]: Rectangle): PrintedCode {
  const module = painted[0]![3];
  const left = Math.min(...painted.map(([at]) => at));
  const top = Math.min(...painted.map(([, at]) => at));
  const right = Math.max(...painted.map(([at, , wide]) => at + wide));
  const bottom = Math.max(...painted.map(([, at, , high]) => at + high));
  const quiet = Math.min(left - x, top - y, x + width - right, y + height - bottom) / module;
  return {
    text: decodeQr(drawn(painted, [x, y, width, height], 4 / module)),
    width: right - left,
    quietModules: quiet,
  };
}

/** Renders the square as a bitmap. @param scale pixels per point */
function drawn(painted: readonly Rectangle[], [x, y, width, height]: Rectangle, scale: number) {
  const picture = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  const data = new Uint8Array(picture.width * picture.height * 4).fill(255);
  for (const [left, top, wide, high] of painted) {
    for (let row = Math.round((top - y) * scale); row < Math.round((top + high - y) * scale); row += 1) {
      for (let dot = Math.round((left - x) * scale); dot < Math.round((left + wide - x) * scale); dot += 1)
        data.fill(0, (row * picture.width + dot) * 4, (row * picture.width + dot) * 4 + 3);
    }
  }
  return { ...picture, data };
}
