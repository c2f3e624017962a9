import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { greyPicture, side } from '../../apps/door/src/camera/grey-picture.js';
import { readerOptions } from '../../apps/door/src/camera/reader-options.js';
import { blankPicture, drawCode, hardPictures, pictureSize, type CodePicture } from '../support/door/code-pictures.js';

/** Codes as long as those of tickets. */
const codes = Array.from({ length: 12 }, () => `${randomBytes(18).toString('base64url')}:${randomBytes(64).toString('base64url')}`);

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer }, fireImmediately: true });
});

/** The centre of a picture as the app hands it to the reader. */
function centreOf(picture: Buffer): Uint8Array {
  const { file, pixels } = greyPicture(side);
  const left = (pictureSize.width - side) / 2;
  const top = (pictureSize.height - side) / 2;
  for (let row = 0; row < side; row += 1) {
    const from = (top + row) * pictureSize.width + left;
    pixels.set(picture.subarray(from, from + side), row * side);
  }
  return file;
}

async function read(picture: Buffer, options = readerOptions): Promise<string | undefined> {
  const [found] = await readBarcodes(centreOf(picture), options);
  return found?.isValid ? found.text : undefined;
}

/** Number of the codes that are read when they look like this, each at another place. */
async function readable(look: Omit<CodePicture, 'text'>, options = readerOptions): Promise<number> {
  let count = 0;
  for (const [index, text] of codes.entries()) {
    const picture = await drawCode({ text, right: (index % 4) * 15 - 20, down: (index % 3) * 12 - 15, ...look });
    if ((await read(picture, options)) === text) count += 1;
  }
  return count;
}

describe('the reader of the scanner app', () => {
  it('reads every code in good light', async () => {
    expect(await readable({})).toBe(12);
  });

  it.each(Object.entries(hardPictures))('reads at least 11 of 12 codes that are %s', async (_name, look) => {
    expect(await readable(look)).toBeGreaterThanOrEqual(11);
  });

  it('needs its options for inverted codes', async () => {
    expect(await readable(hardPictures.inverted, { ...readerOptions, tryInvert: false })).toBe(0);
  });

  it('reads nothing where there is no code', async () => {
    expect(await read(blankPicture())).toBeUndefined();
  });
});
