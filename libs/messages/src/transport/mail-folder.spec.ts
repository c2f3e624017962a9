import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failure, mailFrom, message, MailTransports } from '../../../../test/support/mail-transports.js';
import { MailDelayedError, MailRefusedError } from './mail-failure.js';
import { MailTransportService } from './mail-transport.service.js';

let folder: string;
let started: MailTransports;
beforeEach(async () => {
  started = await MailTransports.start();
  ({ folder } = started);
});
afterEach(() => started.close());
const transport: MailTransports['transport'] = (...of) => started.transport(...of);

describe('the mail folder', () => {
  it('stores complete mails as files, in order, when no server is configured', async () => {
    const mails = transport();
    const sent = [];
    for (let number = 0; number < 12; number += 1) sent.push(await mails.send({ ...message, subject: `Mail ${number}` }));
    const names = (await readdir(folder)).toSorted();
    expect(names.map((name) => join(folder, name))).toEqual(sent.map(({ detail }) => detail));
    expect(names[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d.-]+Z-\d{6}-[0-9a-z]{1,24}-[0-9a-f]{12}-anna@example\.net\.eml$/);
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
