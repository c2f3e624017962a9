import { createHash } from 'node:crypto';
import { RefusedInput } from '#kernel';
import type { Sharp } from 'sharp';
import { variantNames, variantWidths, type ImageFormat, type ImageKind, type VariantName } from './image-addresses.js';
import { texts } from '../locales/catalogue.texts.js';

export const largestImageBytes = 10 * 1024 * 1024;
const mostPixels = 50_000_000;
/** The maximum of JPEG; longer sides cost seconds even for an image of one line. */
const longestSide = 65_535;
/** An image more than four times as high as wide is made narrower, so that its height is limited. */
const tallest = 4;
/** Time limit of one step; only a malicious image needs more. */
const stepSeconds = 20;

export interface PreparedVariant {
  readonly name: VariantName;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  readonly sha256: Buffer;
}

/** A decoded image, ready to be stored. */
export interface PreparedImage {
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  readonly variants: readonly PreparedVariant[];
}

type SharpModule = (typeof import('sharp'))['default'];
let loaded: Promise<SharpModule> | undefined;

/** Loaded with the first image, because it costs 0.2 s and 30 MB and only the server needs it. */
async function loadSharp(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp');
  // Allows only the accepted formats: no SVG, TIFF, PDF or other loader of the library, even if the first bytes are misleading.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  });
  // At most one core and no cache: images are rare, and scans need the resources.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

/**
 * Decodes an image, rotates it upright and re-encodes it in every size, as WebP and in its own format, without metadata: no EXIF, no
 * location, no colour profile, no appended data. Uses the first frame of an animation; a GIF becomes a PNG, an AVIF a WebP.
 * @throws RefusedInput on `field`
 */
export async function encodeImage(bytes: Buffer, field: string): Promise<PreparedImage> {
  if (bytes.length > largestImageBytes) throw tooLarge(field);
  if (isHeic(bytes)) throw isHeicPicture(field);
  const kind = kindOf(bytes);
  if (!kind) throw notAPicture(field);
  loaded ??= loadSharp();
  const sharp = await loaded;
  try {
    const source = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const { autoOrient } = await source.metadata();
    if (Math.max(autoOrient.width, autoOrient.height) > longestSide) throw tooManyPixels(field);
    // Decoded once at the largest width; all sizes are made from that.
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

/** A stored image as JPEG on white, which every mail and print program shows. */
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

/** The format by the first bytes; file names and content types are chosen by the sender. */
function kindOf(bytes: Buffer): ImageKind | undefined {
  const begins = (signature: string, at = 0): boolean => bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));
  if (begins('\xff\xd8\xff')) return 'jpeg';
  if (begins('\x89PNG\r\n\x1a\n') || begins('GIF87a') || begins('GIF89a')) return 'png';
  // What shows AVIF shows WebP, too.
  return (begins('RIFF') && begins('WEBP', 8)) || isAvif(bytes) ? 'webp' : undefined;
}

/** The brands of a HEIF file (ISO/IEC 23008-12), in which pictures have different codecs; none for other files. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return [];
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 128));
  return brands.match(/.{4}/gs) ?? [];
}

const isAvif = (bytes: Buffer): boolean => brandsOf(bytes).some((brand) => /^avi[fs]$/.test(brand));

/** Whether a picture has the codec of iPhones, HEVC, which needs a licence. */
function isHeic(bytes: Buffer): boolean {
  return !isAvif(bytes) && brandsOf(bytes).some((brand) => /^(?:he[iv][cmsx]|mif1|msf1)$/.test(brand));
}

const notAPicture = (field: string): RefusedInput => new RefusedInput(field, texts.localized('imageEncoding.notPicture'));
const isHeicPicture = (field: string): RefusedInput => new RefusedInput(field, texts.localized('imageEncoding.heic'));
const unreadable = (field: string): RefusedInput => new RefusedInput(field, texts.localized('imageEncoding.damaged'));
const tooManyPixels = (field: string): RefusedInput => new RefusedInput(field, texts.localized('imageEncoding.tooManyPixels'));

/** The error for files over 10 MiB. */
export const tooLarge = (field: string): RefusedInput => new RefusedInput(field, texts.localized('imageEncoding.tooLarge'));
