import { LRUCache } from 'lru-cache';
import sanitizeHtml from 'sanitize-html';

const options: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'ul', 'ol', 'li', 'blockquote', 'h3', 'a'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // Headings of the page stand above those of the text.
  transformTags: {
    ...Object.fromEntries(['h1', 'h2', 'h4', 'h5', 'h6'].map((tag) => [tag, 'h3'])),
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }, true),
  },
  nestingLimit: 20,
};

/** Cleaning a long text takes longer than everything else on its page. */
const cleaned = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (html, text) => html.length + text.length + 1,
});

/**
 * Characters of a description that are read; what follows is left out. Cleaning takes time with the square of how deep tags are
 * nested: a million characters of them would hold the server for half a minute, so many for less than a tenth of a second.
 */
const longest = 50_000;

/** A description as HTML that is safe to show: few tags, no attribute but the address of a link. Plain text becomes paragraphs. */
export function descriptionHtml(text: string): string {
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  const html = clean(text);
  cleaned.set(text, html);
  return html;
}

function clean(text: string): string {
  const html = sanitizeHtml(beginning(text), options).trim();
  if (/<(p|br|ul|ol|li|blockquote|h3)\b/.test(html)) return html;
  return (
    html
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
      // Once more, because a tag may begin in one paragraph and end in the next.
      .map((paragraph) => `<p>${sanitizeHtml(paragraph, options).replace(/\r?\n/g, '<br />')}</p>`)
      .join('\n')
  );
}

function beginning(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** A description as text without any markup; what is a block in HTML begins a line. Not escaped. */
export function descriptionText(text: string): string {
  if (!/[<&]/.test(text)) return text.trim();
  const lines = beginning(text).replace(/(<br\s*\/?>|<\/(p|li|h[1-6]|blockquote|div)>)\s*/gi, '$1\n');
  return sanitizeHtml(lines, { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity] as string)
    .trim();
}

/** The beginning of a text on one line, cut between words. */
export function excerpt(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${cut.replace(/\s+\S{0,30}$/, '')}…`;
}
