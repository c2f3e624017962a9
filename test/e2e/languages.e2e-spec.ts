import { languageFacts, languages, type Language } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ language: 'es' });
});
afterAll(() => test.close());

const get = (path: string, headers: Record<string, string> = {}) => test.on(venue).get(path).set(headers).buffer(true);

describe('the languages of readers', () => {
  it('speaks the language of the browser, and the venue’s to others', async () => {
    for (const language of languages) {
      const { text, headers } = await get('/', { 'Accept-Language': language }).expect(200);
      expect(text).toContain(`<html lang="${language}"`);
      expect(headers['content-language']).toBe(language);
    }
    expect((await get('/', { 'Accept-Language': 'tlh' }).expect(200)).text).toContain('<html lang="es"');
  });

  it('offers the other languages on each page, each named in itself, and keeps the address', async () => {
    const { text, headers } = await get('/imprint?a=b%26c', { 'Accept-Language': 'en', Accept: 'text/html' });
    for (const code of languages.filter((one) => one !== 'en')) {
      const link = `<a href="?a=b%26c&amp;lang=${code}" lang="${code}" hreflang="${code}" rel="nofollow">`;
      expect(text).toContain(`${link}${languageFacts[code].name}</a>`);
    }
    expect(headers['vary']).toMatch(/Cookie/);
  });

  it('shows nothing of one reader’s address to the next reader of a kept page', async () => {
    const english = { 'Accept-Language': 'en' };
    await get('/?from=2027-05-21&token=of-one-reader', english).expect(200);
    const { text } = await get('/?from=2027-05-21&utm=x', english).expect(200);
    expect(text).toContain('<a href="?from=2027-05-21&amp;lang=fr"');
    expect(text).not.toMatch(/of-one-reader|utm=x/);
  });

  it.each(['/?from=2027-05-21', '/nothing-here', '/admin/login', '/tenant/new/'])(
    'keeps the choice in a cookie for a year: %s',
    async (page) => {
      const [path = '', query] = page.split('?');
      const answer = await get(`${path}?${query === undefined ? '' : `${query}&`}lang=de`, { 'Accept-Language': 'fr' }).expect(303);
      expect(answer.headers['location']).toBe(page);
      expect(answer.headers['cache-control']).toBe('no-store');
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(/^guichet-language=de; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
      const { text } = await get(page, { Accept: 'text/html', Cookie: 'a=b; guichet-language=de', 'Accept-Language': 'fr' });
      expect(text).toContain('<html lang="de"');
      expect(text).toContain('<span lang="de" aria-current="true">Deutsch</span>');
    },
  );

  it('follows no link to another host', async () => {
    for (const path of ['//evil.example/?lang=de', '/\\evil.example/?lang=de', '/.//evil.example/?lang=de']) {
      const { headers } = await get(path);
      expect(headers['location'] ?? '/').toMatch(/^\/(?![/\\])/);
    }
  });

  it('takes no language that does not exist, and none from the cookie in the API', async () => {
    await get('/?lang=xx').expect(200);
    await get('/?lang=de&lang=fr').expect(200);
    const { text } = await get('/', { Cookie: 'guichet-language=constructor', 'Accept-Language': 'fr' }).expect(200);
    expect(text).toContain('<html lang="fr"');
    const { body } = await get('/api/v2/events/', { Cookie: 'guichet-language=de', 'Accept-Language': 'fr' }).expect(401);
    expect(body.title).toMatch(/Clé/);
  });

  it('answers problems of the API in every language', async () => {
    const title = async (one: Language): Promise<string> => (await get('/api/v2/events/', { 'Accept-Language': one })).body.title;
    const titles = Object.fromEntries(await Promise.all(languages.map(async (one) => [one, await title(one)] as const)));
    expect(titles).toMatchObject({
      en: 'API key missing',
      fr: expect.stringContaining('absente'),
      de: 'API-Schlüssel fehlt',
      es: expect.stringContaining('clave'),
    });
    expect(new Set(Object.values(titles)).size).toBe(languages.length);
  });
});
