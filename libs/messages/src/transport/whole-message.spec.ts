import { randomBytes } from 'node:crypto';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { mailFrom, message } from '../../../../test/support/mail-transports.js';
import { compose } from './compose.js';
import { inOnePiece, wholeMessage, type MimePart } from './whole-message.js';

const long = 'Théâtre de l’Île, œuvre à voir – 3 € . '.repeat(80);
const file = { filename: 'Billets été.pdf', contentType: 'application/pdf', content: randomBytes(4001) };
const cases = {
  'text and HTML in ASCII': { html: '<p>Hello</p>', text: 'Hello\n.\nthere \n' },
  'long lines with accents': { html: `<p>${long}</p>\n${long}`, text: `${long}\n\t ${long} ` },
  'attachments, pictures and a calendar': {
    attachments: [
      file,
      { ...file, filename: 'qr.png', contentType: 'image/png', contentId: 'card' },
      {
        filename: 'a.ics',
        contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
        content: Buffer.from('BEGIN:VCALENDAR\r\nX:é\r\n'),
      },
      { ...file, content: Buffer.alloc(0) },
    ],
  },
  'no text': { html: '', text: '' },
};

const withoutSoftBreaks = (message: Buffer | undefined): string | undefined => message?.toString('latin1').replaceAll('=\r\n', '');

describe('a whole message', () => {
  it.each(Object.entries(cases))('has the bytes that nodemailer streams: %s', async (_name, more) => {
    const node = new MailComposer({ ...compose({ ...message, attachments: [], ...more }, mailFrom), date: new Date(0) }).compile();
    const streamed = await node.build();
    const whole = wholeMessage(node as unknown as MimePart);
    expect(withoutSoftBreaks(whole)).toBe(withoutSoftBreaks(streamed));
    const lengths = (whole?.toString('latin1') ?? '').split(/\r?\n/).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(78);
  });

  it('is what the transport gets', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    transport.use('stream', inOnePiece);
    const { message: sent } = await transport.sendMail(compose(message, mailFrom));
    expect(String(sent)).toMatch(/^Subject: =\?UTF-8\?/m);
  });
});
