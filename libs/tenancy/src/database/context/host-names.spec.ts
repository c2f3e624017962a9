import { describe, expect, it } from '@jest/globals';
import { asciiHost, unicodeHost } from './host-names.js';
import { refuseReservedHost, refuseReservedSlug, reservedNames } from './reserved-names.js';

describe('host names', () => {
  it.each([
    ['Tickets.Example.ORG', 'tickets.example.org'],
    ['tickets.example.org.', 'tickets.example.org'],
    ['Müsik.example', 'xn--msik-0ra.example'],
    ['MU\u0308SIK.example', 'xn--msik-0ra.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['xn--msik-0ra.example', 'xn--msik-0ra.example'],
    ['ｅxample.org', 'example.org'],
  ])('stores %s as %s', (typed, stored) => {
    expect(asciiHost(typed)).toBe(stored);
  });

  it.each([
    '',
    '.',
    'a..b',
    '-a.example',
    'a-.example',
    'a b',
    'a/b',
    'a:80',
    'https://a.example',
    'user@a.example',
    'a%2e.example',
    '192.0.2.1',
    '0x7f.1',
    '１９２.0.2.1',
    '[::1]',
    '::1',
    'a_b.example',
    'xn--zzzzzzz99999.example',
    'a\u0000.example',
    'a\\b',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'é'.repeat(300),
    '*.example.org',
    '\u200d.example',
  ])('refuses %j', (typed) => {
    expect(asciiHost(typed)).toBeUndefined();
  });

  it('are shown in Unicode only where they cannot be confused with others', () => {
    expect(unicodeHost('xn--msik-0ra.example')).toBe('müsik.example');
    expect(unicodeHost('xn--r8jz45g.xn--zckzah')).toBe('例え.テスト');
    expect(unicodeHost('xn--80ak6aa92e.com')).toBeUndefined();
    expect(unicodeHost(asciiHost('bіllets.example') as string)).toBeUndefined();
    expect(unicodeHost('tickets.example.org')).toBeUndefined();
    expect(unicodeHost('xn--zzzzzzz99999.example')).toBeUndefined();
  });
});

describe('reserved names', () => {
  const names = { baseDomain: 'guichet.example', metaSubdomain: 'agenda' };

  it('are valid host names, each once', () => {
    for (const name of reservedNames) expect(asciiHost(name)).toBe(name);
    expect([...reservedNames]).toEqual(expect.arrayContaining(['www', 'api', 'admin', 'meta', 'mail', 'smtp', 'static', 'status']));
  });

  it('are refused as slugs of tenants', () => {
    for (const slug of ['www', 'admin', 'meta', 'xn--msik-0ra']) expect(() => refuseReservedSlug(slug, names)).toThrow();
    for (const slug of ['agenda', 'lune', 'www-lune']) expect(() => refuseReservedSlug(slug, names)).not.toThrow();
  });

  it('are refused as hosts below the base domain; the installation’s own hosts belong to Root and Metas', () => {
    for (const host of ['www.guichet.example', 'x.admin.guichet.example', 'agenda.guichet.example', 'guichet.example'])
      expect(() => refuseReservedHost(host, 'S', names)).toThrow();
    for (const host of ['lune.guichet.example', 'www.lune.example', 'www.otherguichet.example'])
      expect(() => refuseReservedHost(host, 'S', names)).not.toThrow();
    expect(() => refuseReservedHost('guichet.example', 'R', names)).not.toThrow();
    expect(() => refuseReservedHost('agenda.guichet.example', 'M', names)).not.toThrow();
  });
});
