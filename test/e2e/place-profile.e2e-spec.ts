import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { attachmentBytes, ticketsMessage, ticketsPdf } from '#messages';
import { BookingFactsService } from '#notices';
import { ImagesService } from '#catalogue';
import { RefusedInputs } from '#kernel';
import { nameKeyOf, PlaceProfileService, slugOf, type ProfileChange } from '#places';
import { Migrator, TenantsService, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant({ configuration: { city: 'Nantes', email: 'hello@example.org' } });
});
afterAll(() => test.close());

const change = (given: ProfileChange, of = tenant) => test.inside(of, () => test.app.get(PlaceProfileService).change(given));
const place = async (id = tenant.id) =>
  (await test.database.query<Record<string, unknown>>('select * from shared.place where tenant_id = $1', [id]))[0];
const configuration = async () =>
  (await test.database.query<Record<string, unknown>>(`select * from "${tenant.schemaName}".configuration`))[0];

describe('the public record of a tenant', () => {
  it('exists as soon as the tenant exists', async () => {
    expect(await place()).toMatchObject({
      slug: tenant.slug,
      name: tenant.name,
      category: 'S',
      name_key: nameKeyOf(tenant.name),
      city: 'Nantes',
      email: 'hello@example.org',
      membership_required: false,
    });
  });

  it('is migrated: identity by the shared migration, configuration by the tenant’s migration', async () => {
    const old = await test.newTenant({ configuration: { city: 'Lyon', phone: '04 00' } });
    await test.database.query(`
      delete from shared.place where tenant_id = '${old.id}';
      alter table "${old.schemaName}".configuration drop column membership_required, drop column terms;
      update shared.tenant set schema_version = 27 where id = '${old.id}'`);
    expect((await test.app.get(Migrator).run()).tenants).toBe(1);
    expect(await place(old.id)).toMatchObject({ slug: old.slug, name: old.name, city: 'Lyon', phone: '04 00' });
  });

  it('follows name and category, whoever changes them', async () => {
    const other = await test.newTenant();
    await test.database.query(`update shared.tenant set name = 'Élan & Co', category = 'F' where id = '${other.id}'`);
    expect(await place(other.id)).toMatchObject({ name: 'Élan & Co', category: 'F', name_key: 'elan co' });
    await test.database.query(`drop schema "${other.schemaName}" cascade`);
    await test.database.query(`delete from shared.tenant where id = '${other.id}'`);
    expect(await place(other.id)).toBeUndefined();
  });
});

