import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let event: Awaited<ReturnType<typeof newEvent>>;

beforeAll(async () => {
  test = await startTestApp();
  tenant = await test.newTenant();
  authorization = await newKey(test, tenant, 'reservation:read', 'reservation:write', 'membership:read', 'membership:write', 'ticket:read');
  event = await newEvent(test, tenant, { capacity: 100_000 });
});
afterAll(() => test.close());

const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

/** Random values for members of a body, most of them invalid. */
function anything(): unknown {
  return pick<() => unknown>([
    () => null,
    () => '',
    () => ' ',
    () => event.id,
    () => event.priceId.toUpperCase(),
    () => randomUUID(),
    () => '00000000-0000-0000-0000-000000000000',
    () => `{${event.id}}`,
    () => 'ada@example.org',
    () => `${'a'.repeat(64)}@${'b'.repeat(180)}.org`,
    () => 'ﬁ\u202e@exämple.org',
    () => 'x'.repeat(5000),
    () => 'constructor',
    () => '1900-01-01',
    () => '2999-12-31',
    () => '2027-02-30T25:00',
    () => 1e21,
    () => -1,
    () => 0.5,
    () => 100,
    () => true,
    () => [],
    () => {},
    () => [[]],
    () => ({ identifier: anything() }),
    () => ({ identifier: event.priceId, ticketQuantity: anything(), underName: anything() }),
    () => ({ email: 'ada@example.org', givenName: anything() }),
    () => ({ name: pick(['options', 'confirmed', 'paymentMethod', 'paymentMode', '__proto__']), value: anything() }),
    () => Array.from({ length: randomInt(4) }, anything),
    () => ({ length: 3, toString: 'x', constructor: { name: 'x' } }),
  ])();
}

const members = [
  'reservationFor',
  'underName',
  'reservedTicket',
  'confirmed',
  'paymentMethod',
  'additionalProperty',
  'reservationStatus',
  'member',
  'membershipPlan',
  'validFrom',
  'validUntil',
  'paymentMode',
  'membershipStatus',
] as const;

describe('hostile booking requests', () => {
  it('cause no server error and no wrong counters: 400 bodies of every kind', async () => {
    const { id } = await book(test, tenant, event);
    const fit = {
      reservationFor: event.id,
      underName: { email: 'ada@example.org' },
      reservedTicket: [{ identifier: event.priceId }],
      member: { email: 'ada@example.org' },
      membershipPlan: event.priceId,
    };
    const routes = [
      ['post', '/api/v2/reservations/'],
      ['post', '/api/v2/memberships/'],
      ['patch', `/api/v2/reservations/${id}/`],
      ['patch', `/api/v2/memberships/${id}/`],
    ] as const;
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => {
          const changed = Array.from({ length: 1 + randomInt(3) }, () => [pick(members), anything()] as const);
          const body = { ...fit, ...Object.fromEntries(changed) };
          const [method, path] = pick(routes);
          return test.on(tenant).call(method, path).set('Authorization', authorization).send(body);
        }),
      );
      expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
    }
    await expectNoDrift(test, tenant);
  });

  it('cause no server error in lists and look-ups', async () => {
    const paths = ['/api/v2/reservations/', '/api/v2/memberships/', '/api/reservations/', '/api/ticket/'];
    const tails = [
      '%2e%2e',
      '1e9',
      "'",
      '%F0%9F%8E%AB',
      'x'.repeat(500),
      '?page=1000000&page_size=500',
      '?page[]=1',
      '?event=%7B%7D',
      '?email=',
      '?email=%27%22%5C',
      `?email=${'é'.repeat(200)}@x.org`,
    ];
    for (const path of paths) {
      for (const tail of tails) {
        const { status, text } = await test.on(tenant).get(`${path}${tail}`).set('Authorization', authorization);
        expect([status < 500, status < 500 ? '' : text]).toEqual([true, '']);
      }
    }
  });
});
