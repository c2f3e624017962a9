import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PricesService, ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import pg from 'pg';
import { newDevice } from '../support/builders.js';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import { faultsOf, legacyCatalogue, prices, products, type LegacyProduct } from '../support/legacy-catalogue.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
beforeAll(async () => {
  test = await startTestApp({ tenants: 'many', environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write');
});
afterAll(() => test.close());

const { send, make, makeProduct, makePrice, list } = legacyCatalogue(() => ({ test, tenant, authorization }));
const count = (table: string): Promise<number> => countRows(test, tenant, table);

describe('POST /api/prices/', () => {
  it('creates a price and answers every field of the specification', async () => {
    const { uuid } = await makeProduct();
    const made = await makePrice(uuid);
    expect(made).toEqual({
      uuid: made.uuid,
      product: uuid,
      name: 'Full price',
      short_description: null,
      long_description: null,
      prix: 12.5,
      vat: 'NA',
      stock: null,
      max_per_user: null,
      subscription_type: null,
      adhesion_obligatoire: null,
    });
    expect((await list(products))[0]!.prices).toEqual([made]);
  });

  it('accepts every field, in JSON and in a form', async () => {
    const [{ uuid }, membership] = [await makeProduct(), await makeProduct({ categorie_article: 'A' })];
    const full = {
      short_description: 'For members',
      long_description: '<p>Bring the card</p>',
      vat: '5.5',
      stock: 0,
      max_per_ser: 2,
      subscription_type: 'Y',
      adhesion_obligatoire: membership.uuid,
    };
    const { max_per_ser, ...shown } = full;
    const made = await makePrice(uuid, { ...full, prix: 9.99 });
    expect(made).toMatchObject({ ...shown, max_per_user: max_per_ser, prix: 9.99 });
    const { body } = await send(prices)
      .type('form')
      .send({ ...full, product: uuid, name: 'In a form', prix: '9,90' })
      .expect(201);
    expect(body).toEqual({ ...made, uuid: (body as LegacyProduct).uuid, name: 'In a form', prix: 9.9 });
    const part = await send(prices).field('product', uuid).field('name', 'In parts').field('prix', '7').field('stock', '').expect(201);
    expect(part.body).toMatchObject({ prix: 7, stock: null });
  });

  it('accepts max_per_user, too, and prix as number or text', async () => {
    const { uuid } = await makeProduct();
    expect(await makePrice(uuid, { max_per_user: 3 })).toMatchObject({ max_per_user: 3 });
    for (const [prix, shown] of [
      [0, 0],
      ['0', 0],
      ['99999999.99', 99999999.99],
      [0.1, 0.1],
      ['12', 12],
    ]) {
      expect(await makePrice(uuid, { prix })).toMatchObject({ prix: shown });
    }
    for (const prix of [-1, '-1', 0.1 + 0.2, '1.999', '1e3', 1e9, 'free', '', null, true, [1]]) {
      expect(faultsOf(await makePrice(uuid, { prix }, 400))).toEqual(['/prix']);
    }
  });

  it.each([
    ['5,5', '5.5'],
    ['5,5 %', '5.5'],
    [' vg ', 'VG'],
  ])('takes vat %s for %s', async (vat, kept) => {
    expect(await makePrice((await makeProduct()).uuid, { vat })).toMatchObject({ vat: kept });
  });

  it.each(['NA', 'DX', 'VG', 'HC', 'DD', '5.5', '20'])('answers vat %s as it came', async (vat) => {
    expect(await makePrice((await makeProduct()).uuid, { vat })).toMatchObject({ vat });
  });

  it('lists every fault at once', async () => {
    const body = {
      product: 'x',
      name: '',
      prix: 'x',
      vat: 'XX',
      stock: -1,
      max_per_ser: 0,
      subscription_type: 'W',
      adhesion_obligatoire: 'x',
    };
    expect(faultsOf(await make(prices, body, 400))).toEqual(
      Object.keys(body)
        .map((name) => `/${name}`)
        .toSorted(),
    );
    expect(faultsOf(await make(prices, { name: 'Alone' }, 400))).toEqual(['/prix', '/product']);
    for (const odd of [[], [{}], 'text', 7]) {
      const { body: problem } = await send(prices).type('json').send(JSON.stringify(odd)).expect(400);
      expect(faultsOf(problem as Body)).toEqual(['']);
    }
  });

  it('refuses unknown products, and memberships that are unknown, foreign, or no membership', async () => {
    const { uuid } = await makeProduct();
    expect(faultsOf(await makePrice(randomUUID(), {}, 400))).toEqual(['/product']);
    const elsewhere = await test.newTenant();
    const foreign = await test.inside(elsewhere, () => test.app.get(ProductsService).create({ name: 'Card', category: 'A' }));
    for (const adhesion_obligatoire of [randomUUID(), foreign.id, uuid]) {
      expect(faultsOf(await makePrice(uuid, { adhesion_obligatoire }, 400))).toEqual(['/adhesion_obligatoire']);
    }
    expect(await count('price')).toBe(0);
  });

  it('keeps the category of a membership while prices require it', async () => {
    const [{ uuid }, card] = [await makeProduct(), await makeProduct({ categorie_article: 'A' })];
    await makePrice(uuid, { adhesion_obligatoire: card.uuid });
    const change = test.inside(tenant, () => test.app.get(ProductsService).update(card.uuid, { category: 'B' }));
    await expect(change).rejects.toMatchObject({ field: 'category' });
  });

  it('lists without a body or with an empty object, like GET', async () => {
    const { uuid } = await makeProduct();
    const made = [await makePrice(uuid, { name: 'Old' }), await makePrice(uuid, { name: 'New' })].toReversed();
    expect(await list(prices)).toEqual(made);
    for (const ask of [
      () => send(prices),
      () => test.on(tenant).post(prices),
      () => test.on(tenant).post(prices).set('Content-Type', 'application/json'),
      () => test.on(tenant).post(prices).send({}),
    ]) {
      expect((await ask().expect(200)).body).toEqual(made);
    }
  });
});

describe('access to the first API', () => {
  it('to lists is public for published objects; a key with the scope sees everything', async () => {
    const shown = await makeProduct({ name: 'Shown' });
    const hidden = await makeProduct({ name: 'Hidden', publish: false });
    const inside = await makePrice(shown.uuid, { name: 'Inside', publish: false });
    const outside = await makePrice(shown.uuid, { name: 'Outside' });
    const under = await makePrice(hidden.uuid, { name: 'Under' });
    expect((await list(products)).map(({ uuid, prices: all }) => [uuid, all])).toEqual([[shown.uuid, [outside]]]);
    expect((await list(products, authorization)).map(({ uuid }) => uuid)).toEqual([hidden.uuid, shown.uuid]);
    expect(await list(prices)).toEqual([outside]);
    expect(await list(prices, authorization)).toEqual([under, outside, inside]);
    expect((await send(prices).expect(200)).body).toHaveLength(3);
  });

  it('to lists is refused for invalid keys and keys without the scope', async () => {
    const [events, writes] = [await newKey(test, tenant, 'event:read', 'event:write'), await newKey(test, tenant, 'product:write')];
    const elsewhere = await newKey(test, await test.newTenant(), 'product:read');
    const device = await newDevice(test, tenant);
    for (const path of [products, prices]) {
      for (const [as, status, code] of [
        ['Api-Key x', 401, 'key.malformed'],
        ['Bearer x', 401, 'key.missing'],
        ['', 401, 'key.missing'],
        [elsewhere, 401, 'key.unknown'],
        [device.authorization, 403, 'key.kind'],
        [events, 403, 'key.scope'],
        [writes, 403, 'key.scope'],
      ] as const) {
        const asked = [test.on(tenant).get(path), ...(path === prices ? [test.on(tenant).post(path)] : [])];
        for (const one of asked) {
          const { status: got, body } = await one.set('Authorization', as);
          expect([as, got, body.code]).toEqual([as, status, code]);
        }
      }
    }
  });

  it('to creation requires a key with product:write', async () => {
    const { uuid } = await makeProduct();
    const body = { product: uuid, name: 'Full', prix: 1 };
    const reads = await newKey(test, tenant, 'product:read');
    for (const path of [products, prices]) {
      const open = await test.on(tenant).post(path).send(body).expect(401);
      expect([open.body.code, open.headers['www-authenticate']]).toEqual(['key.missing', 'Api-Key']);
      expect((await send(path, reads).send(body).expect(403)).body).toMatchObject({ code: 'key.scope' });
    }
    // Callers without access get no validation errors.
    await test.on(tenant).post(prices).send({ name: 7 }).expect(401);
    expect(await count('price')).toBe(0);
    await send(prices, await newKey(test, tenant, 'product:write'))
      .send(body)
      .expect(201);
  });
});

describe('lists', () => {
  it('are complete, newest first, with as many statements for twelve objects as for one', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Product ${index}`);
    const asked: number[] = [];
    for (const name of names) {
      await makePrice((await makeProduct({ name })).uuid);
      const seen = jest.spyOn(pg.Client.prototype, 'query');
      await list(products);
      asked.push(seen.mock.calls.filter((call) => /\b(product|price)\b/.test(JSON.stringify(call[0]))).length);
      seen.mockRestore();
    }
    expect([asked[0]! > 0, asked[11]]).toEqual([true, asked[0]]);
    const answer = await test.on(tenant).get(products).expect(200);
    expect((answer.body as LegacyProduct[]).map(({ name }) => name)).toEqual(names.toReversed());
    expect(answer.headers['link']).toBe('</api/v2/products/>; rel="successor-version"');
  });

  it('are paginated with Link headers', async () => {
    const { uuid } = await makeProduct();
    for (let index = 1; index <= 5; index += 1) await makePrice(uuid, { name: `${index}` });
    const page = async (query: string): Promise<[string[], Record<string, string>]> => {
      const { body, headers } = await test.on(tenant).get(`${prices}${query}`).expect(200);
      const links = [...String(headers['link']).matchAll(/<([^>]*)>; rel="([\w-]+)"/g)].map(([, to = '', rel = '']) => [rel, to]);
      return [(body as Body[]).map(({ name }) => name as string), Object.fromEntries(links) as Record<string, string>];
    };
    const successor = { 'successor-version': '/api/v2/products/' };
    const at = (number: number): string => `/api/prices/?page=${number}&page_size=2`;
    expect(await page('?page_size=2')).toEqual([['5', '4'], { ...successor, first: at(1), next: at(2), last: at(3) }]);
    expect(await page('?page=2&page_size=2')).toEqual([['3', '2'], { ...successor, first: at(1), prev: at(1), next: at(3), last: at(3) }]);
    expect(await page('?page=3&page_size=2')).toEqual([['1'], { ...successor, first: at(1), prev: at(2), last: at(3) }]);
    expect(await page('?page=9&page_size=2')).toEqual([[], { ...successor, first: at(1), prev: at(3), last: at(3) }]);
    expect((await page('?page=1'))[0]).toHaveLength(5);
    const posted = await test.on(tenant).post(at(2)).expect(200);
    expect((posted.body as Body[]).map(({ name }) => name)).toEqual(['3', '2']);
    expect((await test.on(tenant).get(`${products}?page=1&page_size=500`).expect(200)).body).toHaveLength(1);
  });

  it.each(['page=0', 'page=x', 'page=-1', 'page=1.5', 'page_size=0', 'page_size=501', 'page=1&page=2', 'page=', 'page=99999999'])(
    'are not paged by ?%s',
    async (query) => {
      for (const path of [products, prices]) {
        expect((await test.on(tenant).get(`${path}?${query}`).expect(400)).body).toMatchObject({ code: 'query.invalid' });
      }
    },
  );
});

describe('the first API', () => {
  it('names its successor in its answers', async () => {
    const { uuid } = await makeProduct();
    for (const answer of [
      await test.on(tenant).get(products),
      await test.on(tenant).get(prices),
      await test.on(tenant).post(prices),
      await send(products).send({ name: 'One', categorie_article: 'B' }),
      await send(prices).send({ product: uuid, name: 'One', prix: 1 }),
    ]) {
      expect(answer.headers['deprecation']).toMatch(/^@\d{10}$/);
      expect(answer.headers['link']).toBe('</api/v2/products/>; rel="successor-version"');
    }
  });

  it('shows nothing of another place', async () => {
    const { uuid } = await makeProduct();
    await makePrice(uuid);
    const elsewhere = await test.newTenant();
    for (const path of [products, prices]) expect((await test.on(elsewhere).get(path).expect(200)).body).toEqual([]);
    const foreign = await newKey(test, elsewhere, 'product:write');
    const { body } = await test
      .on(elsewhere)
      .post(prices)
      .set('Authorization', foreign)
      .send({ product: uuid, name: 'One', prix: 1 })
      .expect(400);
    expect(faultsOf(body as Body)).toEqual(['/product']);
    const own = await test.inside(elsewhere, () => test.app.get(PricesService).list());
    expect(own.total).toBe(0);
  });
});
