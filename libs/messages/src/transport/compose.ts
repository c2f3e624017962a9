import type { Settings } from '#kernel';
import type { SendMailOptions } from 'nodemailer/lib/mailer';
import { mailableAddress } from './mail-address.js';
import type { MailMessage } from './mail-message.js';

/** What only the members of a message say. */
const reserved = /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|auto-submitted)$/i;

/**
 * A message in the terms of nodemailer: its addresses checked, no line end left in what becomes a header.
 * @throws MailRefusedError when an address is unfit
 */
export function compose(message: MailMessage, from: Settings['mailFrom']): SendMailOptions {
  const { to, toName, fromName, replyTo, subject, html, text, attachments, messageId, headers = {} } = message;
  return {
    from: { name: oneLine(fromName || from.name), address: mailableAddress(from.address) },
    to: { name: oneLine(toName ?? ''), address: mailableAddress(to) },
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
    ...(messageId ? { messageId: `<${messageId.replace(/[\s<>\p{Cc}]/gu, '')}>` } : {}),
    headers: {
      // RFC 3834: nobody's holiday answer.
      'Auto-Submitted': 'auto-generated',
      ...Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => isFree(name))
          .map(([name, value]) => [name, oneLine(value)]),
      ),
    },
  };
}

/** An address for answers that is unfit is left out: the mail itself still goes. */
function answersTo(replyTo: string | undefined): Pick<SendMailOptions, 'replyTo'> {
  if (!replyTo) return {};
  try {
    return { replyTo: { name: '', address: mailableAddress(replyTo) } };
  } catch {
    return {};
  }
}

const isFree = (name: string): boolean => /^[A-Za-z][A-Za-z0-9-]*$/.test(name) && !reserved.test(name);

/** Controls and the characters that end or turn a line become spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069 ]+/gu, ' ')
    .trim();
}
