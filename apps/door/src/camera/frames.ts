import type { Picture } from './decode-worker.js';
import { side } from './grey-picture.js';

/** Least milliseconds between two pictures: 15 a second. */
const interval = 1000 / 15;
/** The next picture is not awaited longer, because a paused element never has one. */
const patience = 500;

let lastAt = Number.NEGATIVE_INFINITY;

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

/**
 * The picture of the camera as it is now: its frame, of which the worker copies what it needs, or the centre in colours, which takes the
 * page four times as long.
 * @param centre in colours, because the frame before was empty @returns undefined while the camera has no picture
 */
export async function grab(video: HTMLVideoElement, centre: boolean): Promise<Omit<Picture, 'id'> | undefined> {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0 || video.readyState < 2) return undefined;
  try {
    if (!centre) return { frame: new VideoFrame(video) };
  } catch {
    // Firefox on phones has no frames.
  }
  const square = Math.min(side, width, height);
  const bitmap = await createImageBitmap(video, (width - square) / 2, (height - square) / 2, square, square).catch(() => undefined);
  return bitmap && { bitmap };
}
