/**
 * Escapes JSON for an inline script: no `<` that could end the element or open a comment, and neither of the two line separators that
 * JSON allows and older scripts do not.
 */
export const escapeForScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** Facts on one line, text or HTML. Where the line wraps, the dot ends a line and does not begin one. */
export const dotted = (facts: readonly string[]): string => facts.join('\u00a0· ');
