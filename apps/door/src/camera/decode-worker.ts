import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { centreOf, greyCentre, isEmpty, type Centre } from './frame-centre.js';
import { readerOptions } from './reader-options.js';

/** One picture to read: the frame of the camera where the browser hands it out, otherwise its centre. */
export interface Picture {
  readonly id: number;
  readonly frame?: VideoFrame;
  readonly bitmap?: ImageBitmap;
}

export interface Reading {
  readonly id: number;
  /** What the code says; null: no code was found. */
  readonly text: string | null;
  /** The decoder itself is missing: no picture can be read. */
  readonly broken?: boolean;
  /** The picture showed nothing at all: some browsers may hand out frames without their content. */
  readonly empty?: boolean;
}

const isReady = prepareZXingModule({ overrides: { locateFile: () => BUILD_WASM }, fireImmediately: true }).then(
  () => true,
  () => false,
);
let canvas: OffscreenCanvas | undefined;

/** The centre of an image in colours. */
function drawnCentre(image: CanvasImageSource, width: number, height: number): Centre | undefined {
  const rect = centreOf({ x: 0, y: 0, width, height });
  const square = rect.width;
  if (canvas?.width !== square) canvas = new OffscreenCanvas(square, square);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(image, rect.x, rect.y, square, square, 0, 0, square, square);
  const picture = drawing?.getImageData(0, 0, square, square);
  return picture && { picture, pixels: picture.data };
}

/** Closes the picture at once, because a camera has only a few frames. */
async function centreIn({ frame, bitmap }: Picture): Promise<Centre | undefined> {
  try {
    if (frame) return (await greyCentre(frame)) ?? drawnCentre(frame, frame.displayWidth, frame.displayHeight);
    return bitmap && drawnCentre(bitmap, bitmap.width, bitmap.height);
  } finally {
    (frame ?? bitmap)?.close();
  }
}

async function read(picture: Picture): Promise<Reading> {
  const { id } = picture;
  try {
    const centre = await centreIn(picture);
    if (!(await isReady)) return { id, text: null, broken: true };
    if (!centre || isEmpty(centre)) return { id, text: null, empty: true };
    const [code] = await readBarcodes(centre.picture, readerOptions);
    return { id, text: code?.isValid ? code.text : null };
  } catch {
    // One unreadable picture must not stop the next.
    return { id, text: null, empty: true };
  }
}

addEventListener('message', ({ data }: MessageEvent<Picture>) => {
  void read(data).then((reading) => postMessage(reading));
});
