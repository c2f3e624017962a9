import { Readable } from 'node:stream';
import { encode as base64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { encode as quoted, wrap as wrapQuoted } from 'nodemailer/lib/qp';

/** The parts of nodemailer's MIME node that this file uses. */
export interface MimePart {
  readonly content?: unknown;
  readonly multipart?: unknown;
  readonly boundary?: string;
  readonly childNodes: readonly MimePart[];
  buildHeaders(): string;
  getTransferEncoding(): string | false;
}

/**
 * Renders a message as nodemailer streams it (soft line breaks may differ), but at once: as a stream each part of a mail costs several
 * turns of the event loop and a system call.
 * @returns undefined when the content of a part is neither text nor bytes
 */
export function wholeMessage(root: MimePart): Buffer | undefined {
  const pieces: (string | Buffer)[] = [];
  if (!write(root, pieces)) return undefined;
  const message = Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  return message.at(-1) === 0x0a ? message : Buffer.concat([message, Buffer.from('\r\n')]);
}

function write(part: MimePart, pieces: (string | Buffer)[]): boolean {
  const encoding = part.getTransferEncoding();
  pieces.push(`${part.buildHeaders()}\r\n\r\n`);
  const { content } = part;
  if (content !== undefined && content !== '') {
    if (typeof content !== 'string' && !Buffer.isBuffer(content)) return false;
    if (encoding === 'base64') pieces.push(wrapBase64(base64(content)));
    else pieces.push(encoding === 'quoted-printable' ? wrapQuoted(quoted(content)) : content);
  }
  if (!part.multipart) return true;
  for (const [index, child] of part.childNodes.entries()) {
    pieces.push(`${index > 0 ? '\r\n' : ''}--${part.boundary}\r\n`);
    if (!write(child, pieces)) return false;
  }
  pieces.push(`\r\n--${part.boundary}--\r\n`);
  return true;
}

/** A plugin of nodemailer for the step `stream`: the transport gets the message as one piece. */
export function inOnePiece({ message }: { readonly message: unknown }, done: () => void): void {
  const root = message as MimePart & { createReadStream: () => Readable };
  const { createReadStream } = root;
  root.createReadStream = () => {
    const whole = wholeMessage(root);
    return whole ? Readable.from([whole], { objectMode: false }) : createReadStream.call(root);
  };
  done();
}
