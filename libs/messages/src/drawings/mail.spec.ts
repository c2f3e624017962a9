import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { describe, expect, it } from '@jest/globals';
import type { AttachmentDrawing, MailDrawing } from './drawing.js';
import { draw } from './draw.js';

const date = new Date('2026-11-20T19:30:00Z');
const head = { from: 'a@example.org', to: 'b@example.net', subject: 'Vos billets : « Zoë »', messageId: '<1@example.org>', date };
const file = (content: Buffer, more: Partial<AttachmentDrawing> = {}): AttachmentDrawing => ({
  filename: 'été.bin',
  contentType: 'application/octet-stream',
  content,
  ...more,
});

async function drawn(options: Partial<MailDrawing['options']>): Promise<string> {
  return Buffer.from(await draw({ kind: 'mail', options: { ...head, attachments: [], ...options } })).toString('latin1');
}

/** Boundaries are random. */
const plain = (mail: string): string => mail.replace(/--_NmP-[0-9a-f]+-/g, '--_NmP-x-');

const every = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
const bodies: [string, string, string][] = [
  ['short ASCII lines', 'Hello\n\n.\nBye', '<p>Hello</p>\n'],
  ['long lines', 'x'.repeat(3000), `<p>${'word '.repeat(600)}</p>`],
  ['some other letters', 'Zoë, 12,50 €\r\n.\r\n-- \r\nÎle', '<p>Zoë, 12,50 €</p>\r<p>a=b \t</p>\n'],
  ['only other letters', '王小明'.repeat(60), `<p>${'مريم '.repeat(200)}</p>`],
  ['boundaries in the text', '----_NmP-1-Part_1\nx', '<p>--_NmP--</p>'],
  ['no text', '', '<p></p>'],
];
const attached: [string, AttachmentDrawing[]][] = [
  ['nothing', []],
  ['one file', [file(every)]],
  ['an empty file', [file(Buffer.alloc(0))]],
  [
    'a picture and files',
    [
      file(every, { cid: 'logo', contentDisposition: 'inline', contentType: 'image/png' }),
      file(every),
      file(Buffer.from('BEGIN:VCALENDAR\r\nSUMMARY:Île\r\n'), { contentType: 'text/calendar; charset=utf-8; method=CANCEL' }),
    ],
  ],
];
const cases = bodies.flatMap(([name, text, html]) => attached.map(([files, attachments]) => ({ name, text, html, files, attachments })));

describe('a drawn mail', () => {
  it.each(cases)('is that of nodemailer, with $name and $files', async ({ text, html, attachments }) => {
    const options = { text, html, attachments };
    const usual = new MailComposer({
      ...head,
      text,
      html,
      attachments: attachments.map((one) => ({ ...one, content: Buffer.from(one.content as Buffer) })),
      newline: 'windows',
    });
    const expected = (await usual.compile().build()).toString('latin1');
    // nodemailer ends a line after a lone CR only when it sends the mail.
    expect(plain(await drawn(options))).toBe(plain(expected).replace(/\r(?!\n)/g, '\r\n'));
  });

  it('has lines of at most 998 ASCII characters that end with CRLF', async () => {
    for (const { text, html, attachments } of cases) {
      const mail = await drawn({ text, html, attachments });
      expect(mail.endsWith('\r\n')).toBe(true);
      expect(mail.replaceAll('\r\n', '')).not.toMatch(/[\r\n\u0080-\uFFFF]/);
      expect(Math.max(...mail.split('\r\n').map(({ length }) => length))).toBeLessThan(998);
    }
  });

  it('contains drawings as files', async () => {
    const qr = { filename: 'qr.png', contentType: 'image/png', content: { kind: 'qr-picture', code: 'K7M-2QX' } as const };
    const { attachments } = await PostalMime.parse(await drawn({ text: 'x', html: 'x', attachments: [qr] }));
    expect(
      Buffer.from(attachments[0]!.content as ArrayBuffer)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });
});
