import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { AuditService } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift } from '../support/booking.js';
import { expanded } from '../support/json-ld.js';
import {
  answersIn,
  everyKind,
  faultsOf,
  form,
  made,
  newCaller,
  perTicket,
  questionsApi,
  type Body,
  type Booked,
  type Product,
} from '../support/questions-api.js';
import { tenantWork } from '../support/tenant-work.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let eventId: string;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  ({ tenant, authorization, eventId } = await newCaller(test, tenant));
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const { post, get, newProduct, wanted, book } = questionsApi(() => ({ test, tenant, authorization, eventId }));
const { sql: rows } = tenantWork(() => ({ test, tenant }));

describe('answers of a reservation', () => {
  it('are checked against their questions, with every fault at once', async () => {
    const product = await newProduct([...everyKind, perTicket]);
    const refused = (more: object, line?: object) => faultsOf(post('reservations/', wanted(product, more, line)));
    expect(await refused({})).toEqual([
      ['/additionalProperty', 'isAnswered'],
      ['/additionalProperty', 'isAnswered'],
      ['/additionalProperty', 'isAnswered'],
      ['/reservedTicket/0/additionalProperty', 'isAnswered'],
    ]);
    const wrong = { telephone: 'x'.repeat(301), bio: ['x'], town: 'Nice', diet: ['vegan', 'meat'], 'house-rules': 'perhaps', 'a/b': 1 };
    expect(await refused(form(wrong), form({ 'age-of-the-child': '7\n8', town: 'Paris' }))).toEqual([
      ['/additionalProperty/0/value/a~1b', 'isQuestion'],
      ['/additionalProperty/0/value/telephone', 'isAnswer'],
      ['/additionalProperty/0/value/bio', 'isAnswer'],
      ['/additionalProperty/0/value/town', 'isAnswer'],
      ['/additionalProperty/0/value/diet', 'isAnswer'],
      ['/additionalProperty/0/value/house-rules', 'isAnswer'],
      ['/reservedTicket/0/additionalProperty/0/value/town', 'isQuestion'],
      ['/reservedTicket/0/additionalProperty/0/value/age-of-the-child', 'isAnswer'],
    ]);
    // A required yes-no question must be answered with yes.
    const right = { telephone: 612345678, town: ' Lyon ', 'house-rules': 'on', 'age-of-the-child': '7' };
    expect(await refused(form({ ...right, 'house-rules': false, telephone: '  ' }))).toEqual([
      ['/additionalProperty/0/value/telephone', 'isAnswered'],
      ['/additionalProperty/0/value/house-rules', 'isAnswered'],
    ]);
    const list = [
      { propertyID: 'town', value: 'Nice' },
      { name: 'house-rules', value: true },
    ];
    expect(await refused(form(list), form({ 'age-of-the-child': 7 }))).toEqual([
      ['/additionalProperty/0/value', 'isAnswered'],
      ['/additionalProperty/0/value/0/value', 'isAnswer'],
    ]);
    for (const shape of ['text', [1], [{ value: 1 }], { town: { a: 1 } }, { town: ['x', 1] }])
      expect(await refused(form(shape))).toEqual([['/additionalProperty/0/value', 'isPropertyValue']]);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, '1']));
    expect(await refused(form(many))).toEqual([['/additionalProperty/0/value', 'isPropertyValue']]);
    expect(await rows('select 1 from answer')).toEqual([]);
    expect(await rows('select 1 from reservation')).toEqual([]);

    const booked = await book(product, form(right));
    expect(answersIn(booked.additionalProperty)).toEqual({ telephone: '612345678', town: 'Lyon', 'house-rules': true });
    expect(answersIn(booked.reservedTicket[0]!.additionalProperty)).toEqual({ 'age-of-the-child': '7' });
    await expanded(booked, tenant);
    expect(await get(`reservations/${booked.identifier}/`)).toEqual(booked);
    const { results } = (await get('reservations/')) as { results: Booked[] };
    expect(answersIn(results[0]!.additionalProperty)).toEqual(answersIn(booked.additionalProperty));
  });

  it('are asked once per reservation or per ticket, by name or identifier, and can be sent as they are shown', async () => {
    const child = await newProduct([perTicket, { label: 'Phone', fieldType: 'shortText' }]);
    const adult = await newProduct([{ label: 'Phone', fieldType: 'shortText', required: true }]);
    const [age, phone] = child.formFields!;
    const line = (product: Product, more: object = {}) => ({ identifier: product.offers[0]!.identifier, ...more });
    const booked = await book(child, {
      reservedTicket: [
        line(child, { ticketQuantity: 2, ...form({ [age!.identifier.toUpperCase()]: '5' }) }),
        line(child, form([{ propertyID: 'age-of-the-child', value: '9' }])),
        line(child),
        line(adult),
      ],
      ...form({ phone: '06', 'age-of-the-child': '3' }),
    });
    expect(booked.reservedTicket.map(({ additionalProperty }) => answersIn(additionalProperty))).toEqual([
      { 'age-of-the-child': '5' },
      { 'age-of-the-child': '5' },
      { 'age-of-the-child': '9' },
      { 'age-of-the-child': '3' },
      undefined,
    ]);
    // Both products ask this question, and both get the answer.
    expect(await rows('select 1 from answer where ticket_id is null')).toHaveLength(2);
    expect(phone!.name).toBe('phone');
    const again = await book(child, {
      reservedTicket: [line(child, { additionalProperty: booked.reservedTicket[2]!.additionalProperty })],
      additionalProperty: [{ name: 'customForm', value: [{ '@type': 'PropertyValue', propertyID: 'phone', name: 'Phone', value: '07' }] }],
    });
    expect(answersIn(again.reservedTicket[0]!.additionalProperty)).toEqual({ 'age-of-the-child': '9' });
  });

  it('are sent to webhooks, are not part of the first API, and are deleted with the reservation', async () => {
    const product = await newProduct([perTicket, { label: 'Phone', fieldType: 'shortText' }]);
    const { identifier } = await book(product, form({ phone: '06', 'age-of-the-child': '5' }));
    const { results } = (await get('webhook-events/')) as { results: { type: string; data: Booked }[] };
    const told = results.find(({ type }) => type === 'reservation.created')!.data;
    expect(answersIn(told.additionalProperty)).toEqual({ phone: '06' });
    expect(answersIn(told.reservedTicket[0]!.additionalProperty)).toEqual({ 'age-of-the-child': '5' });
    const legacy = await test.on(tenant).get(`/api/reservations/${identifier}`).set('Authorization', authorization);
    expect(Object.keys(legacy.body as Body).toSorted()).toEqual([
      'datetime',
      'event',
      'options',
      'paiements',
      'status',
      'tickets',
      'user_mail',
      'uuid',
    ]);
    expect(await rows('select 1 from answer')).toHaveLength(2);
    await rows('update ticket set line_id = null');
    await rows('alter table order_line disable trigger user');
    await rows('delete from order_line');
    await rows('alter table order_line enable trigger user');
    await rows('delete from reservation where id = $1', [identifier]);
    expect(await rows('select 1 from answer')).toEqual([]);
    await test.inside(tenant, () => test.app.get(AuditService).repair());
  });
});

