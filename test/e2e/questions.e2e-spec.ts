import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuestionsService, type NewQuestion } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { expectNoDrift } from '../support/booking.js';
import { expanded } from '../support/json-ld.js';
import { everyKind, faultsOf, form, newCaller, perTicket, questionsApi, type Booked, type Field } from '../support/questions-api.js';
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
const define = (productId: string, questions: NewQuestion[]): Promise<boolean> =>
  test.inside(tenant, () => test.app.get(QuestionsService).define(productId, questions));

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
