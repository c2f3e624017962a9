/** The packages that draw documents. `tagged-pdf.ts` imports them with the first document, so that programs start faster. */
export { default as PDFDocument } from 'pdfkit';
export { loadFonts } from './pdf-fonts.js';
export { PdfText, readable } from './pdf-text.js';
