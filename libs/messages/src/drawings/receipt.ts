import { drawQr } from '../pdf/qr-drawing.js';
import { taggedPdf, type DrawSection, type PageSize, type TaggedPage } from '../pdf/tagged-pdf.js';
import type { AmountLine, ReceiptDrawing, ReceiptTexts } from './drawing.js';
import { receiptStyles } from './paper-styles.js';

const size: PageSize = { width: 595.28, height: 841.89, margin: 56 };
const inner = size.width - 2 * size.margin;
const amountWidth = 110;
const signatureBox = { width: 220, height: 80 } as const;
/** Side of a QR code, in points: 5 cm. */
const codeSide = 142;
/** Lines of sold items on a page; they have at most two rows of text each. */
const linesPerPage = 14;

/** Draws a receipt as a PDF of A4 pages: the items, then the sums, the VAT and the payments. */
export function drawReceipt({ about, receipt, logo }: ReceiptDrawing): Promise<Buffer> {
  const { lines, sums, facts, code } = receipt;
  const parts = Array.from({ length: Math.max(1, Math.ceil(lines.length / linesPerPage)) }, (_, part) =>
    lines.slice(part * linesPerPage, (part + 1) * linesPerPage),
  );
  const pages = parts.map((some, part): DrawSection[] => [
    (page) => {
      let top = part === 0 ? drawHead(page, receipt, logo) : size.margin;
      for (const line of some) top = drawLine(page, line, top);
      if (part < parts.length - 1) return;
      page.decorate(() =>
        page.doc
          .moveTo(size.margin, top + 4)
          .lineTo(size.width - size.margin, top + 4)
          .lineWidth(0.75)
          .stroke('#e3dacd'),
      );
      top += 14;
      for (const line of sums) top = drawLine(page, line, top);
      drawClosing(page, receipt, top + 14);
      if (code) {
        page.figure(code.picture, [size.margin, top + 14, codeSide, codeSide], () =>
          drawQr(page.doc, code.content, size.margin, top + 14, codeSide),
        );
        page.add('P', page.fit(code.caption, receiptStyles.small), { top: top + codeSide + 18 });
      }
    },
  ]);
  const amounts = [...lines, ...sums];
  const bold = [receipt.title, receipt.venue, ...sums.flatMap(({ label, amount }) => [label, amount])];
  const regular = [
    ...receipt.address,
    ...facts.flat(),
    code?.caption ?? '',
    ...(receipt.closing ?? []),
    receipt.signature ?? '',
    ...amounts.flatMap(({ label, amount }) => [label, amount]),
  ];
  return taggedPdf(about, { bold, regular }, pages, size);
}

/** @returns the top of the content below, in points */
function drawHead(page: TaggedPage, { venue, address, title, facts }: ReceiptTexts, logo: Uint8Array | undefined): number {
  const taken = page.logo(logo, [size.margin, 44], [140, 44]);
  let top = taken > 0 ? 98 : size.margin;
  top = page.add('P', page.fit(venue, receiptStyles.venue), { top });
  for (const line of address) top = page.add('P', page.fit(line, receiptStyles.small), { top });
  top = page.add('H1', page.fit(title, receiptStyles.title), { top: top + 22 }) + 10;
  for (const [label, value] of facts) top = page.add('P', page.fit(`${label}: ${value}`, receiptStyles.text), { top }) + 2;
  return top + 18;
}

/** Paragraphs, and a box for a signature. */
function drawClosing(page: TaggedPage, { closing = [], signature }: ReceiptTexts, start: number): void {
  let top = start;
  for (const text of closing) top = page.add('P', page.fit(text, receiptStyles.paragraph), { top }) + 8;
  if (signature === undefined) return;
  const left = size.width - size.margin - signatureBox.width;
  top =
    page.add('P', page.fit(signature, receiptStyles.small, signatureBox.width), { top: top + 6, x: left, width: signatureBox.width }) + 4;
  page.decorate(() => page.doc.rect(left, top, signatureBox.width, signatureBox.height).lineWidth(0.75).stroke('#e3dacd'));
}

function drawLine(page: TaggedPage, { label, amount, isStrong = false }: AmountLine, top: number): number {
  const style = isStrong ? receiptStyles.strong : receiptStyles.text;
  const left = page.fit(label, style, inner - amountWidth);
  const right = page.fit(amount, style, amountWidth);
  page.add('P', left, { top, width: inner - amountWidth });
  page.add('P', right, { top, x: size.width - size.margin - amountWidth, width: amountWidth, align: 'end' });
  return top + Math.max(left.height, right.height) + 5;
}
