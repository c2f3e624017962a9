import { createServer, type AddressInfo, type Server } from 'node:net';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { openSmtpSink, type SmtpSink } from '../../../../test/support/smtp-sink.js';
import { MailDelayedError, MailRefusedError } from './mail-failure.js';
import type { MailMessage } from './mail-message.js';
import { MailTransportService } from './mail-transport.service.js';
import { usualTimeouts, type MailTimeouts } from './smtp.js';

const mailFrom = { name: 'Guichet', address: 'tickets@example.org' };
const message: MailMessage = {
  to: 'anna@example.net',
  toName: 'Anna Łęcka',
  fromName: 'Théâtre de l’Île',
  subject: 'Vos billets : « Zoë & Đorđe »',
  html: '<p>Bonjour Zoë, 12,50 €</p>',
  text: 'Bonjour Zoë, 12,50 €',
  attachments: [{ filename: 'billets-été.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7 é') }],
};

let folder: string;
let ends: (() => unknown)[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guichet-mail-'));
  ends = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await rm(folder, { recursive: true, force: true });
});

function transport(smtpUrl?: string, timeouts?: Partial<MailTimeouts>): MailTransportService {
  const made = new MailTransportService({ smtpUrl, mailFrom, mailFolder: folder }, { ...usualTimeouts, ...timeouts });
  ends.push(() => made.onApplicationShutdown());
  return made;
}

async function sink(options?: SMTPServerOptions): Promise<SmtpSink> {
  const opened = await openSmtpSink(options);
  ends.push(() => opened.close());
  return opened;
}

/** The error of a rejected promise; throws when the promise is fulfilled. */
async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: Error) => error,
  );
  if (!outcome) throw new Error('it did not fail');
  return outcome;
}

const refusing = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

