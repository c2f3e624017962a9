/** The real sanitize-html, as `environment.js` loaded it. */
export default globalThis.loadedByNode.sanitizeHtml;
