import { escapeHtml } from '#kernel';
import { imagePath, variantWidths, type Image } from '#catalogue';

/** The picture of an event on its page, as wide as the reader's window needs it. It adds nothing to the name, so it has no words. */
export function pictureHtml({ id, width, height }: Pick<Image, 'id' | 'width' | 'height'>): string {
  const sources = (['med', 'hdr', 'fhd'] as const)
    .filter((name, index) => index === 0 || variantWidths[name] < width * 2)
    .map((name) => `${imagePath(id, name)} ${Math.min(variantWidths[name], width)}w`);
  return `<img class="picture" src="${imagePath(id, 'hdr')}" srcset="${sources.join(', ')}" sizes="(min-width: 48rem) 44rem, 100vw" width="${width}" height="${height}" alt="">`;
}

/** The small picture of an event in a list. @param home the address of the place that has it; default: this one */
export function stickerHtml(imageId: string, home = ''): string {
  return `<img class="sticker" src="${escapeHtml(home)}${imagePath(imageId, 'thumbnail')}" width="72" height="72" loading="lazy" alt="">`;
}
