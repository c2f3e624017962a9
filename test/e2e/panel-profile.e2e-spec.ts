import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '#jobs';
import { PostalAddressesService } from '#catalogue';
import { TenantsService, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { book } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { metaOf } from '../support/places.js';
import { readPdf } from '../support/read-pdf.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let other: TestApp;
let post: SmtpSink;
let tenant: TenantIdentity;
let meta: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  other = await startTestApp({ database: test.database });
  test.app.get(JobRunner).start();
  tenant = await test.newTenant();
  meta = await metaOf(test);
  staff = await staffOf(test, tenant);
});
afterAll(async () => {
  await other.close();
  await test.close();
  await post.close();
});

const params = async (): Promise<Record<string, unknown>> => (await staff.look('profile', 'profile')).record!.params;
const edit = (values: object) => staff.act('profile', 'profile', 'edit', values);
const pageOf = async (path = '/', from = test): Promise<string> => (await from.on(tenant).get(path).expect(200)).text;
const record = async (): Promise<Record<string, unknown>> =>
  (await test.on(meta).get(`/api/place/${tenant.id}/`).expect(200)).body as Record<string, unknown>;

const jsonLdOf = (page: string): unknown => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!);

const profile = {
  name: 'The Tin Heron',
  shortDescription: 'A music hall by the river',
  longDescription: '<p>Concerts</p>',
  streetAddress: '14 quai des Ferblantiers',
  postalCode: '44200',
  city: 'Nantes',
  country: 'FR',
  phone: '+33 2 61 91 44 20',
  email: 'hello@tin-heron.example',
  website: 'https://tin-heron.example',
  twitter: '@tin_heron',
  facebook: 'https://www.facebook.com/tinheron',
  instagram: '',
  membershipRequired: 'false',
  membershipButton: 'true',
  restaurantMenu: 'https://tin-heron.example/menu',
  legalDocuments: '',
  imprint: '<h2>Publisher</h2><p>Ada Martin<script>x()</script></p>',
  terms: 'Tickets are not taken back.',
  privacy: 'We keep addresses for a year.',
  language: 'fr',
  timeZone: 'Indian/Reunion',
};

