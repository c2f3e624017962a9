import { encode as toBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import { encode as toQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';
import type { FileDrawing, MailDrawing } from './drawing.js';

/** Renders a whole mail with its attachments, in the lines that SMTP sends. @param draw draws its files */
export async function drawMail({ options }: MailDrawing, draw: (file: FileDrawing) => Promise<Uint8Array>): Promise<Buffer> {
  const attachments = [];
  for (const { content, ...attachment } of options.attachments) {
    const bytes = content instanceof Uint8Array ? content : await draw(content);
    attachments.push({ ...attachment, content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) });
  }
  const mail = partOf(new MailComposer({ ...options, attachments }).compile());
  return Buffer.from(mail.endsWith('\r\n') ? mail : `${mail}\r\n`, 'latin1');
}

/**
 * A part with its headers, in ASCII. nodemailer's own way makes ten streams for a mail, which Node keeps in memory until the next major
 * collection of garbage.
 */
function partOf(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  if (node.multipart) {
    const parts = node.childNodes.map((child) => `--${String(node.boundary)}\r\n${partOf(child)}\r\n`);
    return `${head}${parts.join('')}--${String(node.boundary)}--\r\n`;
  }
  const content = node.content as Buffer | string;
  const encoding = node.getTransferEncoding();
  if (encoding === 'base64') return head + wrapBase64(toBase64(content));
  const lines = typeof content === 'string' ? content.replace(/\r\n|\r|\n/g, '\r\n') : content;
  return head + (encoding === 'quoted-printable' ? wrapQuotedPrintable(toQuotedPrintable(lines)) : lines.toString('latin1'));
}
