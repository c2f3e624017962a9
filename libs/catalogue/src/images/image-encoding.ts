import { createHash } from 'node:crypto';
import { RefusedInput } from '#kernel';
import type { Sharp } from 'sharp';
import { variantNames, variantWidths, type ImageFormat, type ImageKind, type VariantName } from './image-addresses.js';

export const largestImageBytes = 10 * 1024 * 1024;
const mostPixels = 50_000_000;
/** The most that JPEG can hold; longer ones cost seconds for a picture of one line. */
const longestSide = 65_535;
/** A picture more than four times as high as wide is narrower instead, so that no size is without end. */
const tallest = 4;
/** So long may one step take; a picture that needs more was made to. */
const stepSeconds = 20;

export interface PreparedVariant {
  readonly name: VariantName;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  readonly sha256: Buffer;
}

/** A picture that was decoded and is ready to be stored. */
export interface PreparedImage {
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  readonly variants: readonly PreparedVariant[];
}

type SharpModule = (typeof import('sharp'))['default'];
let loaded: Promise<SharpModule> | undefined;

/** Loaded with the first picture: it costs 0.2 s and 30 MB, and no program but the server has pictures to read. */
async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  // Only the readers of what is taken: no SVG, TIFF, HEIF, PDF or whatever else a library learns, even if its first bytes deceive us.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
    ],
  });
  // One core at most, and no memory kept: pictures are rare, the door is not.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Decodes a picture, turns it upright and encodes it anew in every size, as WebP and as the kind it came in, without anything but pixels:
 * no EXIF, no place, no profile, nothing hidden behind its end. Of a moving picture the first frame is taken; a GIF becomes a PNG.
 * @throws RefusedInput on `field`
 */
export async function encodeImage(bytes: Buffer, field: string): Promise<PreparedImage> {
  if (bytes.length > largestImageBytes) throw tooLarge(field);
  const kind = kindOf(bytes);
  if (!kind) throw notAPicture(field);
  loaded ??= loadSharp();
  const sharp = await loaded;
  try {
    const source = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const { autoOrient } = await source.metadata();
    if (Math.max(autoOrient.width, autoOrient.height) > longestSide) throw tooManyPixels(field);
    // Read once, at the largest width, and every size is made of that.
    const largest = source.autoOrient().resize(boxOf(variantWidths.fhd)).toColourspace('srgb').raw();
    const { data, info } = await largest.timeout({ seconds: stepSeconds }).toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const variants: PreparedVariant[] = [];
    for (const name of variantNames) {
      for (const format of new Set<ImageFormat>(['webp', kind])) {
        const sized = sharp(data, { raw }).resize(boxOf(variantWidths[name]));
        variants.push({ name, format, ...(await encode(sized, format)) });
      }
    }
    return { kind, width: autoOrient.width, height: autoOrient.height, variants };
  } catch (error) {
    if (error instanceof RefusedInput) throw error;
    const { message } = error as Error;
    if (/pixel limit/i.test(message)) throw tooManyPixels(field);
    throw unreadable(field);
  }
}

/** A stored picture as JPEG on white, which every program for mails and paper shows. */
export async function toPrintableJpeg(bytes: Buffer): Promise<Buffer> {
  loaded ??= loadSharp();
  const sharp = await loaded;
  return sharp(bytes).flatten({ background: '#fff' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
}

function boxOf(width: number): { width: number; height: number; fit: 'inside'; withoutEnlargement: true } {
  return { width, height: width * tallest, fit: 'inside', withoutEnlargement: true };
}

async function encode(picture: Sharp, format: ImageFormat): Promise<Omit<PreparedVariant, 'name' | 'format'>> {
  const encoded = {
    webp: () => picture.webp({ quality: 80 }),
    jpeg: () => picture.jpeg({ quality: 82, progressive: true }),
    png: () => picture.png(),
  }[format]();
  const { data, info } = await encoded.timeout({ seconds: stepSeconds }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data, sha256: createHash('sha256').update(data).digest() };
}

/** What the first bytes say; names and content types are whatever the sender wants them to be. */
function kindOf(bytes: Buffer): ImageKind | undefined {
  const begins = (signature: string, at = 0): boolean =>
    bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
  if (begins('\xff\xd8\xff')) return 'jpeg';
  if (begins('\x89PNG\r\n\x1a\n') || begins('GIF87a') || begins('GIF89a')) return 'png';
  return begins('RIFF') && begins('WEBP', 8) ? 'webp' : undefined;
}

const notAPicture = (field: string): RefusedInput =>
  new RefusedInput(field, {
    en: 'This is not a picture. Send a JPEG, PNG, WebP or GIF file.',
    fr: "Ceci n'est pas une image. Envoyez un fichier JPEG, PNG, WebP ou GIF.",
  });
const unreadable = (field: string): RefusedInput =>
  new RefusedInput(field, {
    en: 'This picture is damaged or incomplete. Save it anew and send it again.',
    fr: 'Cette image est abîmée ou incomplète. Enregistrez-la de nouveau et renvoyez-la.',
  });
const tooManyPixels = (field: string): RefusedInput =>
  new RefusedInput(field, {
    en: 'This picture has more than 50 million pixels, or a side of more than 65,535. Make it smaller and send it again.',
    fr: 'Cette image a plus de 50 millions de pixels, ou un côté de plus de 65 535. Réduisez-la et renvoyez-la.',
  });

/** The refusal of what is over 10 MiB. */
export const tooLarge = (field: string): RefusedInput =>
  new RefusedInput(field, {
    en: 'This picture is larger than 10 MiB. Make it smaller and send it again.',
    fr: 'Cette image dépasse 10 Mio. Réduisez-la et renvoyez-la.',
  });