describe('mail over SMTP', () => {
  it('arrives unchanged', async () => {
    const server = await sink();
    const sent = await transport(server.url).send({
      ...message,
      messageId: 'one@example.org',
      replyTo: 'box@example.com',
    });
    expect(sent.messageId).toBe('<one@example.org>');
    expect(sent.detail).toMatch(/^250 /);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'tickets@example.org', to: ['anna@example.net'] });
    expect(mail!.parsed).toMatchObject({
      from: { name: 'Théâtre de l’Île', address: 'tickets@example.org' },
      to: [{ name: 'Anna Łęcka', address: 'anna@example.net' }],
      replyTo: [{ address: 'box@example.com' }],
      subject: message.subject,
      messageId: '<one@example.org>',
    });
    expect(mail!.parsed.html?.trim()).toBe(message.html);
    expect(mail!.parsed.text?.trim()).toBe(message.text);
    const [attachment] = mail!.parsed.attachments;
    expect(attachment).toMatchObject({ filename: 'billets-été.pdf', mimeType: 'application/pdf' });
    expect(Buffer.from(attachment!.content as ArrayBuffer).toString()).toBe('%PDF-1.7 é');
    expect(mail!.parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  it('reuses one connection, and closes it at shutdown after the mails in progress', async () => {
    const server = await sink();
    const mails = transport(server.url);
    await mails.send(message);
    await mails.send(message);
    expect(server.opened()).toBe(1);
    const last = mails.send(message);
    await mails.onApplicationShutdown();
    expect((await last).detail).toMatch(/^250 /);
    expect(server.mails).toHaveLength(3);
    while (server.open() > 0) await new Promise(setImmediate);
  });

  it('authenticates, treats a wrong password as a temporary failure, and does not repeat the password', async () => {
    const server = await sink({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'me@x' && password === 'p/ä w' ? done(null, { user: 'me' }) : done(new Error(`no: ${username} ${password}`)),
    });
    const host = server.url.replace('smtp://', '');
    await transport(`smtp://me%40x:p%2F%C3%A4%20w@${host}`).send(message);
    expect(server.mails).toHaveLength(1);
    const error = await failure(transport(`smtp://me%40x:hunter%40@${host}`).send(message));
    expect(error).toBeInstanceOf(MailDelayedError);
    expect(error.message).toMatch(/^AUTH: 535/);
    expect(error.message).not.toMatch(/hunter|me@x/);
    // Without authentication the server responds 530, which the operator must fix, too.
    expect(await failure(transport(server.url).send(message))).toBeInstanceOf(MailDelayedError);
  });

  it('does not send a password unencrypted to another machine', async () => {
    const server = await sink({ allowInsecureAuth: true });
    // 0.0.0.0 reaches this machine but does not count as local; the server does not offer STARTTLS.
    const error = await failure(transport(`smtp://u:p@0.0.0.0:${server.port}`).send(message));
    expect(error).toBeInstanceOf(MailDelayedError);
    expect(server.mails).toEqual([]);
  });

  it.each([
    [550, MailRefusedError],
    [553, MailRefusedError],
    [450, MailDelayedError],
    [421, MailDelayedError],
  ])('maps %i for the recipient to %p, and keeps the connection', async (code, kind) => {
    let answers = 0;
    const server = await sink({
      onRcptTo: ({ address }, _session, done) => {
        answers += 1;
        if (answers > 1) done();
        else done(refusing(code, `5.1.1 <${address}> is not known here`));
      },
    });
    const mails = transport(server.url);
    const error = await failure(mails.send(message));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(`${code} 5.1.1 <…> is not known here`);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('anna');
    expect((await mails.send(message)).detail).toMatch(/^250 /);
  });

  it('treats a permanent refusal of the content as final, and a temporary refusal of the sender as a delay', async () => {
    const content = await sink({
      onData: (stream, _session, done) => stream.resume().on('end', () => done(refusing(554, 'looks like spam'))),
    });
    const refused = await failure(transport(content.url).send(message));
    expect([refused.constructor, refused.message]).toEqual([MailRefusedError, '554 looks like spam']);
    const sender = await sink({ onMailFrom: (_address, _session, done) => done(refusing(451, 'later')) });
    const delayed = await failure(transport(sender.url).send(message));
    expect([delayed.constructor, delayed.message]).toEqual([MailDelayedError, 'MAIL: 451 later']);
  });

  it('is delayed when the server is unreachable, refuses the connection or closes it', async () => {
    const gone = await openSmtpSink();
    await gone.close();
    expect((await failure(transport(gone.url).send(message))).message).toContain('ECONNREFUSED');
    const closed = await sink({ onConnect: (_session, done) => done(refusing(554, 'no service')) });
    expect(await failure(transport(closed.url).send(message))).toBeInstanceOf(MailDelayedError);
    const breaking = await listen((socket) => {
      socket.end('220 hello\r\n');
    });
    expect(await failure(transport(breaking).send(message))).toBeInstanceOf(MailDelayedError);
    expect(await failure(transport('smtp://nowhere.invalid').send(message))).toBeInstanceOf(MailDelayedError);
  });

  it('times out without a greeting, without a response, and with a response that arrives byte by byte', async () => {
    const short = { connection: 300, greeting: 300, socket: 300, whole: 900 };
    const silent = await listen(() => undefined);
    expect((await failure(transport(silent, short).send(message))).constructor).toBe(MailDelayedError);
    const stuck = await listen((socket) => {
      socket.write('220 hello\r\n');
    });
    expect((await failure(transport(stuck, short).send(message))).constructor).toBe(MailDelayedError);
    const dripping = await listen((socket) => {
      socket.write('220 hello\r\n250-');
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    expect((await failure(transport(dripping, short).send(message))).constructor).toBe(MailDelayedError);
  });

  it('checks whether mails could be sent', async () => {
    const server = await sink({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(null, { user: 'me' }),
    });
    expect(await transport(server.url.replace('//', '//me:secret@')).check()).toBe(`over 127.0.0.1:${server.port}`);
    expect(server.mails).toEqual([]);
    await server.close();
    expect((await failure(transport(server.url).check())).constructor).toBe(MailDelayedError);
  });

  async function listen(greet: (socket: import('node:net').Socket) => void): Promise<string> {
    const sockets = new Set<import('node:net').Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      greet(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});

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

describe('the mail folder', () => {
  it('stores complete mails as files, in order, when no server is configured', async () => {
    const mails = transport();
    const sent = [];
    for (let number = 0; number < 12; number += 1) sent.push(await mails.send({ ...message, subject: `Mail ${number}` }));
    const names = (await readdir(folder)).toSorted();
    expect(names.map((name) => join(folder, name))).toEqual(sent.map(({ detail }) => detail));
    expect(names[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d.-]+Z-\d{6}-[0-9a-f]{6}-anna@example\.net\.eml$/);
    const raw = await readFile(sent[0]!.detail);
    expect(raw.toString().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const parsed = await PostalMime.parse(raw);
    expect(parsed).toMatchObject({
      subject: 'Mail 0',
      from: { name: 'Théâtre de l’Île' },
      messageId: sent[0]!.messageId,
    });
    expect(parsed.date).toBeDefined();
    expect(parsed.attachments).toHaveLength(1);
  });

  it('writes only inside the folder, for any recipient', async () => {
    const mails = transport();
    for (const to of ['a/.b/c@example.org', '{|}~@example.org', `${'é'.repeat(30)}@example.org`])
      expect(join(folder, (await mails.send({ ...message, to })).detail.slice(folder.length + 1))).toMatch(/[^/]+\.eml$/);
    expect(await readdir(folder)).toHaveLength(3);
    expect((await failure(mails.send({ ...message, to: '../../x' }))).constructor).toBe(MailRefusedError);
  });

  it('reports a delay when it cannot be written, and the check finds it beforehand', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    const mails = new MailTransportService({ smtpUrl: undefined, mailFrom, mailFolder: join(file, 'mail') });
    expect((await failure(mails.send(message))).message).toBe('the mail folder cannot be written: ENOTDIR');
    expect((await failure(mails.check())).constructor).toBe(MailDelayedError);
    expect(await transport().check()).toBe(`files in ${folder}`);
    const unmade = new MailTransportService({ smtpUrl: undefined, mailFrom, mailFolder: join(folder, 'x/mail') });
    await unmade.check();
    expect(await readdir(folder)).toEqual(['a file']);
  });
});
