import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditService, MembershipsService } from '#booking';
import { QuestionsService, type NewQuestion } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { expanded } from '../support/json-ld.js';
import { emptyTenant } from '../support/empty-tenant.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

type Body = Record<string, unknown>;
type Property = { name: string; value: unknown };
interface Field extends Body {
  identifier: string;
  name: string;
}
interface Product extends Body {
  identifier: string;
  offers: { identifier: string }[];
  formFields?: Field[];
}
interface Booked extends Body {
  identifier: string;
  reservedTicket: { identifier: string; additionalProperty?: Property[] }[];
  additionalProperty: Property[];
}

let test: TestApp;
let tenant: TenantIdentity;
let authorization: string;
let eventId: string;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await emptyTenant(test, tenant);
  authorization = await newKey(
    test,
    tenant,
    'product:read',
    'product:write',
    'event:write',
    'reservation:read',
    'reservation:write',
    'membership:read',
    'membership:write',
    'webhook:read',
  );
  eventId = (await newEvent(test, tenant, { capacity: 500 })).id;
});
afterEach(() => expectNoDrift(test, tenant));
afterAll(() => test.close());

const post = (path: string, body: object): supertest.Test =>
  test.on(tenant).post(`/api/v2/${path}`).set('Authorization', authorization).send(body);
const get = async (path: string): Promise<Body> =>
  (await test.on(tenant).get(`/api/v2/${path}`).set('Authorization', authorization).expect(200)).body as Body;

async function made<Answer>(answer: supertest.Test): Promise<Answer> {
  const { status, body } = await answer;
  expect([status, status === 201 ? undefined : body]).toEqual([201, undefined]);
  return body as Answer;
}

async function faultsOf(work: supertest.Test): Promise<[string, string][]> {
  const { body } = await work;
  expect(body).toMatchObject({ status: 400, code: 'body.invalid' });
  const { errors } = body as { errors: { pointer: string; code: string }[] };
  return errors.map(({ pointer, code }): [string, string] => [pointer, code]);
}

const everyKind = [
  { label: 'Téléphone', fieldType: 'shortText', required: true, helpText: 'For changes of the evening.' },
  { label: 'Bio', fieldType: 'longText' },
  { label: 'Town', fieldType: 'singleSelect', options: ['Paris', 'Lyon'], required: true },
  { label: 'Diet', fieldType: 'multiSelect', options: ['vegan', 'halal', 'no nuts'] },
  { label: 'House rules', fieldType: 'boolean', required: true },
];
const perTicket = { label: 'Age of the child', fieldType: 'shortText', required: true, askedPer: 'ticket' };

const newProduct = (formFields: unknown, more: object = {}): Promise<Product> =>
  made<Product>(
    post('products/', {
      name: `Product ${randomUUID()}`,
      category: 'Ticket',
      offers: [{ name: 'Full price', price: '10.00' }],
      isRelatedTo: eventId,
      formFields,
      ...more,
    }),
  );

const wanted = ({ offers }: Product, more: object = {}, line: object = {}): object => ({
  reservationFor: { identifier: eventId },
  underName: { email: `${randomUUID()}@example.org` },
  reservedTicket: [{ identifier: offers[0]!.identifier, ...line }],
  ...more,
});
const form = (value: unknown): object => ({ additionalProperty: [{ name: 'customForm', value }] });
const book = (product: Product, more: object = {}, line: object = {}): Promise<Booked> =>
  made<Booked>(post('reservations/', wanted(product, more, line)));
const define = (productId: string, questions: NewQuestion[]): Promise<boolean> =>
  test.inside(tenant, () => test.app.get(QuestionsService).define(productId, questions));
const rows = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  test.inside(tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(sql, values)));

/** Answers by question, as in a response body. */
const answersIn = (properties: readonly Property[] | undefined): unknown => {
  const shown = properties?.find(({ name }) => name === 'customForm')?.value as { propertyID: string; value: unknown }[] | undefined;
  return shown && Object.fromEntries(shown.map(({ propertyID, value }) => [propertyID, value]));
};

