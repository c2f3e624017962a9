/** Text safe inside HTML, attribute values in double quotes included. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * JSON safe inside an inline script: no `<` that could end the element or open a comment, none of the two line ends
 * that JSON allows and older scripts do not.
 */
export const escapeForScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
