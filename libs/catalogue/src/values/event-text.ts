import sanitizeHtml from 'sanitize-html';

const formatted: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'a', 'h2', 'h3', 'h4', 'blockquote'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // A link without a scheme would depend on the page that shows the text.
  transformTags: {
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({
      tagName,
      attribs: /^\s*(https?|mailto):/i.test(href) ? { href } : {},
    }),
  },
  nestingLimit: 30,
};

/**
 * Sanitises HTML: keeps the elements of descriptions (p, br, strong, b, em, i, u, ul, ol, li, a, h2, h3, h4, blockquote) and only the
 * attribute `href` to http, https or mailto. Removes everything else, scripts and styles with their content.
 */
export function cleanHtml(text: string): string {
  // A text without "<" has no elements, and "Rock & Roll" must stay unescaped.
  return (text.includes('<') ? sanitizeHtml(text, formatted) : text).trim();
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** HTML as plain text on one line: without elements, with entities decoded. */
export function plainText(text: string): string {
  let plain = text;
  // A decoded entity may form an element again; only an attack nests this ten times.
  for (let turn = 0; turn <= 10 && plain.includes('<'); turn += 1) {
    const stripped = turn === 10 ? plain.replace(/[<>]/g, '') : decoded(sanitizeHtml(plain, { allowedTags: [] }));
    if (stripped === plain) break;
    plain = stripped;
  }
  return plain.replace(/\s+/g, ' ').trim();
}

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => named[name] as string);
}
