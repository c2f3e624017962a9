/** A decimal text with the comma or the point of the page's language; never through a float. */
export const decimal = (text) => (window.GUICHET?.language === 'fr' ? String(text).replace('.', ',') : String(text));
