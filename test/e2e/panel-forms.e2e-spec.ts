import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { recordFaults, type PanelAnswer, type PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { furnish, same } from '../support/panel-records.js';
import { staffOf } from '../support/panel-staff.js';

const unknownId = randomUUID();

let test: TestApp;
let alpha: TenantIdentity;
let staff: PanelClient;
beforeAll(async () => {
  test = await startTestApp();
  alpha = await test.newTenant({ name: 'Alphaplace' });
  await furnish(test, alpha, 'Alpha');
  staff = await staffOf(test, alpha);
});
afterAll(() => test.close());

describe('forms', () => {
  it('create and change events, and show errors beside their fields', async () => {
    const startsAt = '2027-01-10T19:30:00.000Z';
    const fields = {
      name: 'Ball',
      category: 'REU',
      startsAt,
      endsAt: '',
      capacity: '120',
      postalAddressId: '7',
      published: 'false',
      scanOpensMinutesBefore: '60',
    };
    const made = await staff.create('events', fields);
    expect(made.redirectUrl).toBe(`/admin/resources/events/records/${made.record!.id}/show`);
    const { record } = await staff.look('events', made.record!.id);
    expect(record!.params).toMatchObject({
      name: 'Ball',
      startsAt,
      endsAt: null,
      capacity: 120,
      postalAddressId: '7',
      published: false,
      scanOpensMinutesBefore: 60,
      maxPerUser: null,
      doorNote: null,
      minimumAge: null,
      cutOffPolicy: 'record',
    });
    expect(recordFaults(await staff.create('events', fields))).toEqual({
      name: 'There is already an event with this name that starts at that time.',
    });
    expect(recordFaults(await staff.create('events', { category: 'XYZ', capacity: 'many' }))).toEqual({
      name: 'fieldRequired',
      startsAt: 'fieldRequired',
      category: 'fieldChoice',
      capacity: 'fieldNumber',
    });
    const edit = (change: object) => staff.act('events', made.record!.id, 'edit', change);
    expect(recordFaults(await edit({ endsAt: '2027-01-10T18:00:00.000Z' }))).toEqual({
      endsAt: 'The end is before the start.',
    });
    expect(recordFaults(await edit({ scanOpensMinutesBefore: '-5' }))).toEqual({
      scanOpensMinutesBefore: expect.stringContaining('whole number'),
    });
    expect(recordFaults(await edit({ postalAddressId: '4711' }))).toEqual({ postalAddressId: 'There is no such address.' });
    expect(recordFaults(await edit({ postalAddressId: 'x' }))).toEqual({ postalAddressId: 'fieldReference' });
    expect(recordFaults(await edit({ category: 'ACT' }))).toEqual({
      superEventId: 'Choose the event that this volunteering belongs to.',
    });
    expect(recordFaults(await edit({ superEventId: made.record!.id }))).toEqual({ superEventId: expect.any(String) });
    expect(recordFaults(await edit({ superEventId: unknownId }))).toEqual({ superEventId: 'There is no such event.' });
    expect((await edit({ category: 'ACT', superEventId: same.event })).notice?.type).toBe('success');
    expect((await edit({ name: 'Grand ball', slug: 'mine' })).notice?.type).toBe('success');
    const after = (await staff.look('events', made.record!.id)).record!;
    expect(after.params['name']).toBe('Grand ball');
    expect(after.params['slug']).toMatch(/^ball-20270110-2030-/);
  });

  it('keep what the door shows of events and prices', async () => {
    const { id } = (
      await staff.create('events', { name: 'Late night', startsAt: '2027-01-11T22:00:00.000Z', category: 'LIV', capacity: '9' })
    ).record!;
    const edit = (change: object) => staff.act('events', id, 'edit', change);
    await edit({ doorNote: ' red <b>wristband</b>\nleft hand ', minimumAge: '18', cutOffPolicy: 'one_device' });
    const kept = { doorNote: 'red wristband left hand', minimumAge: 18, cutOffPolicy: 'one_device' };
    expect((await staff.look('events', id)).record!.params).toMatchObject(kept);
    for (const fault of [{ minimumAge: '121' }, { minimumAge: '-1' }, { doorNote: 'x'.repeat(201) }, { cutOffPolicy: 'all' }]) {
      expect(Object.keys(recordFaults(await edit(fault)))).toEqual(Object.keys(fault));
    }
    expect((await staff.look('events', id)).record!.params).toMatchObject(kept);
    await edit({ doorNote: '', minimumAge: '', cutOffPolicy: '' });
    const emptied = { doorNote: null, minimumAge: null, cutOffPolicy: 'record' };
    expect((await staff.look('events', id)).record!.params).toMatchObject(emptied);

    const price = { productId: same.product, name: 'Balcony', amount: '5', vat: 'NA', doorNote: 'stairs\non the left' };
    const made = await staff.create('prices', price);
    const noteOf = async () => (await staff.look('prices', made.record!.id)).record!.params['doorNote'];
    expect(await noteOf()).toBe('stairs on the left');
    const long = { doorNote: 'x'.repeat(201) };
    expect(Object.keys(recordFaults(await staff.act('prices', made.record!.id, 'edit', long)))).toEqual(['doorNote']);
    await staff.act('prices', made.record!.id, 'edit', { doorNote: '' });
    expect(await noteOf()).toBeNull();
  });

  it('are in French on request', async () => {
    const answer = await staff
      .call('post', '/api/resources/products/actions/new')
      .set('Accept-Language', 'fr')
      .send({ name: 'Alpha ticket', category: 'B' });
    expect(recordFaults(answer.body as PanelAnswer)).toEqual({ name: 'Un produit de ce type et de ce nom existe déjà.' });
  });

  it('keep an empty limit as no limit, and money as decimal text', async () => {
    const made = await staff.create('prices', {
      productId: same.product,
      name: 'Reduced',
      amount: '1 009,5',
      vat: '5.5',
      stock: '',
      maxPerUser: '3',
      salesFrom: '2027-01-05T09:00:00.000Z',
      salesUntil: '2027-03-05T19:00:00.000Z',
    });
    expect((await staff.look('prices', made.record!.id)).record!.params).toMatchObject({
      amount: '1009.50',
      vat: '5.5',
      stock: null,
      maxPerUser: 3,
      salesFrom: '2027-01-05T09:00:00.000Z',
      salesUntil: '2027-03-05T19:00:00.000Z',
    });
    const backwards = { salesFrom: '2027-03-06T09:00:00.000Z' };
    expect(recordFaults(await staff.act('prices', made.record!.id, 'edit', backwards))).toEqual({ salesUntil: expect.any(String) });
    await staff.act('prices', made.record!.id, 'edit', { salesFrom: '', salesUntil: '' });
    expect((await staff.look('prices', made.record!.id)).record!.params).toMatchObject({ salesFrom: null, salesUntil: null });
    expect(recordFaults(await staff.create('prices', { productId: unknownId, name: 'x', amount: '1', vat: 'NA' }))).toEqual({
      productId: 'There is no such product.',
    });
    expect(recordFaults(await staff.create('prices', { productId: same.product, name: 'x', amount: '-1', vat: 'NA' }))).toEqual({
      amount: expect.any(String),
    });
    expect(recordFaults(await staff.create('prices', { productId: same.product, name: 'x', amount: '1', vat: 'full' }))).toEqual({
      vat: expect.any(String),
    });
  });

  it('validate addresses', async () => {
    const address = {
      streetAddress: '2 rue Haute',
      postalCode: '26110',
      addressLocality: 'Nyons',
      addressCountry: 'FR',
      isMain: 'true',
    };
    const made = await staff.create('addresses', address);
    expect((await staff.look('addresses', made.record!.id)).record!.params).toMatchObject({
      label: '2 rue Haute, Nyons',
      addressCountry: 'FR',
      isMain: true,
    });
    const next = await staff.create('addresses', { ...address, streetAddress: '3 rue Haute' });
    expect((await staff.look('addresses', made.record!.id)).record!.params['isMain']).toBe(false);
    for (const country of ['F', 'FRA', 'ZZ', 'XX', 'EU']) {
      expect(recordFaults(await staff.create('addresses', { ...address, addressCountry: country }))).toEqual({
        addressCountry: expect.any(String),
      });
    }
    const edit = (change: object) => staff.act('addresses', next.record!.id, 'edit', change);
    expect(recordFaults(await edit({ latitude: '90.5' }))).toEqual({ latitude: expect.stringContaining('-90 to 90') });
    expect(recordFaults(await edit({ longitude: '-181' }))).toEqual({ longitude: expect.stringContaining('-180 to 180') });
    expect((await edit({ latitude: '44.36', longitude: '' })).notice?.type).toBe('success');
  });

  it('store text that looks like markup as text', async () => {
    const name = '</script><script>alert(1)</script>';
    const made = await staff.create('products', { name, category: 'T' });
    const answer = await staff
      .call('get', `/api/resources/products/records/${made.record!.id}/show`)
      .expect('Content-Type', /^application\/json/);
    expect((answer.body as PanelAnswer).record!.title).toBe(name);
    const { text } = await staff.call('get', `/resources/products/records/${made.record!.id}/show`).expect(200);
    expect(text).not.toContain('alert(1)');
  });
});

describe('the picture of a product', () => {
  const picture = (id: string): string => `/api/resources/products/records/${id}/picture`;
  const newProduct = async (fields: object = {}): Promise<string> =>
    (await staff.create('products', { name: `Shirt ${randomUUID()}`, category: 'T', ...fields })).record!.id;
  const shownAt = async (id: string): Promise<unknown> => (await staff.look('products', id)).record!.params['picture.src'];
  const png = sharp({ create: { width: 600, height: 400, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

  it('is uploaded, shown, replaced and removed', async () => {
    const id = await newProduct();
    expect([(await staff.look('products', id, 'picture')).view, await shownAt(id)]).toEqual([{ src: null }, null]);
    const answer = (
      await staff
        .call('post', picture(id))
        .attach('img', await png, 'shirt.png')
        .expect(200)
    ).body as PanelAnswer;
    const { src } = answer.view as { src: string };
    expect([answer.notice, await shownAt(id)]).toMatchObject([{ type: 'success', message: 'pictureSaved' }, src]);
    await test.on(alpha).get(src).expect(200).expect('Content-Type', 'image/webp');
    const again = (
      await staff
        .call('post', picture(id))
        .attach('img', await png, 'shirt.png')
        .expect(200)
    ).body as PanelAnswer;
    expect(again.view).not.toEqual({ src });
    await test.on(alpha).get(src).expect(404);
    expect((await staff.act('products', id, 'picture', { remove: true })).view).toEqual({ src: null });
    expect(await shownAt(id)).toBeNull();
  });

  it('must be a file of the form and a picture', async () => {
    const id = await newProduct();
    const faultOf = (answer: PanelAnswer): string | undefined => answer.record?.errors['img']?.message;
    for (const img of [undefined, 'x', { path: '/etc/hostname', size: 9 }]) {
      expect(faultOf(await staff.act('products', id, 'picture', { img }))).toBe('pictureMissing');
    }
    const empty = await staff.call('post', picture(id)).attach('img', Buffer.alloc(0), 'x.png').expect(200);
    expect(faultOf(empty.body as PanelAnswer)).toBe('pictureMissing');
    const svg = await staff.call('post', picture(id)).attach('img', Buffer.from('<svg/>'), 'x.png').expect(200);
    expect(faultOf(svg.body as PanelAnswer)).toMatch('This is not a picture');
    const large = await staff
      .call('post', picture(id))
      .attach('img', Buffer.alloc(10 * 1024 * 1024 + 1), 'x.png')
      .expect(200);
    expect(faultOf(large.body as PanelAnswer)).toMatch('larger than 10 MiB');
    await staff
      .call('post', picture(id))
      .attach('constructor', await png, 'x.png')
      .expect(400);
    expect(await shownAt(id)).toBeNull();
  });

  it('is shown beside terms and the cashless mark, which only one product has', async () => {
    const marked = { category: 'A', sendToCashless: true, termsAndConditions: '<p>Be <script>x</script>kind</p>' };
    const id = await newProduct(marked);
    const { params } = (await staff.look('products', id)).record!;
    expect(params).toMatchObject({ sendToCashless: true, termsAndConditions: '<p>Be kind</p>' });
    const second = await staff.create('products', { ...marked, name: 'Another' });
    expect(Object.keys(second.record!.errors)).toEqual(['sendToCashless']);
  });
});
