import { lookPaths } from './page-sheets.js';

interface Look {
  readonly accentColour: string | null;
  readonly typeface: string;
  readonly corners: string;
}

/**
 * A rendered page in another look than the one of its venue, for staff who choose one. The look of a page is in two attributes and the
 * style sheets of its type and colours, and in nothing else.
 * @param look has been checked
 */
export function pageInLook(page: string, { accentColour, typeface, corners }: Look): string {
  return page
    .replace(/<link rel="preload" as="font"[^>]*>/, '')
    .replace(/<html\b[^>]*>/, (tag) =>
      tag.replaceAll(/ data-(?:type|corners)="[^"]*"/g, '').replace(/>$/, ` data-type="${typeface}" data-corners="${corners}">`),
    )
    .replace(/(?:<link rel="stylesheet" href="\/assets\/(?:type|theme)-[^>]*>)+/, (links) => {
      const [link = ''] = links.split(/(?<=>)/);
      return lookPaths(typeface, accentColour)
        .map((path) => link.replace(/(?<=href=")[^"]*/, path))
        .join('');
    });
}
