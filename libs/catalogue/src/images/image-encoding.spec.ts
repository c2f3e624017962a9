import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { RefusedInput } from '#kernel';
import sharp, { type Sharp } from 'sharp';
import { imageVariations, variantOfFile } from './image-addresses.js';
import { encodeImage, type PreparedImage, type PreparedVariant } from './image-encoding.js';

const mebibyte = 1024 * 1024;
const gps = { IFD0: { Copyright: 'Ada Martin' }, IFD3: { GPSLatitude: '45/1 45/1 0/1', GPSLatitudeRef: 'N' } };

/** An image with soft noise, so that it neither compresses to nothing nor takes a second. */
function picture(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let index = 0; index < pixels.length; index += 1) pixels[index] = (index * 2654435761) >>> 24;
  return sharp(pixels, { raw: { width, height, channels } });
}

/** A PNG whose header claims any size; its pixels are missing or all black. */
function claimedPng(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    const body = Buffer.concat([Buffer.from(type), content]);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(Math.min((width + 1) * height, 70_000_000)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const sizes = ({ variants }: PreparedImage): string[] =>
  variants.map(({ name, format, width, height }) => `${name} ${format} ${width}×${height}`);
const one = (image: PreparedImage, name: string, format: string): PreparedVariant =>
  image.variants.find((variant) => variant.name === name && variant.format === format) as PreparedVariant;

async function refusal(bytes: Buffer): Promise<string> {
  const outcome: unknown = await encodeImage(bytes, 'img').catch((error: unknown) => error);
  if (!(outcome instanceof RefusedInput)) return outcome instanceof Error ? String(outcome) : 'taken';
  expect(outcome.field).toBe('img');
  return outcome.message;
}

describe('a picture', () => {
  it.each([
    ['jpeg', 'jpeg', () => picture(2500, 1250).jpeg()],
    ['PNG', 'png', () => picture(2500, 1250, 4).png()],
    ['WebP', 'webp', () => picture(2500, 1250).webp()],
    ['GIF', 'png', () => picture(2500, 1250).gif({ effort: 1, colours: 8 })],
    ['AVIF', 'webp', () => picture(2500, 1250).avif({ effort: 0 })],
  ] as const)('in %s is made in four widths, as WebP and %s', async (_name, kind, make) => {
    const image = await encodeImage(await make().toBuffer(), 'img');
    expect([image.kind, image.width, image.height]).toEqual([kind, 2500, 1250]);
    const expected = [
      ['fhd', 1920, 960],
      ['hdr', 720, 360],
      ['med', 480, 240],
      ['thumbnail', 150, 75],
    ];
    expect(sizes(image)).toEqual(
      expected.flatMap(([name, width, height]) => [...new Set(['webp', kind])].map((format) => `${name} ${format} ${width}×${height}`)),
    );
    for (const { format, width, height, bytes, sha256 } of image.variants) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height });
      expect(sha256).toEqual(createHash('sha256').update(bytes).digest());
    }
  });

  it('is never enlarged', async () => {
    const small = await encodeImage(await picture(300, 200).webp().toBuffer(), 'img');
    expect(sizes(small)).toEqual(['fhd webp 300×200', 'hdr webp 300×200', 'med webp 300×200', 'thumbnail webp 150×100']);
    const dot = await encodeImage(await picture(1, 1).png().toBuffer(), 'img');
    expect(new Set(sizes(dot).map((size) => size.split(' ')[2]))).toEqual(new Set(['1×1']));
  });

  it('is limited in size when it is very high or very wide', async () => {
    const high = await encodeImage(await picture(20, 60_000).png().toBuffer(), 'img');
    expect(one(high, 'fhd', 'webp')).toMatchObject({ width: 3, height: 7680 });
    const wide = await encodeImage(await picture(60_000, 20).png().toBuffer(), 'img');
    expect(one(wide, 'fhd', 'webp')).toMatchObject({ width: 1920, height: 1 });
  });

  it('loses its metadata: location, author, profile and data after its end', async () => {
    const script = '<script>alert(document.domain)</script>';
    const original = await picture(400, 300).withExif(gps).withIccProfile('p3').jpeg().toBuffer();
    expect((await sharp(original).metadata()).exif?.toString('latin1')).toContain('Ada Martin');
    const image = await encodeImage(Buffer.concat([original, Buffer.from(script)]), 'img');
    for (const { bytes } of image.variants) {
      const metadata = await sharp(bytes).metadata();
      expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined, undefined]);
      for (const trace of ['Ada Martin', 'Exif', 'GPS', 'script']) expect(bytes.includes(trace)).toBe(false);
    }
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is rotated upright (EXIF orientation %i)', async (orientation) => {
    // Red in the corner that is upper left when the picture is upright.
    const corner = { create: { width: 60, height: 40, channels: 3, background: 'red' } } as const;
    const upright = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'blue' } })
      .composite([{ input: await sharp(corner).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer();
    const turned = {
      1: (it: Sharp) => it,
      2: (it: Sharp) => it.flop(),
      3: (it: Sharp) => it.rotate(180),
      4: (it: Sharp) => it.flip(),
      5: (it: Sharp) => it.flop().rotate(270),
      6: (it: Sharp) => it.rotate(270),
      7: (it: Sharp) => it.flop().rotate(90),
      8: (it: Sharp) => it.rotate(90),
    }[orientation as 1](sharp(upright));
    const image = await encodeImage(await turned.withMetadata({ orientation }).jpeg().toBuffer(), 'img');
    expect([image.width, image.height]).toEqual([300, 200]);
    const { data, info } = await sharp(one(image, 'fhd', 'jpeg').bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number[] => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    expect(at(10, 10)[0]).toBeGreaterThan(200);
    for (const [x, y] of [
      [290, 10],
      [10, 190],
      [290, 190],
    ] as const)
      expect(at(x, y)[2]).toBeGreaterThan(200);
  });

  it('in CMYK, grey or 16 bits is converted for every browser', async () => {
    const cmyk = await picture(200, 100).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    const grey = await picture(200, 100).greyscale().png().toBuffer();
    const deep = await picture(200, 100).toColourspace('rgb16').png().toBuffer();
    for (const bytes of [cmyk, grey, deep]) {
      const image = await encodeImage(bytes, 'img');
      expect(await sharp(one(image, 'fhd', image.kind).bytes).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
    }
  });

  it('keeps its transparency', async () => {
    const half = { create: { width: 900, height: 300, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } } as const;
    const image = await encodeImage(await sharp(half).png().toBuffer(), 'img');
    for (const format of ['png', 'webp']) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = await sharp(one(image, 'hdr', format).bytes)
        .raw()
        .toBuffer();
      expect(red).toBeGreaterThan(250);
      expect(Math.max(green, blue)).toBeLessThan(5);
      expect(Math.abs(alpha - 128)).toBeLessThan(3);
    }
  });

  it('with animation shows its first frame', async () => {
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 40, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const moving of [
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ]) {
      const image = await encodeImage(moving, 'img');
      expect([image.width, image.height]).toEqual([40, 40]);
      const { data, info } = await sharp(one(image, 'fhd', 'webp').bytes)
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.height, data[0]! > 200, data[2]! < 60]).toEqual([40, true, true]);
    }
  });
});

