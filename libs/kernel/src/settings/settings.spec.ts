import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { showsMailLinks } from './own-demo.js';
import { readSettings, SettingsError } from './settings.js';

describe('readSettings', () => {
  it('has a default for everything', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      port: 3000,
      baseDomain: 'localhost',
      metaSubdomain: 'meta',
      defaultTenant: 'demo',
      publicScheme: 'http',
      publicPortSuffix: ':3000',
      databaseUrl: undefined,
      adminEmail: 'admin@localhost',
      smtpUrl: undefined,
      confirmsAddresses: true,
      mailFrom: { name: 'Guichet', address: 'no-reply@localhost' },
      demo: true,
      pairingMinutes: 60,
      eventMinutes: 360,
      production: true,
    });
    expect(readSettings({ DEMO: 'off' }).defaultTenant).toBeUndefined();
    expect(readSettings({ PORT: '0' }).publicPortSuffix).toBe('');
  });

  it('limits strangers by default', () => {
    expect(readSettings({ DEMO: 'off' }).tenantForm).toBe('invitation');
    expect(readSettings({ BASE_DOMAIN: 'tickets.example' })).toMatchObject({
      tenantForm: 'invitation',
      quotas: { mails: 2000, megabytes: 500, bookings: 20_000, newPercent: 10 },
      heldTicketsPerEvent: 10,
      heldTicketsPerNetwork: 200,
    });
  });

  it('shows the links of mails only in a demo on a person’s own computer that sends none', () => {
    expect(showsMailLinks(readSettings({}), 'demo.localhost')).toBe(true);
    for (const host of ['tickets.example', 'demo.localhost.example', 'xlocalhost'])
      expect(showsMailLinks(readSettings({}), host)).toBe(false);
    for (const env of [{ DEMO: 'off' }, { SMTP_URL: 'smtp://mailpit:1025' }, { BASE_DOMAIN: 'tickets.example' }])
      expect(showsMailLinks(readSettings(env), 'demo.localhost')).toBe(false);
  });

  it('writes https addresses without a port on a real domain', () => {
    const settings = readSettings({ BASE_DOMAIN: 'Tickets.Example.ORG' });
    expect(settings).toMatchObject({
      baseDomain: 'tickets.example.org',
      publicScheme: 'https',
      publicPortSuffix: '',
      adminEmail: 'admin@tickets.example.org',
    });
  });

  it('names all invalid settings at once, without their values', () => {
    const unfit = {
      PORT: '99999',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      SERVER_SECRET: 'hunter2',
      TRUSTED_PROXIES: '10.0.0.0/8, somebody',
      DATABASE_POOL_SIZE: '0',
      DEMO: 'perhaps',
      PAIRING_MINUTES: '1.5',
      BASE_DOMAIN: 'a b',
      SMTP_URL: 'http://somebody:hunter2@mail.example.org',
      MAIL_FROM: 'two@example.org, three@example.org',
    };
    let message = '';
    try {
      readSettings(unfit);
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsError);
      ({ message } = error as Error);
    }
    for (const name of Object.keys(unfit)) expect(message).toContain(`${name}: `);
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('\n');
  });

  it('accepts mail servers and senders in their usual spellings', () => {
    for (const url of ['smtp://mailpit:1025', 'smtps://me%40x:p%2Fw@mail.example.org', 'smtp://u:p@[::1]:25/'])
      expect(readSettings({ SMTP_URL: url }).smtpUrl).toBe(url);
    for (const url of ['smtp://', 'smtp:mail', 'smtp://mail/x', 'smtp://mail?pool=no', 'smtp://u:%zz@mail', 'mail:25'])
      expect(() => readSettings({ SMTP_URL: url })).toThrow('SMTP_URL: ');
    const from = (written: string): unknown => readSettings({ MAIL_FROM: written, BASE_DOMAIN: 'example.org' }).mailFrom;
    expect(from('')).toEqual({ name: 'Guichet', address: 'no-reply@example.org' });
    expect(from('box@example.net')).toEqual({ name: 'Guichet', address: 'box@example.net' });
    expect(from('Le théâtre <box@example.net>')).toEqual({ name: 'Le théâtre', address: 'box@example.net' });
    for (const unfit of ['nobody', 'a@b@c', 'x <y>', 'A\nB <a@example.org>', '<a@example.org>, <b@example.org>'])
      expect(() => from(unfit)).toThrow('MAIL_FROM: ');
    const { mailFolder, dataDir } = readSettings({ DATA_DIR: '/srv/guichet' });
    expect([mailFolder, dataDir]).toEqual(['/srv/guichet/mail', '/srv/guichet']);
  });

  it('reads secrets from files', () => {
    const file = join(tmpdir(), `guichet-secret-${process.pid}`);
    writeFileSync(file, `${'s'.repeat(40)}\n`);
    expect(readSettings({ SERVER_SECRET_FILE: file }).serverSecret).toBe('s'.repeat(40));
    rmSync(file);
    expect(() => readSettings({ SERVER_SECRET_FILE: `${file}-none` })).toThrow('SERVER_SECRET_FILE');
  });
});
