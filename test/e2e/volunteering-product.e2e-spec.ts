import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ProductsService, type Event } from '#catalogue';
import { PlaceProfileService } from '#places';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { builtIn, newSlot } from '../support/volunteering.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let staff: PanelClient;
let festival: Event;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'product:read', 'product:write', 'event:write');
  staff = await staffOf(test, tenant);
  festival = await newEvent(test, tenant);
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string): supertest.Test =>
  test.on(tenant).call(method, path).set('Authorization', authorization);
const rows = <Row extends Body>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  test.database.query<Row>(sql.replaceAll('{tenant}', `"${tenant.schemaName}"`), values);

describe('the built-in product', () => {
  it('is in no list, and cannot be read, changed, deleted or linked', async () => {
    const { product, price } = await builtIn(test, tenant);
    const slot = await newSlot(test, tenant, festival);
    for (const path of ['/api/products/', '/api/prices/', '/api/v2/products/']) {
      for (const as of ['', authorization]) {
        const { text } = await test
          .on(tenant)
          .get(path)
          .set(as ? { Authorization: as } : {});
        expect([path, text.includes(product), text.includes(price), text.includes('Volunteer')]).toEqual([path, false, false, false]);
      }
    }
    const one = `/api/v2/products/${product}/`;
    const answers = [
      await call('get', one),
      await call('patch', one).send({ name: 'Mine' }),
      await call('patch', one).send({ formFields: [{ label: 'Why', fieldType: 'shortText' }] }),
      await call('delete', one),
      await call('get', `${one}offers/`),
      await call('post', `${one}offers/`).send({ name: 'Mine', price: '5.00' }),
      await call('get', `${one}offers/${price}/`),
      await call('patch', `${one}offers/${price}/`).send({ price: '5.00' }),
      await call('delete', `${one}offers/${price}/`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const refused = [
      await call('post', `/api/v2/events/${slot.id}/link-product/`).send({ productId: product }),
      await call('post', '/api/prices/').send({ product, name: 'Mine', prix: 5 }),
      await call('post', '/api/prices/').send({ product: randomUUID(), name: 'Mine', prix: 5 }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((refused[1]!.body as Body)['errors']).toEqual((refused[2]!.body as Body)['errors']);
    for (const [section, id] of [
      ['products', product],
      ['prices', price],
    ] as const) {
      const list = await staff.list(section);
      expect(list.records!.map((record) => record.id)).not.toContain(id);
      expect((await staff.look(section, id)).record?.params).toEqual({});
      expect((await staff.act(section, id, 'edit', { name: 'Mine' })).notice?.type).toBe('error');
      expect(((await staff.file(`/exports/${section}.csv`)).body as Buffer).toString('utf8')).not.toContain(id);
    }
    expect((await staff.act('products', product, 'questions', { questions: [] })).notice?.type).toBe('error');
    await staff.act('events', slot.id, 'products', { productIds: [product] });
    expect(await rows('select 1 from {tenant}.event_product where product_id = $1', product)).toEqual([]);
    expect(await rows('select name from {tenant}.price where product_id = $1', product)).toEqual([{ name: 'Volunteer' }]);
  });

  it('leaves its name to products of staff, and has a name in the language of the place', async () => {
    const mine = { name: 'Volunteering', category: 'F' as const };
    const make = (): Promise<unknown> => test.inside(tenant, () => test.app.get(ProductsService).create(mine));
    await make();
    await expect(make()).rejects.toMatchObject({ reason: 'exists' });
    const french = await test.newTenant({ language: 'fr' });
    const names = (): Promise<unknown> =>
      test.database.query(`select product.name, price.name as price from "${french.schemaName}".product
        join "${french.schemaName}".price on product_id = product.id`);
    expect(await names()).toEqual([{ name: 'Bénévolat', price: 'Bénévole' }]);
    await test.inside(french, () => test.app.get(PlaceProfileService).change({ language: 'en' }));
    expect(await names()).toEqual([{ name: 'Volunteering', price: 'Volunteer' }]);
  });
});
