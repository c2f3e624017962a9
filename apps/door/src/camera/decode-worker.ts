import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { readerOptions } from './reader-options.js';

/** One picture to read: a bitmap where the browser draws in workers, otherwise its pixels. */
export interface Picture {
  readonly id: number;
  readonly bitmap?: ImageBitmap;
  readonly pixels?: ImageData;
}

export interface Reading {
  readonly id: number;
  /** What the code says; null: no code was found. */
  readonly text: string | null;
  /** The decoder itself is missing: no picture can be read. */
  readonly broken?: boolean;
}

const isReady = prepareZXingModule({ overrides: { locateFile: () => BUILD_WASM }, fireImmediately: true }).then(
  () => true,
  () => false,
);
let canvas: OffscreenCanvas | undefined;

function pixelsOf({ bitmap, pixels }: Picture): ImageData | undefined {
  if (!bitmap) return pixels;
  const { width, height } = bitmap;
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return drawing?.getImageData(0, 0, width, height);
}

async function read(picture: Picture): Promise<Reading> {
  try {
    const pixels = pixelsOf(picture);
    if (!(await isReady)) return { id: picture.id, text: null, broken: true };
    const [code] = pixels ? await readBarcodes(pixels, readerOptions) : [];
    return { id: picture.id, text: code?.isValid ? code.text : null };
  } catch {
    // One unreadable picture must not stop the next.
    return { id: picture.id, text: null };
  }
}

addEventListener('message', ({ data }: MessageEvent<Picture>) => {
  void read(data).then((reading) => postMessage(reading));
});
