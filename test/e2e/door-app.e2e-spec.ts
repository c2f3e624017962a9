import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { languages } from '#kernel';
import { DoorAppService } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'La Lune', language: 'en' });
});
afterAll(() => test.close());

interface Listed {
  readonly file: string;
  readonly type: string;
  readonly immutable: boolean;
  readonly compressed: boolean;
}

const folder = 'dist/door';
const built = JSON.parse(readFileSync(`${folder}/assets.json`, 'utf8')) as { readonly version: string; readonly files: readonly Listed[] };
const get = (path: string, encoding = 'identity'): supertest.Test => test.on(venue).get(path).set('Accept-Encoding', encoding).buffer(true);
const named = (pattern: RegExp): Listed => built.files.find(({ file }) => pattern.test(file)) as Listed;
const size = (pattern: RegExp): number => statSync(`${folder}/${named(pattern).file}.br`).size;

describe('the scanner app', () => {
  it('is small: what the first screen needs has at most 40 kB compressed, the decoder 420 kB', () => {
    const texts = Math.max(...languages.map((language) => size(new RegExp(`^${language}\\.\\w+\\.json$`))));
    const page = readFileSync(`${folder}/index.html`, 'utf8');
    // Script and style sheet; what the script imports would be named, too.
    const first = [...page.matchAll(/\/door\/(\w+\.\w+\.(?:js|css))"/g)].map(([, file]) => statSync(`${folder}/${file}.br`).size);
    expect(first).toHaveLength(2);
    const shell = first.reduce((sum, bytes) => sum + bytes, size(/^index\.html$/) + texts);
    expect(shell).toBeLessThanOrEqual(40_000);
    expect(size(/^decoder\.\w+\.wasm$/) + size(/^decoder\.\w+\.js$/)).toBeLessThanOrEqual(420 * 1024);
    process.stderr.write(`door app: shell ${shell} B, decoder ${size(/\.wasm$/) + size(/^decoder\.\w+\.js$/)} B compressed\n`);
  });

  it('loads from its own host alone, with the camera, and without cookies', async () => {
    const { text, headers } = await get('/door/').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|'unsafe-(?:inline|eval)'/);
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(), geolocation=(), payment=()');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers['set-cookie']).toBeUndefined();
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
    expect(addresses.length).toBeGreaterThan(4);
    for (const address of addresses) {
      expect(address).toMatch(/^\/door\/[\w.-]+$/);
      await get(address).expect(200);
    }
    expect(text).not.toMatch(/<style|style=|<script(?![^>]* src=)/);
  });

  it('is answered again only after a change', async () => {
    const { headers } = await get('/door/').expect(200);
    await get('/door/').set('If-None-Match', String(headers['etag'])).expect(304);
    await get('/door/').set('If-None-Match', '"other"').expect(200);
  });

  it('sends each file compressed as the browser accepts it, and lets it keep hashed ones', async () => {
    for (const { file, type, immutable, compressed } of built.files) {
      const bytes = readFileSync(`${folder}/${file}`);
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { headers, body, text } = await get(`/door/${file}`, encoding).expect(200);
        expect([headers['content-encoding'], file]).toEqual([compressed && encoding !== 'identity' ? encoding : undefined, file]);
        expect([[headers['content-type'], headers['vary']], file]).toEqual([[type, expect.stringContaining('Accept-Encoding')], file]);
        expect([headers['cache-control'], file]).toEqual([immutable ? 'public, max-age=31536000, immutable' : 'no-cache', file]);
        expect([headers['content-security-policy'], file]).toEqual([expect.stringContaining("'wasm-unsafe-eval'"), file]);
        if (text !== undefined && type.startsWith('text/')) expect([text, file]).toEqual([bytes.toString(), file]);
        else if (Buffer.isBuffer(body)) expect([body.equals(bytes), file]).toEqual([true, file]);
      }
    }
    const encodings = [
      ['br;q=0, gzip', 'gzip'],
      ['GZIP;q=0.5, br;q=0.0', 'gzip'],
      ['brotli', undefined],
      ['gzip;q=0, br;q=0', undefined],
      ['*', 'br'],
    ] as const;
    for (const [accepted, used] of encodings) {
      const { headers } = await get(`/door/${named(/^chunk\.\w+\.js$/).file}`, accepted).expect(200);
      expect([headers['content-encoding'], accepted]).toEqual([used, accepted]);
    }
  });

  it('has a service worker for its own folder, which stores the shell and the decoder', async () => {
    const { headers, text } = await get('/door/sw.js').expect(200);
    expect(headers['service-worker-allowed']).toBe('/door/');
    expect(headers['cache-control']).toBe('no-cache');
    for (const { file, immutable } of built.files) if (immutable) expect(text).toContain(`/door/${file}`);
    expect(text).toContain(built.version);
  });

  it.each(languages)('has a page for volunteers in %s, which the service worker stores, too', async (language) => {
    const path = `/door/guide.${language}.html`;
    const { text, headers } = await get(path).expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain(`<html lang="${language}">`);
    // A text that is missing shows its name, and one without its button a brace.
    expect(text.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/[{}]|\b(?:guide|words|actions)\.\w/);
    expect(text).not.toMatch(/<script|<style|style=/);
    const linked = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address as string);
    expect(linked.filter((address) => address.includes('/guide.') && address.endsWith('.html'))).toHaveLength(languages.length - 1);
    const { text: worker } = await get('/door/sw.js').expect(200);
    // The worker stores the same page under its hash, which the app links to.
    expect(worker).toContain(`/door/guide.${language}.`);
    for (const address of linked.filter((one) => one.endsWith('.css'))) expect(worker).toContain(`"${address}"`);
  });

  it('has the name of its place on the home screen, in the language of the phone', async () => {
    const { headers, text } = await get('/door/manifest.webmanifest').set('Accept-Language', 'fr').expect(200);
    expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(text) as Record<string, unknown> & { icons: { src: string }[] };
    expect(manifest).toMatchObject({ name: 'La Lune\u00a0: contrôle des billets', start_url: '/door/', scope: '/door/', lang: 'fr' });
    for (const { src } of manifest.icons) await get(src).expect(200);
  });

  it('leads from the address without a slash to the one that the service worker covers', async () => {
    const { headers } = await get('/door').expect(301);
    expect(headers['location']).toBe('/door/');
  });

  it.each([
    'nothing',
    'app.js',
    'assets.json',
    'stamp',
    'index.html.br',
    '..%2Fpanel%2Fassets.json',
    '__proto__',
    'a'.repeat(2_000),
    'a/b',
  ])('answers 404 for %s', async (path) => {
    expect((await get(`/door/${path}`)).status).toBe(404);
  });

  it('knows its version, which the service worker has, too', () => {
    expect(test.app.get(DoorAppService).version).toBe(built.version);
    expect(readdirSync(folder)).toContain('sw.js');
  });

  it('is missing where nobody scans', async () => {
    const association = await test.newTenant({ category: 'M' });
    for (const path of ['/door/', '/door/sw.js', '/door/manifest.webmanifest']) {
      const { status, body } = await test.on(association).get(path).set('Accept', 'application/json');
      expect([path, status, body.code]).toEqual([path, 403, 'tenant.module']);
    }
  });
});
