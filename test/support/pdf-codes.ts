import { inflateSync } from 'node:zlib';
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

/** Decodes the QR codes of a PDF, page by page: black rectangles on a white square. */
export function printedCodes(pdf: Buffer): PrintedCode[][] {
  const square = /([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\n\/DeviceRGB cs\n1 1 1 scn\nf\n(.*?)\/DeviceRGB cs\n0 0 0 scn\nf\n/gs;
  return paintedPages(pdf).map((page) =>
    [...page.matchAll(square)].map(([, x, y, width, height, black = '']) => {
      const painted = [...black.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$/gm)].map(
        (match) => match.slice(1).map(Number) as unknown as Rectangle,
      );
      return readCode(painted, [x, y, width, height].map(Number) as unknown as Rectangle);
    }),
  );
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
