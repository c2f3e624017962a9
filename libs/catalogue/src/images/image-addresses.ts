/** Widths in pixels (decisions 6). A picture that is smaller keeps its own. */
export const variantWidths = { fhd: 1920, hdr: 720, med: 480, thumbnail: 150 } as const;
export type VariantName = keyof typeof variantWidths;
export const variantNames = Object.keys(variantWidths) as readonly VariantName[];

/** What pictures are kept as. Every one is there as WebP, and those that came as JPEG or PNG as such, too. */
export const imageFormats = {
  webp: { extension: 'webp', mediaType: 'image/webp' },
  jpeg: { extension: 'jpg', mediaType: 'image/jpeg' },
  png: { extension: 'png', mediaType: 'image/png' },
} as const;
export type ImageFormat = keyof typeof imageFormats;
export type ImageKind = ImageFormat;

/** The path of a picture on its tenant's host. WebP is there for every picture. */
export function imagePath(id: string, variant: VariantName, format: ImageFormat = 'webp'): string {
  return `/images/${id}/${variant}.${imageFormats[format].extension}`;
}

/** Paths of all sizes, relative to the tenant's host (specification: `img_variations`, `logo_variations`). */
export function imageVariations(id: string, format: ImageFormat = 'webp'): Readonly<Record<VariantName, string>> {
  return Object.fromEntries(variantNames.map((name) => [name, imagePath(id, name, format)])) as Record<
    VariantName,
    string
  >;
}

const fileName = new RegExp(
  `^(${variantNames.join('|')})\\.(${Object.values(imageFormats).map(({ extension }) => extension).join('|')})$`, // prettier-ignore
);

/** Size and format that the last part of a path names; undefined when there is no such. */
export function variantOfFile(file: string): { name: VariantName; format: ImageFormat } | undefined {
  const [, name, extension] = fileName.exec(file) ?? [];
  const format = (Object.keys(imageFormats) as ImageFormat[]).find((one) => imageFormats[one].extension === extension);
  return name && format ? { name: name as VariantName, format } : undefined;
}
