import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocumentService } from '#api-document';
import { TicketsService } from '#tickets';
import { allScopes, type TenantIdentity } from '#tenancy';
import fc from 'fast-check';
import { requestsOf, withKnownIds, type ApiRequest, type Known } from '../support/api-requests.js';
import { book, expectNoDrift } from '../support/booking.js';
import { newDevice, newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

/** Number of requests. Run more by hand: `LIES=100000 SEED=random npm test -- api-lies`. */
const wanted = Number(process.env['LIES'] ?? 400);
const chosen = process.env['SEED'] ?? '20261121';
const seed = chosen === 'random' ? randomInt(2 ** 31) : Number(chosen);
/** Concurrent requests. */
const atOnce = 4;
/** Requests per tenant, because lists grow with created objects. */
const ofOnePlace = 2000;

/** A tenant that receives requests. */
interface Place {
  readonly tenant: TenantIdentity;
  readonly known: Known;
  readonly keys: { readonly integration: string; readonly device: string };
}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

async function newPlace(): Promise<Place> {
  const tenant = await test.newTenant();
  const keys = {
    integration: await newKey(test, tenant, ...allScopes),
    device: (await newDevice(test, tenant)).authorization,
  };
  const events = [
    await newEvent(test, tenant),
    await newEvent(test, tenant, { startsAt: new Date() }),
    await newEvent(test, tenant, { startsAt: new Date('2027-01-01T20:00:00Z') }),
  ];
  const booked = [];
  for (const event of events.slice(0, 2)) {
    booked.push(await book(test, tenant, event, { quantity: 2, confirmed: true }), await book(test, tenant, event));
  }
  const make = async (path: string, body: object): Promise<string> => {
    const made = await test.on(tenant).post(path).set('Authorization', keys.integration).send(body).expect(201);
    return String((made.body as { identifier: string | number }).identifier);
  };
  const address = { streetAddress: '1 rue', addressLocality: 'Lyon', postalCode: '69001', addressCountry: 'FR' };
  const offers = [{ name: 'One year', price: 0, subscriptionType: 'Y' }];
  const plan = await make('/api/v2/products/', { name: 'Friends', category: 'Membership', offers });
  const { body: shown } = await test.on(tenant).get(`/api/v2/products/${plan}/`).set('Authorization', keys.integration);
  const [{ identifier: offer }] = (shown as { offers: [{ identifier: string }] }).offers;
  const codes = await test.inside(tenant, () => test.app.get(TicketsService).list());
  const known = {
    events: events.flatMap(({ id, slug }) => [id, slug]),
    prices: [...events.map(({ priceId }) => priceId), offer],
    reservations: booked.map(({ id }) => id),
    ticket: booked.flatMap(({ tickets }) => tickets.map(({ id }) => id)),
    codes: codes.map(({ qrcode_data: code }) => code),
    products: [plan],
    memberships: [await make('/api/v2/memberships/', { member: { email: 'ada@example.org' }, membershipPlan: offer })],
    'postal-addresses': [await make('/api/v2/postal-addresses/', address)],
    'webhook-endpoints': [
      await make('/api/v2/webhook-endpoints/', { url: 'https://nobody.invalid/', types: ['*'] }),
      await make('/api/v2/webhook-endpoints/', { url: 'https://nobody.invalid/2', types: ['*'] }),
    ],
  };
  return { tenant, known, keys };
}

const answers = new Map<string, number>();

/** @throws UndocumentedAnswerError when the response is missing or not in the API document */
async function send({ tenant, known, keys }: Place, request: ApiRequest): Promise<void> {
  const { operation, method, path, authorization, headers, body } = request;
  const scanning = path.startsWith('/scan/');
  const keyOf = {
    right: scanning ? keys.device : keys.integration,
    other: scanning ? keys.integration : keys.device,
    forged: `Api-Key gkey_${'x'.repeat(20)}_${'y'.repeat(49)}`,
    none: undefined,
  };
  const key = keyOf[authorization];
  const sent = test.on(tenant).call(method, withKnownIds(path, known)).set(headers).timeout({ deadline: 60_000 });
  if (key) sent.set('Authorization', key);
  if (body !== undefined) sent.send(withKnownIds(body, known));
  // No operation documents a 5xx, except that of an unreachable database.
  const { status } = await sent;
  const outcome = `${operation} ${status}`;
  answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
  expect({ request, failed: status >= 500 }).toEqual({ request, failed: false });
}

describe(`${wanted} requests generated from the API document, most of them invalid`, () => {
  it('all get documented responses, and no server error', async () => {
    process.stderr.write(`api-lies: LIES=${wanted} SEED=${seed}\n`);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    let place = await newPlace();
    let asked = 0;
    const heap: number[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestsOf(test.app.get(ApiDocumentService).document()), { minLength: atOnce, maxLength: atOnce }),
        async (requests) => {
          await Promise.all(requests.map((request) => send(place, request)));
          asked += requests.length;
          if (asked % ofOnePlace >= atOnce) return;
          await expectNoDrift(test, place.tenant);
          [place] = [await newPlace(), heap.push(used())];
        },
      ),
      { numRuns: wanted / atOnce, seed, endOnFailure: true },
    );
    await expectNoDrift(test, place.tenant);
    heap.push(used());
    const successes = [...answers].filter(([answer]) => / 2\d\d$/.test(answer));
    if (process.env['LIES']) console.log(Object.fromEntries([...answers].toSorted()), heap);
    // The requests are realistic enough: most operations succeeded at least once.
    const operations = new Set([...answers.keys()].map((answer) => answer.replace(/ \d+$/, '')));
    const wellDone = new Set(successes.map(([answer]) => answer.replace(/ \d+$/, '')));
    expect(wellDone.size).toBeGreaterThan(operations.size * (wanted < 3000 ? 0.3 : 0.55));
    // The heap may grow by caches per tenant, but not with each request.
    expect(heap.at(-1)! - heap[0]!).toBeLessThan(60);
  }, 3_600_000);
});
