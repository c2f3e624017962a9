/** The packages that draw documents. `tagged-pdf.ts` imports them with the first document, so that programs start faster. */
export { default as PDFDocument } from 'pdfkit';
export { loadFonts } from './pdf-fonts.js';
export { PdfText } from './pdf-text.js';
export { readable } from './text-layout.js';
