import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failure, message, MailTransports } from '../../../../test/support/mail-transports.js';
import { openSmtpSink } from '../../../../test/support/smtp-sink.js';
import { MailDelayedError, MailRefusedError } from './mail-failure.js';

let started: MailTransports;
beforeEach(async () => {
  started = await MailTransports.start();
});
afterEach(() => started.close());
const transport: MailTransports['transport'] = (...of) => started.transport(...of);
const sink: MailTransports['sink'] = (options) => started.sink(options);
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
    started.ends.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});
