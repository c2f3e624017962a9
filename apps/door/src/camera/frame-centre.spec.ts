import { expect, it } from '@jest/globals';
import { greyCentre, isEmpty, type Centre } from './frame-centre.js';

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A frame in which each pixel has the brightness that `at` says; its colours are 128. */
function frameOf(format: string | null, visibleRect: Rect, at: (x: number, y: number) => number) {
  const asked: Rect[] = [];
  const frame = {
    format,
    visibleRect,
    allocationSize: ({ rect: { width, height } }: { rect: Rect }) => (width * height * 3) / 2,
    copyTo: async (target: Uint8Array, { rect }: { rect: Rect }) => {
      asked.push(rect);
      target.fill(128);
      for (let y = 0; y < rect.height; y += 1)
        for (let x = 0; x < rect.width; x += 1) target[y * rect.width + x] = at(rect.x + x, rect.y + y);
    },
  };
  return { frame: frame as unknown as VideoFrame, asked };
}

const slope = (x: number, y: number): number => (x + 3 * y) % 251;

it.each([
  ['I420', { x: 0, y: 0, width: 1280, height: 720 }, { x: 280, y: 0, width: 720, height: 720 }],
  ['NV12', { x: 0, y: 4, width: 1080, height: 1920 }, { x: 180, y: 604, width: 720, height: 720 }],
  // Cameras with an odd side.
  ['I420A', { x: 1, y: 0, width: 641, height: 481 }, { x: 80, y: 0, width: 480, height: 480 }],
])('copies the brightness of the centre of a frame (%s)', async (format, visible, rect) => {
  const { frame, asked } = frameOf(format, visible, slope);
  const { picture, pixels } = (await greyCentre(frame)) as Centre;
  const header = `P5 ${rect.width} ${rect.width} 255\n`;
  const file = picture as Uint8Array;
  expect(new TextDecoder().decode(file.subarray(0, header.length))).toBe(header);
  expect(pixels.buffer).toBe(file.buffer);
  expect(pixels.byteOffset).toBe(file.byteOffset + header.length);
  expect(pixels.length).toBe(rect.width * rect.height);
  for (const [x, y] of [
    [0, 0],
    [rect.width - 1, 0],
    [0, rect.height - 1],
    [rect.width - 1, rect.height - 1],
  ] as const)
    expect(pixels[y * rect.width + x]).toBe(slope(rect.x + x, rect.y + y));
  expect(asked).toEqual([rect]);
});

it.each(['BGRA', 'I420P10', null])('leaves frames without a plane of brightness to the canvas (%s)', async (format) => {
  const { frame, asked } = frameOf(format, { x: 0, y: 0, width: 64, height: 64 }, slope);
  expect(await greyCentre(frame)).toBeUndefined();
  expect(asked).toEqual([]);
});

it('tells a frame without content from one that shows something', async () => {
  const visible = { x: 0, y: 0, width: 64, height: 64 };
  const grey = async (at: (x: number, y: number) => number) => (await greyCentre(frameOf('I420', visible, at).frame)) as Centre;
  expect(isEmpty(await grey(() => 16))).toBe(true);
  expect(isEmpty(await grey(slope))).toBe(false);
  // Black and opaque in four bytes.
  const black = Uint8ClampedArray.from({ length: 4 * 64 * 64 }, (_, at) => (at % 4 === 3 ? 255 : 0));
  expect(isEmpty({ picture: new Uint8Array(), pixels: black })).toBe(true);
});
