import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { countRows } from '../support/catalogue-rows.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';
import { faultsOf, legacyCatalogue, products } from '../support/legacy-catalogue.js';

type Body = Record<string, unknown>;

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let jpeg: Buffer;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'many', environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
  jpeg = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(test, tenant, 'product:read', 'product:write');
});
afterAll(() => test.close());

const { send, make, makeProduct, list } = legacyCatalogue(() => ({ test, tenant, authorization }));
const count = (table: string): Promise<number> => countRows(test, tenant, table);

describe('POST /api/products/', () => {
  it('requires only name and categorie_article, and answers every field of the specification', async () => {
    const made = await makeProduct({ name: 'Evening' });
    expect(made).toEqual({
      uuid: made.uuid,
      name: 'Evening',
      short_description: null,
      long_description: null,
      terms_and_conditions_document: null,
      publish: true,
      img: null,
      categorie_article: 'B',
      send_to_cashless: false,
      prices: [],
    });
  });

  it('accepts every field and cleans descriptions', async () => {
    const full = {
      short_description: 'An <b>evening</b>',
      long_description: '<p>Two <script>alert(1)</script>hours</p>',
      terms_and_conditions_document: 'https://venue.example/terms?a=1&b=2',
      publish: false,
      categorie_article: 'A',
      send_to_cashless: true,
    };
    const cleaned = { ...full, short_description: 'An evening', long_description: '<p>Two hours</p>' };
    expect(await makeProduct(full)).toMatchObject(cleaned);
  });

  it.each(['B', 'P', 'R', 'T', 'M', 'A', 'F'])('makes the product type %s', async (categorie_article) => {
    expect(await makeProduct({ categorie_article })).toMatchObject({ categorie_article });
  });

  it('adds a free price to a free product', async () => {
    expect((await makeProduct({ categorie_article: 'F' })).prices).toMatchObject([{ name: 'Free', prix: 0 }]);
  });

  it('accepts a form with booleans as text', async () => {
    const form = { name: 'Card', categorie_article: 'A', send_to_cashless: 'true', publish: 'off', short_description: '' };
    const { body } = await send(products).type('form').send(form).expect(201);
    expect(body).toMatchObject({ name: 'Card', send_to_cashless: true, publish: false, short_description: null });
  });

  it('accepts a picture as a file and serves it', async () => {
    const { body } = await send(products).field('name', 'Shirt').field('categorie_article', 'T').attach('img', jpeg, 'a.jpg').expect(201);
    const { img } = body as { img: string };
    expect(img).toMatch(new RegExp(`^http://${tenant.host}:3000/images/[0-9a-f-]{36}/fhd\\.jpg$`));
    await test.on(tenant).get(new URL(img).pathname).expect(200).expect('Content-Type', 'image/jpeg');
    expect((await list(products))[0]).toMatchObject({ name: 'Shirt', img });
  });

  it('fetches a picture from img_url, and refuses private addresses', async () => {
    const server: Server = createServer((_request, response) => response.end(jpeg)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const made = await makeProduct({ img_url: `http://127.0.0.1:${port}/a` });
    server.close();
    expect(made['img']).toMatch(/\/images\/.*\/fhd\.jpg$/);
    expect(faultsOf(await makeProduct({ img_url: `http://127.0.0.2:${port}/a` }, 400))).toEqual(['/img_url']);
    expect(faultsOf(await makeProduct({ img_url: 'nowhere' }, 400))).toEqual(['/img_url']);
  });

  it('lets a limited number of requests wait for fetched pictures, and asks the others to retry', async () => {
    const waiting: ServerResponse[] = [];
    let open = false;
    const server = createServer((_request, response) => (open ? response.end(jpeg) : waiting.push(response)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answers = Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const body = { name: `Poster ${number}`, categorie_article: 'T', img_url: `http://127.0.0.1:${port}/` };
        const answer = await send(products).send(body);
        // The first response is a refusal, while all others wait.
        if (answer.status === 503) {
          open = true;
          for (const response of waiting.splice(0)) response.end(jpeg);
        }
        return answer;
      }),
    );
    const busy = (await answers).filter(({ status }) => status !== 201);
    server.close();
    expect(busy.map(({ status, headers, body }) => [status, headers['retry-after'], (body as Body)['code']])).toEqual(
      busy.map(() => [503, '5', 'image.busy']),
    );
    expect([busy.length > 0, busy.length <= 8, await count('product')]).toEqual([true, true, 40 - busy.length]);
  });

  it('refuses files that are no pictures or larger than 10 MiB, and stores nothing', async () => {
    for (const file of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.alloc(10 * 1024 * 1024 + 1),
      Buffer.alloc(15 * 1024 * 1024),
    ]) {
      const { body } = await send(products).field('name', 'Shirt').field('categorie_article', 'T').attach('img', file, 'a.jpg').expect(400);
      expect(faultsOf(body as Body)).toEqual(['/img']);
    }
    expect([await count('product'), await count('image')]).toEqual([0, 0]);
  });

  it('lists every fault at once', async () => {
    const body = { name: ' ', categorie_article: 'X', publish: 'maybe', send_to_cashless: 7, short_description: ['a'] };
    expect(faultsOf(await make(products, body, 400))).toEqual([
      '/categorie_article',
      '/name',
      '/publish',
      '/send_to_cashless',
      '/short_description',
    ]);
    expect(faultsOf(await make(products, {}, 400))).toEqual(['/categorie_article', '/name']);
  });

  it('refuses a second product of one category and name, and a second one for cashless', async () => {
    const twice = { name: 'Card', categorie_article: 'A', send_to_cashless: true };
    await makeProduct(twice);
    expect(await makeProduct({ ...twice, send_to_cashless: false }, 409)).toMatchObject({ code: 'product.exists' });
    const second = { categorie_article: 'A', send_to_cashless: true };
    expect(await makeProduct(second, 409)).toMatchObject({ code: 'product.cashless_taken' });
    expect(await makeProduct({ ...twice, categorie_article: 'B', send_to_cashless: false })).toMatchObject({ name: 'Card' });
    const french = await send(products)
      .set('Accept-Language', 'fr')
      .send({ ...twice, name: 'Autre' })
      .expect(409);
    expect(french.body).toMatchObject({ title: 'Autre produit cashless' });
  });

  it.each(['B', 'P', 'R', 'T', 'M', 'F'])('records no product of type %s on cashless cards', async (categorie_article) => {
    const body = { name: randomUUID(), categorie_article, send_to_cashless: true };
    expect(faultsOf(await make(products, body, 400))).toEqual(['/send_to_cashless']);
  });

  // Both were verified to fail without their unique index: several are created.
  it.each([
    ['flagged for cashless', { categorie_article: 'A', send_to_cashless: true }, 'product.cashless_taken'],
    ['of one name', { categorie_article: 'B', name: 'The same' }, 'product.exists'],
  ])('makes one of 20 products at once that are %s', async (_name, body, code) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(products).send({ name: randomUUID(), ...body })));
    const refused = answers.filter(({ status }) => status !== 201).map((answer) => [answer.status, answer.body.code]);
    expect(refused).toEqual(Array.from({ length: 19 }, () => [409, code]));
    expect(await count('product')).toBe(1);
  });
});