const notAPicture = 'This is not a picture. Send a JPEG, PNG, WebP, GIF or AVIF file.';
const heic = 'This is a HEIC picture, as iPhones make them. Save it as JPEG and send it again.';
const damaged = 'This picture is damaged or incomplete. Save it again and send it once more.';
const tooManyPixels = 'This picture has more than 50 million pixels, or a side of more than 65,535. Make it smaller and send it again.';

describe('a refused upload', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['HTML that is called a picture', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>')],
    ['SVG with an XML head', Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a ZIP', Buffer.from('PK\u0003\u0004 and so on')],
  ])('%s is no picture', async (_name, bytes) => {
    expect(await refusal(bytes)).toBe(notAPicture);
  });

  it('is a TIFF', async () => {
    expect(await refusal(await picture(50, 50).tiff().toBuffer())).toBe(notAPicture);
  });

  it.each([
    ['heic', ['mif1', 'heic']],
    ['mif1', ['mif1', 'heic', 'miaf']],
    ['hevx', []],
  ])('is a HEIC of the brand %s, and is named', async (major, compatible) => {
    const brands = [major, '\u0000\u0000\u0000\u0000', ...compatible].join('');
    const head = Buffer.from(`\u0000\u0000\u0000${String.fromCodePoint(8 + brands.length)}ftyp${brands}`, 'latin1');
    expect(await refusal(Buffer.concat([head, Buffer.alloc(500)]))).toBe(heic);
  });

  it.each([
    ['JPEG', () => picture(800, 600).jpeg(), 0.5],
    ['PNG', () => picture(800, 600).png(), 0.5],
    ['WebP', () => picture(800, 600).webp(), 0.5],
    ['GIF', () => picture(800, 600).gif({ effort: 1 }), 0.5],
    ['AVIF', () => picture(800, 600).avif({ effort: 0 }), 0.5],
    ['JPEG after its head', () => picture(800, 600).jpeg(), 0.01],
  ] as const)('a truncated %s', async (_name, make, share) => {
    const bytes = await make().toBuffer();
    expect(await refusal(bytes.subarray(0, Math.floor(bytes.length * share)))).toBe(damaged);
  });

  it('has the header of a picture with other content', async () => {
    for (const head of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\x24\x00\x00\x00WEBP', '\x00\x00\x00\x10ftypavif']) {
      expect(await refusal(Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg"/>`, 'latin1'))).toBe(damaged);
    }
  });

  it('is a small PNG of too many pixels, without being decoded', async () => {
    const bombs = [
      claimedPng(8000, 8000),
      claimedPng(1, 50_000_001),
      claimedPng(50_000_001, 1),
      claimedPng(1, 50_000_000),
      claimedPng(65_536, 1),
    ];
    for (const bomb of bombs) {
      expect(bomb.length).toBeLessThan(mebibyte);
      const began = performance.now();
      expect(await refusal(bomb)).toBe(tooManyPixels);
      expect(performance.now() - began).toBeLessThan(3000);
    }
  });

  it('has 10 MiB and one byte', async () => {
    const bytes = await picture(100, 100).png().toBuffer();
    const grown = (length: number): Buffer => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
    expect(await refusal(grown(10 * mebibyte + 1))).toBe('This picture is larger than 10 MiB. Make it smaller and send it again.');
    expect(await refusal(grown(10 * mebibyte))).toBe('taken');
  });
});

describe('addresses of pictures', () => {
  const id = '0195e2a4-0000-4000-8000-000000000001';
  it('name every size, relative to the host', () => {
    expect(imageVariations(id)).toEqual({
      fhd: `/images/${id}/fhd.webp`,
      hdr: `/images/${id}/hdr.webp`,
      med: `/images/${id}/med.webp`,
      thumbnail: `/images/${id}/thumbnail.webp`,
    });
    expect(imageVariations(id, 'jpeg').fhd).toBe(`/images/${id}/fhd.jpg`);
  });

  it.each(['fhd.jpeg', 'fhd', 'FHD.webp', 'fhd.webp.exe', 'toString.webp', 'fhd.toString', '', '.webp'])('do not include %s', (file) =>
    expect(variantOfFile(file)).toBeUndefined(),
  );
});