describe('the profile in the panel', () => {
  it('is shown on the pages of every process within a second, and in the public record at once', async () => {
    await pageOf('/', other);
    await test.on(tenant).get('/imprint').expect(404);
    expect((await edit(profile)).notice).toMatchObject({ type: 'success' });
    expect(await record()).toMatchObject({
      organisation: 'The Tin Heron',
      adress: '14 quai des Ferblantiers',
      postal_code: 44200,
      twitter: 'https://twitter.com/tin_heron',
      instagram: null,
      button_adhesion: true,
      carte_restaurant: 'https://tin-heron.example/menu',
    });
    const until = Date.now() + 5000;
    while (!(await pageOf('/', other)).includes('The Tin Heron') && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const page = await pageOf('/', other);
    for (const shown of [
      '<html lang="fr"',
      'The Tin Heron',
      'A music hall by the river',
      '14 quai des Ferblantiers',
      'href="https://twitter.com/tin_heron"',
      'href="/imprint"',
      'href="/terms"',
      'href="/privacy"',
      'https://tin-heron.example/menu',
    ])
      expect(page).toContain(shown);
    expect(page).not.toContain('Instagram');
    const imprint = await pageOf('/imprint');
    expect(imprint).toContain('<h2>Publisher</h2><p>Ada Martin</p>');
    expect(imprint).not.toContain('x()');
    expect(await pageOf('/terms')).toContain('Tickets are not taken back.');
    expect(await pageOf('/privacy')).toContain('We keep addresses for a year.');
    expect(await test.app.get(TenantsService).ofHost(tenant.host)).toMatchObject({ timeZone: 'Indian/Reunion' });
    expect(await params()).toMatchObject({
      ...profile,
      membershipRequired: false,
      membershipButton: true,
      category: 'S',
      twitter: 'https://twitter.com/tin_heron',
      instagram: null,
      legalDocuments: null,
      imprint: '<h2>Publisher</h2><p>Ada Martin</p>',
    });
  });

  it('names every invalid field, keeps its category, and exists only for places', async () => {
    const refused = await edit({
      ...profile,
      phone: 'call us',
      website: 'javascript:x',
      timeZone: 'Mars',
      category: 'R',
    });
    expect(Object.keys(refused.record?.errors ?? {}).toSorted()).toEqual(['phone', 'timeZone', 'website']);
    expect(Object.keys((await edit({ ...profile, name: ' ' })).record?.errors ?? {})).toEqual(['name']);
    await edit({ category: 'R' });
    expect(await record()).toMatchObject({ categorie: 'S', organisation: 'The Tin Heron' });
    expect((await staff.look('profile', tenant.id)).record?.params).toEqual({});
    await staff.call('get', '/api/resources/contact/actions/list').expect(404);
  });

  it('has three pictures, which are shown and removed', async () => {
    const png = await sharp({ create: { width: 200, height: 100, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    for (const name of ['image', 'logo', 'map']) {
      await staff.call('post', `/api/resources/profile/records/profile/${name}`).attach('img', png, 'x.png').expect(200);
      const src = String((await params())[`${name}.src`]);
      await test.on(tenant).get(src).expect(200);
    }
    const [page, shown] = [await pageOf(), await record()];
    expect(page).toMatch(/class="logo" src="\/images\/[0-9a-f-]{36}\/thumbnail\.webp"/);
    expect(page).toContain('class="map"');
    for (const path of [
      (shown['logo_variations'] as { med: string }).med,
      (shown['img_variations'] as { fhd: string }).fhd,
      shown['map_img'] as string,
    ])
      await test.on(meta).get(path).expect(200);
    await staff.act('profile', 'profile', 'logo', { remove: true });
    expect(await record()).toMatchObject({ logo_variations: { med: null } });
    expect(await pageOf()).not.toContain('class="logo"');
  });

  it('appears in mails, and tickets of events without an address name the place', async () => {
    const event = await newEvent(test, tenant);
    const email = `${randomUUID()}@example.org`;
    await book(test, tenant, event, { email, language: 'en', confirmed: true });
    for (const end = Date.now() + 30_000; !post.mails.some(({ to }) => to.includes(email)) && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 30));
    const { parsed } = post.mails.find(({ to }) => to.includes(email))!;
    for (const text of [parsed.text, parsed.html]) {
      expect(text).toContain('The Tin Heron, 14 quai des Ferblantiers, 44200 Nantes');
      expect(text).toContain('https://tin-heron.example');
    }
    const pdf = parsed.attachments.find(({ mimeType }) => mimeType === 'application/pdf')!;
    const { pages } = await readPdf(Buffer.from(pdf.content as ArrayBuffer));
    const texts = pages[0]!.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['The Tin Heron', '14 quai des Ferblantiers, 44200 Nantes']));
  });

  it('has a page of the house with everything that is entered, and none without', async () => {
    const empty = await test.newTenant();
    await test.on(empty).get('/house').expect(404);
    expect((await test.on(empty).get('/').expect(200)).text).not.toContain('/house');
    const house = {
      openingHours: 'mar.–ven. 12:00–14:00\r\n\r\nBilletterie : mer–sam 14:00–18:00\nsur rendez-vous',
      gettingHere: 'Tram : 2 et 3\n<b>Parking</b> : voir https://parking.example/a?b=1&c=2.',
      accessibility: 'Audition : boucle magnétique\nTout est de plain-pied.',
      accessContact: 'Samira, access@tin-heron.example',
    };
    expect((await edit({ ...profile, ...house, language: 'fr', website: 'https://tin-heron.example' })).notice).toMatchObject({
      type: 'success',
    });
    expect(await params()).toMatchObject({ gettingHere: 'Tram : 2 et 3\nParking : voir https://parking.example/a?b=1&c=2.' });
    const [answer, home] = [await test.on(tenant).get('/house?language=fr').expect(200), await pageOf()];
    const page = answer.text;
    expect(home.match(/href="\/house"/g)).toHaveLength(1);
    expect(page).toContain('<h1>Le lieu</h1>');
    for (const shown of [
      'A music hall by the river',
      '<p>Concerts</p>',
      '<span>mar.–ven.</span><span class="number">12:00–14:00</span>',
      '<span>Billetterie</span><span class="number">mer–sam 14:00–18:00</span>',
      '<span>sur rendez-vous</span>',
      '14 quai des Ferblantiers<br/>44200 Nantes',
      'https://www.openstreetmap.org/search?query=14+quai+des+Ferblantiers%2C+44200+Nantes%2C+FR',
      '<a href="https://parking.example/a?b=1&amp;c=2">https://parking.example/a?b=1&amp;c=2</a>.',
      '<p dir="auto">Tout est de plain-pied.</p>',
      'boucle magnétique',
      'href="mailto:access@tin-heron.example"',
      'href="tel:+33261914420"',
      'href="mailto:hello@tin-heron.example"',
      'href="https://twitter.com/tin_heron"',
    ])
      expect(page).toContain(shown);
    expect(jsonLdOf(page)).toMatchObject({
      '@type': 'EventVenue',
      name: 'The Tin Heron',
      openingHours: ['Tu-Fr 12:00-14:00'],
      address: { streetAddress: '14 quai des Ferblantiers', addressLocality: 'Nantes', addressCountry: 'FR' },
      telephone: '+33 2 61 91 44 20',
      sameAs: ['https://tin-heron.example', 'https://twitter.com/tin_heron', 'https://www.facebook.com/tinheron'],
    });
    expect(answer.headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'content-language': 'fr' });
    await test.on(tenant).get('/house?language=fr').set('If-None-Match', answer.headers['etag']!).expect(304);
    for (const [language, heading] of [
      ['en', 'The house'],
      ['de', 'Das Haus'],
      ['es', 'El espacio'],
    ])
      expect((await test.on(tenant).get(`/house?language=${language}`).expect(200)).text).toContain(`<h1>${heading}</h1>`);
    expect((await test.on(tenant).get('/sitemap.xml').expect(200)).text).toContain('/house</loc>');
    await test.inside(tenant, () =>
      test.app.get(PostalAddressesService).create({
        streetAddress: '14 Quai des Ferblantiers',
        addressLocality: 'Nantes',
        addressCountry: 'FR',
        latitude: 47.2,
        longitude: -1.5,
        isMain: true,
      }),
    );
    const located = await pageOf('/house');
    expect(located).toContain('https://www.openstreetmap.org/?mlat=47.2&amp;mlon=-1.5#map=17/47.2/-1.5');
    expect(jsonLdOf(located)).toMatchObject({ geo: { latitude: 47.2, longitude: -1.5 } });
  });
});
