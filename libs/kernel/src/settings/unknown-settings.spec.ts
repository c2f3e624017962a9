import { describe, expect, it } from '@jest/globals';
import { unknownSettings } from './unknown-settings.js';

describe('variables that are no settings', () => {
  it.each([
    ['RATE_PAGE', 'RATE_PAGES'],
    ['SMPT_URL', 'SMTP_URL'],
    ['SMTP_HOST', 'SMTP_URL'],
    ['BASE_DOMIAN', 'BASE_DOMAIN'],
    ['SERVER_SECRETE', 'SERVER_SECRET'],
    ['DATABASE_URL_FIL', 'DATABASE_URL_FILE'],
    ['TENANT_FROM', 'TENANT_FORM'],
  ])('%s is reported, with the setting that may be meant', (name, meant) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([`${name} is no setting and has no effect. Did you mean ${meant}?`]);
  });

  it('are not reported when they are settings, or belong to the system', () => {
    const usual = { PATH: '', HOME: '', HOSTNAME: '', NODE_OPTIONS: '', SESSION_MANAGER: '', LOGNAME: '', MAIL: '', LANG: '', TERM: '' };
    expect(unknownSettings({ ...usual, PORT: '1', SERVER_SECRET_FILE: '/x', RATE_PAGES: 'off', npm_config_rate: '' })).toEqual([]);
    expect(unknownSettings({ XDG_SESSION_ID: '', KUBERNETES_PORT: '', TEST_DATABASE_URL: '', GUICHET_PASSPHRASE: '' })).toEqual([]);
  });
});
