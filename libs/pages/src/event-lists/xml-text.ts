import { withoutControls } from '#page-kit';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * A text for XML, also for attribute values; without the characters that XML cannot contain. Feeds and sitemaps are no components, because
 * these are written as HTML, where for example `link` has no content.
 */
export function xmlText(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}
