import type { Picture } from './decode-worker.js';

/** Side of the square that is read, in pixels of the camera: a code at arm's length fills it. */
const side = 720;
/** Least milliseconds between two pictures: 15 a second. */
const interval = 1000 / 15;
/** The next picture is not awaited longer, because a paused element never has one. */
const patience = 500;

let lastAt = Number.NEGATIVE_INFINITY;
let canvas: HTMLCanvasElement | undefined;

/** Waits for the next picture of the camera, at most 15 times a second. @returns whether one came */
export async function nextFrame(video: HTMLVideoElement): Promise<boolean> {
  const rest = lastAt + interval - performance.now();
  if (rest > 0) await pause(rest);
  const came = await Promise.race([presented(video).then(() => true), pause(patience).then(() => false)]);
  lastAt = performance.now();
  return came;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function presented(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => resolve());
    else requestAnimationFrame(() => resolve());
  });
}

/** The centre of the picture. @returns undefined while the camera has none */
export async function grabCentre(video: HTMLVideoElement): Promise<Omit<Picture, 'id'> | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0 || video.readyState < 2) return undefined;
  const square = Math.min(side, width, height);
  const [left, top] = [(width - square) / 2, (height - square) / 2];
  if (typeof OffscreenCanvas === 'function') {
    // The worker then reads the pixels, which would take time from the page.
    const bitmap = await createImageBitmap(video, left, top, square, square).catch(() => undefined);
    if (bitmap) return { bitmap };
  }
  canvas ??= document.createElement('canvas');
  canvas.width = square;
  canvas.height = square;
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  drawing?.drawImage(video, left, top, square, square, 0, 0, square, square);
  return drawing ? { pixels: drawing.getImageData(0, 0, square, square) } : undefined;
}
