import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventCopiesService, EventsService, GalleriesService, ImagesService, mostGalleryPictures, type Event } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;
let png: Buffer;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  staff = await staffOf(test, tenant);
  png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
});
afterAll(() => test.close());

interface View {
  readonly pictures: readonly { readonly id: string; readonly src: string; readonly alternative: string }[];
  readonly isFull: boolean;
}

const address = (resource: string, record: string): string => `/api/resources/${resource}/records/${record}/gallery`;
const add = (resource: string, record: string, alternative: string) =>
  staff.call('post', address(resource, record)).field('alternative', alternative).attach('img', png, 'x.png').expect(200);
const viewOf = async (resource: string, record: string): Promise<View> =>
  ((await staff.call('get', address(resource, record)).expect(200)).body as { view: View }).view;
const change = (record: string, values: object) => staff.act('events', record, 'gallery', values);
const texts = async (event: Event): Promise<string[]> => (await viewOf('events', event.id)).pictures.map(({ alternative }) => alternative);
const pageOf = async (path: string): Promise<string> => (await test.on(tenant).get(path).expect(200)).text;
const images = async (): Promise<number> => {
  const [row] = await test.inside(tenant, () =>
    test.app.get(TenantDb).transaction((tx) => tx.query<{ count: number }[]>('select count(*)::int as count from image')),
  );
  return row!.count;
};
const galleries = () => test.app.get(GalleriesService);

describe('the gallery of an event', () => {
  it('has pictures with alternative texts, in an order that staff change, below the story and in the structured data', async () => {
    const event = await newEvent(test, tenant, { longDescription: '<p>The whole story</p>' });
    expect(await pageOf(`/event/${event.slug}`)).not.toContain('<ul class="cards">');
    for (const text of ['A <b>full</b> hall', 'The “garden” under glass', 'Soup']) await add('events', event.id, text);
    expect(await texts(event)).toEqual(['A full hall', 'The “garden” under glass', 'Soup']);
    const [hall, garden, soup] = (await viewOf('events', event.id)).pictures;
    await change(event.id, { picture: soup!.id, change: 'up' });
    await change(event.id, { picture: soup!.id, change: 'up' });
    await change(event.id, { picture: soup!.id, change: 'up' });
    await change(event.id, { picture: hall!.id, alternative: 'The hall' });
    await change(event.id, { picture: garden!.id, change: 'remove' });
    expect(await texts(event)).toEqual(['Soup', 'The hall']);
    await test.on(tenant).get(garden!.src).expect(404);
    const page = await pageOf(`/event/${event.slug}`);
    const [story, first, second] = ['The whole story', 'alt="Soup"', 'alt="The hall"'].map((text) => page.indexOf(text));
    expect([story! > 0, story! < first!, first! < second!]).toEqual([true, true, true]);
    const structured = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!) as { image: string[] };
    expect(structured.image.map((url) => new URL(url).pathname)).toEqual([`/images/${soup!.id}/fhd.png`, `/images/${hall!.id}/fhd.png`]);
    await test.on(tenant).get(soup!.src).expect(200);
  });

  it('refuses a picture without a text, without a file, and beyond the maximum', async () => {
    const event = await newEvent(test, tenant);
    const [before, answer] = [await images(), await add('events', event.id, ' ')];
    expect(Object.keys((answer.body as { record: { errors: object } }).record.errors)).toEqual(['alternative']);
    expect(Object.keys((await change(event.id, { alternative: 'A hall' })).record?.errors ?? {})).toEqual(['img']);
    await add('events', event.id, 'A hall');
    const [{ id }] = (await viewOf('events', event.id)).pictures as [View['pictures'][number]];
    expect(Object.keys((await change(event.id, { picture: id, alternative: '' })).record?.errors ?? {})).toEqual(['alternative']);
    expect(await images()).toBe(before + 1);
    // Several at the same time: the lock of the gallery keeps the maximum.
    const added = await test.inside(tenant, async () => {
      const prepared = await test.app.get(ImagesService).prepare(png, 'img');
      const one = () => galleries().add(event.id, prepared, 'Another one');
      for (let count = 1; count < mostGalleryPictures - 1; count += 1) await one();
      return Promise.allSettled(Array.from({ length: 4 }, one));
    });
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(await viewOf('events', event.id)).toMatchObject({ isFull: true });
    expect(Object.keys(((await add('events', event.id, 'One more')).body as { record: { errors: object } }).record.errors)).toEqual([
      'img',
    ]);
  });

  it('changes only its own pictures', async () => {
    const [event, other] = [await newEvent(test, tenant), await newEvent(test, tenant)];
    await add('events', event.id, 'A hall');
    const [{ id }] = (await viewOf('events', event.id)).pictures as [View['pictures'][number]];
    for (const values of [{ change: 'remove' }, { change: 'up' }, { alternative: 'Taken' }])
      await change(other.id, { picture: id, ...values });
    expect(await texts(event)).toEqual(['A hall']);
    expect(await texts(other)).toEqual([]);
    expect((await change(event.id, { picture: 'x', change: 'remove' })).notice).toMatchObject({ type: 'error' });
    await test.inside(tenant, async () => {
      const prepared = await test.app.get(ImagesService).prepare(png, 'img');
      expect(await galleries().add('00000000-0000-4000-8000-000000000000', prepared, 'Nowhere')).toBe(false);
    });
  });

  it('goes with copies of the event, each with images of its own, and is deleted with the event', async () => {
    const event = await newEvent(test, tenant);
    await add('events', event.id, 'A hall');
    await add('events', event.id, 'A garden');
    const before = await images();
    const copy = (await test.inside(tenant, () => test.app.get(EventCopiesService).copy(event.id, { step: 'week' }))) as Event;
    expect(await texts(copy)).toEqual(['A hall', 'A garden']);
    expect(await images()).toBe(before + 2);
    const kept = (await viewOf('events', copy.id)).pictures[0]!.src;
    expect(await test.inside(tenant, () => test.app.get(EventsService).remove(event.id))).toBe(true);
    expect(await images()).toBe(before);
    await test.on(tenant).get(kept).expect(200);
    expect(await texts(copy)).toEqual(['A hall', 'A garden']);
  });
});

describe('the gallery of the venue', () => {
  it('is enough for a page of the house, and stays when events are deleted', async () => {
    await test.on(tenant).get('/house').expect(404);
    await add('profile', 'profile', 'The old tinworks at dusk');
    const [picture] = (await viewOf('profile', 'profile')).pictures;
    const page = await pageOf('/house');
    expect(page).toContain('alt="The old tinworks at dusk"');
    expect(page).toContain(`/images/${picture!.id}/hdr.webp`);
    expect(page).toContain(`"image":["`);
    const event = await newEvent(test, tenant);
    await test.inside(tenant, () => test.app.get(EventsService).remove(event.id));
    expect(await pageOf('/house')).toContain('alt="The old tinworks at dusk"');
    await staff.act('profile', 'profile', 'gallery', { picture: picture!.id, change: 'remove' });
    await test.on(tenant).get('/house').expect(404);
  });
});
