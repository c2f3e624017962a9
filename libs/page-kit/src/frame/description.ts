import { Kept } from '#kernel';
import sanitizeHtml from 'sanitize-html';
import { limits } from '../limits.js';

const options: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'ul', 'ol', 'li', 'blockquote', 'h3', 'a'],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // Headings in the text start below the headings of the page.
  transformTags: {
    ...Object.fromEntries(['h1', 'h2', 'h4', 'h5', 'h6'].map((tag) => [tag, 'h3'])),
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }, true),
  },
  nestingLimit: 20,
};

const cleaned = new Kept<string>(limits.descriptions.kept, { sizeCalculation: (html, text) => html.length + text.length + 1 });

/**
 * Maximum number of characters of a description; the rest is left out. The time to sanitise grows with the square of the nesting depth: a
 * million characters would block the server for half a minute, this number for less than a tenth of a second.
 */
const longest = 50_000;

/**
 * A description as safe HTML: few tags, and only links keep an attribute. Plain text becomes paragraphs.
 * @param below the heading of the page under which it stands
 */
export function descriptionHtml(text: string, below: 'h1' | 'h2' = 'h2'): string {
  const html = cleaned.of(text, () => clean(text));
  return below === 'h1' ? html.replaceAll(/(<\/?)h3>/g, '$1h2>') : html;
}

function clean(text: string): string {
  const html = sanitizeHtml(beginning(text), options).trim();
  if (/<(p|br|ul|ol|li|blockquote|h3)\b/.test(html)) return html;
  return (
    html
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
      // Sanitised again, because a tag may start in one paragraph and end in the next.
      .map((paragraph) => `<p>${sanitizeHtml(paragraph, options).replace(/\r?\n/g, '<br />')}</p>`)
      .join('\n')
  );
}

function beginning(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** A description as text without markup; each HTML block starts a new line. Not escaped. */
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
