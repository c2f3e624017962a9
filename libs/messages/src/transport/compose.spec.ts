import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failure, message, MailTransports } from '../../../../test/support/mail-transports.js';
import { MailRefusedError } from './mail-failure.js';

let started: MailTransports;
beforeEach(async () => {
  started = await MailTransports.start();
});
afterEach(() => started.close());
const transport: MailTransports['transport'] = (...of) => started.transport(...of);
const sink: MailTransports['sink'] = (options) => started.sink(options);

describe('the content of a mail', () => {
  it('cannot inject headers through a name, a subject, a file name or another header', async () => {
    const server = await sink();
    const evil = 'x\r\nBcc: thief@example.com\r\n\r\nBODY\u2028\u0000\u202Ey\uD800';
    await transport(server.url).send({
      ...message,
      toName: evil,
      fromName: `"${evil}" <boss@example.com>, `,
      subject: evil,
      messageId: `<a@example.org>${evil}`,
      headers: {
        'X-Venue': evil,
        'X-A\r\nBcc': 'thief@example.com',
        Bcc: 'thief@example.com',
        From: 'boss@example.com',
      },
      attachments: [{ filename: `../../${evil}.pdf`, contentType: `text/plain${evil}`, content: Buffer.from('x') }],
    });
    const [mail] = server.mails;
    expect(mail!.to).toEqual(['anna@example.net']);
    const keys = mail!.parsed.headers.map(({ key }) => key);
    expect(keys).not.toContain('bcc');
    expect(keys.toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-venue',
    ]);
    expect(mail!.parsed.from?.address).toBe('tickets@example.org');
    expect(mail!.parsed.to).toHaveLength(1);
    expect(mail!.parsed.subject).toBe('x Bcc: thief@example.com BODY y\uFFFD');
    expect(mail!.parsed.attachments[0]!.filename).not.toMatch(/[/\\\r\n]/);
  });

  it.each([
    ['', 'plain', '@example.org', 'a@', 'a b@example.org', 'a@b c', 'a@example.org, b@example.org', '<a@example.org>'],
    ['a@example.org\r\nRCPT TO:<b@example.org>', 'a@-x.org', 'a@x..org', '.a@example.org', 'a..b@example.org', '"a b"@x.org'],
    [`${'a'.repeat(65)}@example.org`, `a@${'b'.repeat(64)}.org`, `a@${'b.'.repeat(130)}org`, 'a\u0000@example.org', 'a@b@c d'],
    // Newer versions of Node read invalid Punycode as it is.
    ['a@xn--zzzzzzz99999.example', 'a@xn--a'],
  ])('is not sent to an invalid address', async (...addresses) => {
    const server = await sink();
    const mails = transport(server.url);
    for (const to of addresses) {
      const error = await failure(mails.send({ ...message, to }));
      expect([to, error.constructor, error.message]).toEqual([to, MailRefusedError, 'not an e-mail address']);
    }
    expect(server.opened()).toBe(0);
  });

  it('is sent to domains in any script', async () => {
    const server = await sink();
    await transport(server.url).send({ ...message, to: 'anna@Théâtre.example' });
    expect(server.mails[0]!.raw).toMatch(/^To: .*<anna@xn--thtre-4qa2c\.example>\r$/m);
  });

  it('includes the pictures of its HTML', async () => {
    const server = await sink();
    const picture = { filename: 'qr.png', contentType: 'image/png', content: Buffer.from('png'), contentId: 'card' };
    await transport(server.url).send({ ...message, html: '<img src="cid:card" alt="">', attachments: [picture] });
    expect(server.mails[0]!.parsed.attachments[0]).toMatchObject({ contentId: '<card>', disposition: 'inline' });
  });
});
