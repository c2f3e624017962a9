import { randomUUID } from 'node:crypto';
import type { Settings } from '#kernel';
import type { MailDrawing } from '../drawings/drawing.js';
import { mailableAddress } from './mail-address.js';
import type { MailMessage } from './mail-message.js';

/** A mail that is ready for a mail server once it is drawn. */
export interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly messageId: string;
  readonly drawing: MailDrawing;
}

/** Headers that only the fields of a message can set. */
const reserved = /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|auto-submitted)$/i;

/**
 * Converts a message to nodemailer's options: checks addresses, removes line breaks from header values and gives it an id.
 * @throws MailRefusedError when an address is invalid
 */
export function compose(message: MailMessage, from: Settings['mailFrom']): ComposedMail {
  const { to, toName, fromName, replyTo, subject, html, text, attachments, messageId, headers = {} } = message;
  const [sender, recipient] = [mailableAddress(from.address), mailableAddress(to)];
  const id = messageId?.replace(/[\s<>\p{Cc}]/gu, '') || `${randomUUID()}@${sender.split('@')[1]}`;
  const options = {
    from: { name: oneLine(fromName || from.name), address: sender },
    to: { name: oneLine(toName ?? ''), address: recipient },
    ...answersTo(replyTo),
    subject: oneLine(subject),
    html: html.toWellFormed(),
    text: text.toWellFormed(),
    attachments: attachments.map(({ filename, contentType, content, contentId }) => ({
      filename: oneLine(filename).replace(/[/\\]/g, '-'),
      contentType: oneLine(contentType),
      content,
      ...(contentId ? { cid: oneLine(contentId), contentDisposition: 'inline' as const } : {}),
    })),
    messageId: `<${id}>`,
    headers: {
      // RFC 3834: prevents automatic replies such as out-of-office messages.
      'Auto-Submitted': 'auto-generated',
      ...Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => isFree(name))
          .map(([name, value]) => [name, oneLine(value)]),
      ),
    },
  };
  return { envelope: { from: sender, to: recipient }, messageId: options.messageId, drawing: { kind: 'mail', options } };
}

/** Omits an invalid reply address, so that the mail is still sent. */
function answersTo(replyTo: string | undefined): Pick<MailDrawing['options'], 'replyTo'> {
  if (!replyTo) return {};
  try {
    return { replyTo: { name: '', address: mailableAddress(replyTo) } };
  } catch {
    return {};
  }
}

const isFree = (name: string): boolean => /^[A-Za-z][A-Za-z0-9-]*$/.test(name) && !reserved.test(name);

/** Replaces control characters, line separators and characters that change the text direction by spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069 ]+/gu, ' ')
    .trim();
}
