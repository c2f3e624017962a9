/** What draws a document. Imported by the first document only (`tagged-pdf.ts`), so that every program starts faster. */
export { default as PDFDocument } from 'pdfkit';
export { loadFonts } from './pdf-fonts.js';
export { PdfText, readable } from './pdf-text.js';