describe('answers of a membership', () => {
  const plan = (fields: object[]): Promise<Product> => newProduct(fields, { category: 'Membership', isRelatedTo: undefined });
  const member = ({ offers }: Product, customForm?: unknown): object => ({
    member: { email: 'ada@example.org' },
    membershipPlan: offers[0]!.identifier,
    paymentMode: 'CASH',
    ...(customForm !== undefined && form(customForm)),
  });

  it('are checked, stored, shown and published, and copied to a renewal', async () => {
    const product = await plan([...everyKind, perTicket]);
    expect(await faultsOf(post('memberships/', member(product, { town: 'Nice', x: 'y' })))).toEqual([
      ['/additionalProperty/0/value/x', 'isQuestion'],
      ['/additionalProperty/0/value/telephone', 'isAnswered'],
      ['/additionalProperty/0/value/town', 'isAnswer'],
      ['/additionalProperty/0/value/house-rules', 'isAnswered'],
      ['/additionalProperty/0/value/age-of-the-child', 'isAnswered'],
    ]);
    const answers = { telephone: '06', town: 'Paris', 'house-rules': true, 'age-of-the-child': '7', diet: ['no nuts', 'vegan'] };
    const kept = { ...answers, diet: ['vegan', 'no nuts'] };
    const made1 = await made<Booked>(post('memberships/', member(product, answers)));
    expect(answersIn(made1.additionalProperty)).toEqual(kept);
    const { results } = (await get('webhook-events/')) as { results: { type: string; data: Booked }[] };
    expect(answersIn(results.find(({ type }) => type === 'membership.created')!.data.additionalProperty)).toEqual(kept);
    const renewed = await test.inside(tenant, () => test.app.get(MembershipsService).renew(made1.identifier, 'cash'));
    const shown = (await get(`memberships/${renewed!.id}/`)) as unknown as Booked;
    expect(answersIn(shown.additionalProperty)).toEqual(kept);
  });
});