describe('the profile', () => {
  it('is changed in the configuration and in the public record at once', async () => {
    const changed = await change({
      name: 'The  <b>Tin</b> Heron',
      language: 'fr',
      timeZone: 'Indian/Reunion',
      shortDescription: 'A <i>music</i> hall',
      longDescription: '<p onclick="x()">Open<script>alert(1)</script></p>',
      website: 'tin-heron.example/home',
      instagram: '@tin.heron',
      facebook: 'https://www.facebook.com/heron',
      membershipRequired: true,
      terms: '<h2>Terms</h2><iframe src="https://example.org"></iframe>',
      country: 'fr',
      city: '',
    });
    const expected = { shortDescription: 'A music hall', longDescription: '<p>Open</p>', website: 'https://tin-heron.example/home' };
    expect(changed).toMatchObject({
      ...expected,
      name: 'The Tin Heron',
      language: 'fr',
      timeZone: 'Indian/Reunion',
      terms: '<h2>Terms</h2>',
      city: null,
    });
    const shown = {
      short_description: 'A music hall',
      long_description: '<p>Open</p>',
      country: 'FR',
      instagram: 'https://www.instagram.com/tin.heron',
      membership_required: true,
      city: null,
      email: 'hello@example.org',
    };
    expect(await configuration()).toMatchObject({ ...shown, terms: '<h2>Terms</h2>' });
    expect(await place()).toMatchObject({ ...shown, name: 'The Tin Heron', name_key: 'the tin heron' });
    const seen = await test.app.get(TenantsService).ofHost(tenant.host);
    expect(seen).toMatchObject({ name: 'The Tin Heron', language: 'fr', timeZone: 'Indian/Reunion' });
  });

  it('names every invalid field and changes nothing', async () => {
    const before = [await configuration(), await place()];
    const refused = await change({
      name: ' \u200b ',
      phone: 'call us',
      email: 'nobody',
      website: 'javascript:alert(1)',
      country: 'France',
      timeZone: 'Paris',
      longDescription: 'x'.repeat(100_001),
      city: 'Nantes',
    }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedInputs);
    const fields = (refused as RefusedInputs).faults.map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['country', 'email', 'longDescription', 'name', 'phone', 'timeZone', 'website']);
    expect([await configuration(), await place()]).toEqual(before);
  });

  it('stores one picture of each kind: a new one replaces the old one, none removes it', async () => {
    const picture = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const prepared = await test.inside(tenant, () => test.app.get(ImagesService).prepare(picture, 'image'));
    const images = async () => {
      const rows = await test.database.query<{ id: string }>(`select id from "${tenant.schemaName}".image`);
      return rows.map(({ id }) => id).toSorted();
    };
    const first = await change({ image: prepared, logo: prepared });
    expect(await images()).toEqual([first.imageId, first.logoImageId].toSorted());
    const second = await change({ image: prepared, logo: null });
    expect(second.imageId).not.toBe(first.imageId);
    expect(await images()).toEqual([second.imageId]);
    expect(await place()).toMatchObject({ image_id: second.imageId, logo_image_id: null });
  });

  it('shows its logo on tickets and in mails', async () => {
    const square = { width: 300, height: 120, channels: 4, background: { r: 20, g: 90, b: 160, alpha: 0.5 } } as const;
    const picture = await sharp({ create: square }).png().toBuffer();
    const venue = await test.newTenant();
    const { id } = await newEvent(test, venue);
    const priceId = await newPrice(test, venue, id, { amount: '0' });
    const reservation = await book(test, venue, { id, priceId }, { quantity: 3, confirmed: true });
    const told = async () => (await test.inside(venue, () => test.app.get(BookingFactsService).ticketsOf(reservation)))!;
    const pictures = (pdf: Buffer): number => pdf.toString('latin1').split('/DCTDecode').length - 1;
    expect(pictures(await ticketsPdf(await told()))).toBe(0);

    const logo = await test.inside(venue, () => test.app.get(ImagesService).prepare(picture, 'logo'));
    await change({ logo }, venue);
    const facts = await told();
    // Stored once in the file for all pages.
    expect(pictures(await ticketsPdf(facts))).toBe(1);
    const mail = ticketsMessage(facts);
    const [shown] = mail.attachments;
    expect(mail.html).toContain(`src="cid:${shown!.contentId}"`);
    expect(await sharp(await attachmentBytes(shown!)).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 120 });
    // The half transparent blue is flattened on white, not on black.
    const [red] = await sharp(await attachmentBytes(shown!))
      .raw()
      .toBuffer();
    expect(red).toBeGreaterThan(100);
    await change({ logo: null }, venue);
    expect((await told()).tenant.logo).toBeUndefined();
  });

  it('is changed by twenty simultaneous requests without an error, and both copies agree afterwards', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => change({ city: `City ${index}`, name: `Name ${index}` })));
    const [stored, shown] = [await configuration(), await place()];
    expect(stored!['city']).toBe(shown!['city']);
    expect((shown!['name'] as string).replace('Name', 'City')).toBe(shown!['city']);
  });
});

describe('names', () => {
  const settings = { metaSubdomain: 'agendas' };

  it.each([
    ["L'Ogre & la Fée", 'l-ogre-la-fee'],
    ['  Çà  et   là ', 'ca-et-la'],
    ['Straße №5', /^strasse-no5$/],
    ['Mail', 'mail-place'],
    ['Agendas', 'agendas-place'],
    ['東京', /^dongjing-[0-9a-f]{8}$/],
    ['Театр', /^teatr-[0-9a-f]{8}$/],
    ['Þingvellir', /^thingvellir-[0-9a-f]{8}$/],
    ['Club 東京', /^club-dongjing-[0-9a-f]{8}$/],
    ['!?', /^place-[0-9a-f]{8}$/],
    ['a'.repeat(80), /^a{54}-[0-9a-f]{8}$/],
  ])('make of %s the sub-domain', (name, slug) => {
    if (slug instanceof RegExp) expect(slugOf(name, settings)).toMatch(slug);
    else expect(slugOf(name, settings)).toBe(slug);
    expect(slugOf(name.toUpperCase(), settings)).toBe(slugOf(name, settings));
  });

  it('have the same key in PostgreSQL and TypeScript', async () => {
    const names = ["L'Ogre & la Fée", 'Çà  et\tlà', 'STRASSE—Nord', 'Œuvre «Ø»', '東京 Club', 'A[b]\\c^d_`e{f}~', 'हिन्दी'];
    for (const name of names) {
      await change({ name });
      const [row] = await test.database.query<{ name: string; name_key: string }>(
        'select name, name_key from shared.place where tenant_id = $1',
        [tenant.id],
      );
      expect(row!.name_key).toBe(nameKeyOf(row!.name));
    }
  });
});