describe('questions of a product', () => {
  it('are defined with the product and answered in their order, as a member or in additionalProperty', async () => {
    const shown = await newProduct([{ ...everyKind[0], order: 9 }, ...everyKind.slice(1), perTicket]);
    expect(shown.formFields!.map(({ name, fieldType, required, order, askedPer }) => [order, name, fieldType, required, askedPer])).toEqual(
      [
        [1, 'bio', 'longText', false, 'reservation'],
        [2, 'town', 'singleSelect', true, 'reservation'],
        [3, 'diet', 'multiSelect', false, 'reservation'],
        [4, 'house-rules', 'boolean', true, 'reservation'],
        [5, 'age-of-the-child', 'shortText', true, 'ticket'],
        [6, 'telephone', 'shortText', true, 'reservation'],
      ],
    );
    expect(shown.formFields![1]).toMatchObject({ label: 'Town', options: ['Paris', 'Lyon'] });
    expect(shown.formFields![5]).toMatchObject({ label: 'Téléphone', helpText: 'For changes of the evening.' });
    expect(shown.formFields![5]).not.toHaveProperty('options');
    expect((await get(`products/${shown.identifier}/`))['formFields']).toEqual(shown.formFields);
    await expanded(shown, tenant);

    const property = {
      '@type': 'PropertyValue',
      name: 'formFields',
      value: [{ label: 'Way', fieldType: 'radioSelect', options: ['a', 'b'] }],
    };
    const other = await newProduct(undefined, { additionalProperty: [property] });
    expect(other.formFields).toMatchObject([{ name: 'way', fieldType: 'singleSelect', options: ['a', 'b'] }]);
    expect(await newProduct([])).not.toHaveProperty('formFields');
  });

  it('are refused with all faults at once', async () => {
    const wrong = [
      { fieldType: 'shortText' },
      { label: 'x'.repeat(201), fieldType: 'number', required: 'yes', order: 'first', askedPer: 'event' },
      { label: 'Town', fieldType: 'singleSelect' },
      { label: 'Town', fieldType: 'multiSelect', options: ['a', ' a '] },
      { label: 'Town', fieldType: 'boolean', options: ['a'], helpText: 'x'.repeat(501), name: 'Not A Name' },
      { label: 'Town', fieldType: 'singleSelect', options: ['x'.repeat(101)] },
    ];
    const members = [
      '/0/label',
      '/1/label',
      '/1/fieldType',
      '/1/required',
      '/1/order',
      '/1/askedPer',
      '/2/options',
      '/3/options',
      '/4/options',
      '/4/helpText',
      '/4/name',
      '/5/options',
    ].toSorted();
    const pointers = async (body: object): Promise<string[]> =>
      (await faultsOf(post('products/', { name: 'P', category: 'Ticket', ...body }))).map(([pointer]) => pointer).toSorted();
    expect(await pointers({ formFields: wrong })).toEqual(members.map((member) => `/formFields${member}`));
    const additionalProperty = [{ name: 'other' }, { name: 'formFields', value: wrong }];
    expect(await pointers({ additionalProperty })).toEqual([
      '/additionalProperty/0/name',
      ...members.map((member) => `/additionalProperty/1/value${member}`),
    ]);
    expect(await pointers({ formFields: 'none' })).toEqual(['/formFields']);
    expect(await pointers({ formFields: [null] })).toEqual(['/formFields']);
    expect(await pointers({ formFields: Array.from({ length: 31 }, () => everyKind[1]) })).toEqual(['/formFields']);
    const unknown = { label: 'A', fieldType: 'shortText', identifier: randomUUID() };
    expect(await pointers({ formFields: [everyKind[1], unknown] })).toEqual(['/formFields/1/identifier']);
    const twice = { label: 'A', fieldType: 'shortText', name: 'a' };
    expect(await pointers({ formFields: [twice, { ...twice, order: 1 }] })).toEqual(['/formFields/1/name']);
    expect(await rows('select 1 from question')).toEqual([]);
  });

  it('keep their name when they change, and are archived when they have answers', async () => {
    const product = await newProduct([
      { label: 'Phone', fieldType: 'shortText' },
      { label: 'Diet', fieldType: 'shortText' },
    ]);
    const [phone, diet] = product.formFields!;
    const booked = await book(product, form({ phone: '06', diet: 'vegan' }));
    const shown = async (): Promise<Field[]> => (await get(`products/${product.identifier}/`))['formFields'] as Field[];
    // Other labels and another order keep the same questions.
    await define(product.identifier, [
      { id: diet!.identifier, label: 'What do you not eat?', kind: 'text' },
      { name: 'phone', label: 'Mobile', kind: 'text', required: true },
      { label: 'New', kind: 'yes_no' },
    ]);
    expect((await shown()).map(({ identifier, name, label }) => [identifier, name, label])).toEqual([
      [diet!.identifier, 'diet', 'What do you not eat?'],
      [phone!.identifier, 'phone', 'Mobile'],
      [expect.any(String), 'new', 'New'],
    ]);
    // Another kind of answer archives the answered question; a new one takes its place and name.
    await define(product.identifier, [{ id: phone!.identifier, label: 'Mobile', kind: 'choice', choices: ['1'] }]);
    const [choice, ...more] = await shown();
    expect(more).toEqual([]);
    expect(choice).toMatchObject({ name: 'phone', fieldType: 'singleSelect' });
    expect(choice!.identifier).not.toBe(phone!.identifier);
    // Unanswered questions are deleted; answered ones are kept with their labels at that time.
    const left = await rows<{ id: string; archived: boolean }>(
      'select id, archived_at is not null as archived from question order by archived, id',
    );
    expect(left).toEqual([
      { id: choice!.identifier, archived: false },
      ...[phone!.identifier, diet!.identifier].toSorted().map((id) => ({ id, archived: true })),
    ]);
    const { additionalProperty } = (await get(`reservations/${booked.identifier}/`)) as unknown as Booked;
    expect(additionalProperty.find(({ name }) => name === 'customForm')!.value).toEqual(
      expect.arrayContaining([
        { '@type': 'PropertyValue', propertyID: 'phone', name: 'Phone', value: '06' },
        { '@type': 'PropertyValue', propertyID: 'diet', name: 'Diet', value: 'vegan' },
      ]),
    );
    expect(await define(randomUUID(), [])).toBe(false);
  });

  it('that are removed during a booking: the booking is refused, or the answer is stored', async () => {
    const product = await newProduct([{ label: 'Phone', fieldType: 'shortText' }]);
    const statuses: number[] = [];
    // Fails with 500 without the key share lock that a booking takes on the questions.
    for (let round = 0; round < 6; round += 1) {
      const bookings = Array.from({ length: 8 }, () => post('reservations/', wanted(product, form({ phone: '06' }))));
      const changes = Array.from({ length: 16 }, (_, index) =>
        define(product.identifier, index % 2 ? [{ label: 'Phone', kind: 'text' }] : []),
      );
      statuses.push(...(await Promise.all(bookings)).map(({ status }) => status));
      await Promise.all(changes);
    }
    expect(statuses.filter((status) => status !== 201 && status !== 400)).toEqual([]);
    expect(await rows('select 1 from answer')).toHaveLength(statuses.filter((status) => status === 201).length);
  });
});

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
