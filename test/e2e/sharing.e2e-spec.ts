import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventsService } from '#catalogue';
import { PlaceProfileService } from '#places';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let event: { readonly id: string; readonly slug: string };

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ language: 'fr', name: 'Théâtre du Coin' });
  event = await newEvent(test, tenant, { name: 'La Nuit longue' });
});
afterAll(() => test.close());

const read = (path: string, language = 'en'): supertest.Test => test.on(tenant).get(path).set('Accept-Language', language).buffer(true);
const pageOf = async (path: string, language = 'en'): Promise<string> => (await read(path, language).expect(200)).text;
const one = (html: string, pattern: RegExp): string => (pattern.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');
const change = (values: object): Promise<unknown> => test.inside(tenant, () => test.app.get(PlaceProfileService).change(values));

async function pictureAt(path: string): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const { body, headers } = await test.on(tenant).get(path).responseType('blob').expect(200);
  return { bytes: body as Buffer, headers: headers };
}

describe('the picture of an event for link previews', () => {
  it('is drawn with the name, in the language and colour of the page, and drawn again when these change', async () => {
    const page = `/event/${event.slug}`;
    const address = one(await pageOf(page, 'de'), /<meta property="og:image" content="([^"]+)"\/>/);
    expect(address).toContain(`/event/${event.slug}.png?language=de&v=`);
    const { bytes, headers } = await pictureAt(pathOf(address));
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-language': 'de',
      'cache-control': 'public, max-age=3600',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(bytes.length).toBeLessThan(60_000);
    // Nothing but the colour and the ink on it: texts cover a part of the picture.
    const { channels } = await sharp(bytes).removeAlpha().stats();
    expect(channels.map(({ min }) => min)).toEqual([107, 45, 92].map((value) => expect.closeTo(value, -1)));
    expect(channels[1]!.max).toBeGreaterThan(240);
    await read(`${page}.png?language=de`).set('If-None-Match', headers['etag']!).expect(304);

    await change({ accentColour: '#005533' });
    const green = one(await pageOf(page, 'de'), /<meta property="og:image" content="([^"]+)"\/>/);
    expect(green).not.toBe(address);
    expect(
      (
        await sharp((await pictureAt(pathOf(green))).bytes)
          .removeAlpha()
          .stats()
      ).channels[0]!.min,
    ).toBeLessThan(10);
    await change({ accentColour: '' });
    expect(one(await pageOf(page, 'de'), /<meta property="og:image" content="([^"]+)"\/>/)).toBe(address);
    const moved = await read(`/event/${event.id}.png`).expect(301);
    expect(moved.headers['location']).toBe(`${page}.png`);
    await read('/event/unknown.png').expect(404);
  });

  it.each([
    ['long words', 'Donaudampfschifffahrtsgesellschaft'.repeat(3)],
    ['Arabic and Hebrew', 'ليلة الموسيقى – ערב'],
    ['Chinese, Japanese and Korean', '音乐之夜 音楽の夜 음악의 밤'],
    ['characters without a glyph', '🎭🪗 ௵'],
    ['a single letter', 'A'],
  ])('is drawn for %s', async (_case, name) => {
    const { slug } = await newEvent(test, tenant, { name: name.slice(0, 200) });
    const { bytes } = await pictureAt(`/event/${slug}.png`);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
  });

  it('is not there for events that are not public', async () => {
    const hidden = await newEvent(test, tenant, {});
    await test.inside(tenant, () => test.app.get(EventsService).update(hidden.id, { published: false }));
    await read(`/event/${hidden.slug}.png`).expect(404);
  });
});

describe('the addresses of the languages', () => {
  it('are named on each page, answer in their language without a cookie, and name each other', async () => {
    const base = `http://${tenant.host}:3000/event/${event.slug}`;
    const addresses = { en: `${base}?language=en`, fr: base, de: `${base}?language=de`, es: `${base}?language=es`, 'x-default': base };
    for (const language of ['en', 'fr', 'de', 'es'] as const) {
      const { text, headers } = await read(pathOf(addresses[language]), 'fr').expect(200);
      expect(headers['set-cookie']).toBeUndefined();
      expect(text).toContain(`<html lang="${language}"`);
      expect(one(text, /<link rel="canonical" href="([^"]+)"\/>/)).toBe(addresses[language]);
      for (const [code, address] of Object.entries(addresses))
        expect(text).toContain(`<link rel="alternate" hreflang="${code}" href="${address}"/>`);
    }
    const agenda = await pageOf('/?after=2030-01-01&language=es', 'fr');
    expect(one(agenda, /<link rel="canonical" href="([^"]+)"\/>/)).toBe(`http://${tenant.host}:3000/?after=2030-01-01&language=es`);
    // A reader who then chooses another language gets that one.
    const chosen = await read(`/event/${event.slug}?language=de&lang=es`).expect(303);
    expect(chosen.headers['location']).toBe(`/event/${event.slug}`);
    await pageOf(`/event/${event.slug}?language=xx`);
  });
});

describe('the colour of a venue', () => {
  it('is a style sheet that browsers keep, on every page of the venue', async () => {
    await change({ accentColour: 'FFDD00' });
    const href = '/assets/theme-1.ffdd00.css';
    for (const path of ['/', `/event/${event.slug}`]) expect(await pageOf(path)).toContain(`<link rel="stylesheet" href="${href}"/>`);
    const { text, headers } = await read(href).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' });
    expect(text).toMatch(/^@layer theme\{:root\{--paper:#[\da-f]{6};.*--fill:#ffdd00;--on-fill:#[\da-f]{6};/);
    expect((await read('/embed.js')).text).toContain('"accent":"#ffdd00","accentInk":"#000000"');
    await read('/assets/theme-1.ffdd0g.css').expect(404);
    await expect(change({ accentColour: 'red' })).rejects.toThrow(/#6b2d5c/);
    await change({ accentColour: '' });
  });
});
