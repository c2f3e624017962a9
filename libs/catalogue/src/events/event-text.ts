import sanitizeHtml from 'sanitize-html';

const formatted: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'a', 'h2', 'h3', 'h4', 'blockquote'],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // An address without a scheme would lead to wherever the text is shown.
  transformTags: {
    a: (tagName, { href = '' }): sanitizeHtml.Tag => ({
      tagName,
      attribs: /^\s*(https?|mailto):/i.test(href) ? { href } : {},
    }),
  },
  nestingLimit: 30,
};

/**
 * Text with the few elements that a description may have (p, br, strong, b, em, i, u, ul, ol, li, a, h2, h3, h4, blockquote); of their
 * attributes only an `href` to http, https or mailto stays. Everything else is taken out, scripts and styles with what is in them.
 */
export function cleanHtml(text: string): string {
  // Without a "<" there is no element in it, and "Rock & Roll" stays as it was written.
  return (text.includes('<') ? sanitizeHtml(text, formatted) : text).trim();
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** Text as it is read, on one line: when it holds elements, without them, and with its entities spelled out. */
export function plainText(text: string): string {
  let plain = text;
  // What an entity spelled out may be an element again; nobody who means well wraps it ten times.
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
