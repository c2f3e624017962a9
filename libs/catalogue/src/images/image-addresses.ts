/** Widths in pixels (docs/decisions.md, section 6). Smaller images are not enlarged. */
export const variantWidths = { fhd: 1920, hdr: 720, med: 480, thumbnail: 150 } as const;
export type VariantName = keyof typeof variantWidths;
export const variantNames = Object.keys(variantWidths) as readonly VariantName[];

/** Stored formats. Every image is stored as WebP, and those uploaded as JPEG or PNG also in their own format. */
export const imageFormats = {
  webp: { extension: 'webp', mediaType: 'image/webp' },
  jpeg: { extension: 'jpg', mediaType: 'image/jpeg' },
  png: { extension: 'png', mediaType: 'image/png' },
} as const;
export type ImageFormat = keyof typeof imageFormats;
export type ImageKind = ImageFormat;

/** Path of an image on its tenant's host. WebP exists for every image. */
export function imagePath(id: string, variant: VariantName, format: ImageFormat = 'webp'): string {
  return `/images/${id}/${variant}.${imageFormats[format].extension}`;
}

/** Paths of all sizes, relative to the tenant's host (specification: `img_variations`, `logo_variations`). */
export function imageVariations(id: string, format: ImageFormat = 'webp'): Readonly<Record<VariantName, string>> {
  return Object.fromEntries(variantNames.map((name) => [name, imagePath(id, name, format)])) as Record<VariantName, string>;
}

const fileName = new RegExp(
  `^(${variantNames.join('|')})\\.(${Object.values(imageFormats)
    .map(({ extension }) => extension)
    .join('|')})$`,
);

/** Parses the last part of an image's path; undefined when it is invalid. */
export function variantOfFile(file: string): { name: VariantName; format: ImageFormat } | undefined {
  const [, name, extension] = fileName.exec(file) ?? [];
  const format = (Object.keys(imageFormats) as ImageFormat[]).find((one) => imageFormats[one].extension === extension);
  return name && format ? { name: name as VariantName, format } : undefined;
}
