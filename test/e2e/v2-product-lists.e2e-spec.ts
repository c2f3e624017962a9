import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ImagesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { productsApi, productsPath as path } from '../support/products-api.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;

// No worker runs here: the tests read events from the feed.
beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:read', 'event:write', 'webhook:read');
});
afterAll(() => test.close());

const { call, create, newEvent, link, get } = productsApi(() => ({ test, tenant, authorization }));
const count = (table: string): Promise<number> => countRows(test, tenant, table);

describe('GET /api/v2/products/', () => {
  it('lists all products, newest first, and shows one; answers 304 when unchanged', async () => {
    const [old, hidden] = [
      await create({ name: 'Old' }),
      await test.inside(tenant, () => test.app.get(ProductsService).create({ name: 'Hidden', category: 'T', published: false })),
    ];
    const { body, headers } = await call('get', path).expect(200);
    expect(body).toEqual({ results: [await get(hidden.id), await get(old.identifier)] });
    await call('get', path).set('If-None-Match', String(headers['etag'])).expect(304);
    const one = await call('get', `${path}${old.identifier}/`).expect(200);
    await call('get', `${path}${old.identifier}/`).set('If-None-Match', String(one.headers['etag'])).expect(304);
    await link((await newEvent('New')).identifier, { product: old.identifier });
    await call('get', `${path}${old.identifier}/`).set('If-None-Match', String(one.headers['etag'])).expect(200);
  });

  it('shows the picture', async () => {
    const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const { id } = await test.inside(tenant, async () => {
      const image = await test.app.get(ImagesService).prepare(png, 'img');
      return test.app.get(ProductsService).create({ name: 'Shirt', category: 'T', image });
    });
    const { image } = await get(id);
    expect(image).toMatch(new RegExp(`^http://${tenant.host}:3000/images/.*/fhd\\.png$`));
    await test
      .on(tenant)
      .get(new URL(image as string).pathname)
      .expect(200);
    // A new picture replaces the old one, which is deleted.
    await test.inside(tenant, async () => {
      const other = await test.app.get(ImagesService).prepare(png, 'img');
      await test.app.get(ProductsService).update(id, { image: other });
    });
    expect([(await get(id))['image'] === image, await count('image')]).toEqual([false, 1]);
    await test.inside(tenant, () => test.app.get(ProductsService).update(id, { image: null }));
    expect([(await get(id))['image'], await count('image')]).toEqual([undefined, 0]);
  });

  it('answers 404 for unknown, malformed and foreign ids, and requires the scope', async () => {
    const { identifier } = await create();
    const elsewhere = await test.newTenant();
    const foreign = await newKey(test, elsewhere, 'product:read');
    for (const answer of [
      call('get', `${path}${randomUUID()}/`),
      call('get', `${path}x/`),
      call('get', `${path}${identifier}/`, foreign, elsewhere),
    ]) {
      expect((await answer.expect(404)).body).toMatchObject({ code: 'product.unknown' });
    }
    const [events, reads] = [await newKey(test, tenant, 'event:read'), await newKey(test, tenant, 'product:read')];
    expect((await call('get', path, events).expect(403)).body).toMatchObject({ code: 'key.scope' });
    expect((await call('post', path, reads).send({}).expect(403)).body).toMatchObject({ code: 'key.scope' });
    await test.on(tenant).get(path).expect(401);
  });
});
