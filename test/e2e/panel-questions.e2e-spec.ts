import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ReservationsService } from '#tickets';
import { EventsService, PricesService, ProductsService, type ProductCategory } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { oneEvent, saleErrors, soldPart } from '../support/box-office.js';
import { expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let eventId: string;

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue' });
  staff = await staffOf(test, venue);
  eventId = (await newEvent(test, venue)).id;
});
afterEach(() => expectNoDrift(test, venue));
afterAll(() => test.close());

const row = (label: string, more: object = {}): object => ({
  label,
  kind: 'text',
  scope: 'reservation',
  help: '',
  required: false,
  choices: '',
  ...more,
});
const everyKind = [
  row('Phone', { required: true, help: 'For changes.' }),
  row('Remarks', { kind: 'long_text' }),
  row('Town', { kind: 'choice', choices: 'Paris\n\n Lyon ' }),
  row('Diet', { kind: 'multiple_choice', choices: 'vegan\nhalal' }),
  row('Rules', { kind: 'yes_no', required: true, choices: 'left over' }),
  row('Age', { scope: 'ticket', required: true }),
];

/** A product with these questions that is sold for the event. */
async function asking(questions: object[], category: ProductCategory = 'B'): Promise<{ id: string; priceId: string }> {
  const made = await test.inside(venue, async () => {
    const { id } = await test.app.get(ProductsService).create({ name: `Product ${randomUUID()}`, category });
    const price = await test.app.get(PricesService).create({ productId: id, name: 'Full', amount: '10.00' });
    if (category !== 'A') await test.app.get(TenantDb).transaction((tx) => test.app.get(EventsService).linkProducts(tx, eventId, [id]));
    return { id, priceId: price.id };
  });
  const answer = await staff.act('products', made.id, 'questions', { questions });
  expect([answer.notice, answer.record?.errors]).toEqual([expect.objectContaining({ message: 'questionsSaved' }), {}]);
  return made;
}

interface Shown extends Record<string, unknown> {
  id: string;
  label: string;
}
const questionsOf = async (id: string): Promise<Shown[]> => (await staff.look('products', id, 'questions')).view!['questions'] as Shown[];
const idsOf = async (id: string): Promise<Record<string, string>> =>
  Object.fromEntries((await questionsOf(id)).map((question) => [question.label, question.id]));
const messages = (errors: PanelAnswer['errors']): string[] => Object.keys(errors ?? {}).toSorted();

const sell = (more: object): Promise<PanelAnswer> =>
  staff.send(
    'reservations',
    'sell',
    oneEvent({ eventId, email: `${randomUUID()}@example.org`, firstName: 'Ada', paymentMethod: 'cash', ...more }),
  );
const soldId = (answer: PanelAnswer): string => soldPart(answer).id;

/** The answers that a detail page shows. */
async function shownAnswers(resource: string, id: string): Promise<unknown> {
  const { record } = await staff.look(resource, id);
  const items = Object.entries(record!.params).filter(([name]) => name.startsWith('answers'));
  const texts: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of items) {
    const [, index, member] = /^answers\.items\.(\d+)\.(\w+)$/.exec(name) ?? [];
    if (index !== undefined) (texts[index] ??= {})[member as string] = value;
  }
  return Object.values(texts).map(({ label, text, ticket }) => [label, text, ticket]);
}

const csv = async (path: string): Promise<string[]> => {
  const call: supertest.Test = staff.call('get', `/exports/${path}`).set('Accept-Language', 'en');
  return (await call.expect(200)).text.split('\r\n');
};

describe('questions in the panel', () => {
  it('are defined on one page of the product and shown in its record', async () => {
    const { id } = await asking(everyKind);
    expect(await questionsOf(id)).toMatchObject([
      { label: 'Phone', kind: 'text', required: true, help: 'For changes.', scope: 'reservation' },
      { label: 'Remarks', kind: 'long_text' },
      { label: 'Town', kind: 'choice', choices: 'Paris\nLyon' },
      { label: 'Diet', kind: 'multiple_choice', choices: 'vegan\nhalal' },
      { label: 'Rules', kind: 'yes_no', choices: '' },
      { label: 'Age', scope: 'ticket' },
    ]);
    const { record } = await staff.look('products', id);
    expect(record!.params).toMatchObject({
      'questions.items.0.title': 'Phone',
      'questions.items.0.details': 'Short text · required',
      'questions.items.5.details': 'Short text · required · for each ticket',
      'questions.add.href': `/admin/resources/products/records/${id}/questions`,
    });
    const [phone, remarks] = await questionsOf(id);
    const answer = await staff.act('products', id, 'questions', {
      questions: [remarks, { ...phone, label: 'Mobile' }],
    });
    expect(answer.record!.errors).toEqual({});
    expect((await questionsOf(id)).map((question) => [question.id, question.label])).toEqual([
      [remarks!.id, 'Remarks'],
      [phone!.id, 'Mobile'],
    ]);
  });

  it('are refused beside the invalid field, all at once, and nothing is saved', async () => {
    const { id } = await asking([row('Phone')]);
    const wrong = [row(' '), row('Town', { kind: 'choice' }), row('x', { kind: 'number', scope: 'event' }), 'text'];
    const { record } = await staff.act('products', id, 'questions', { questions: wrong });
    expect(messages(record!.errors)).toEqual([
      'questions/0/label',
      'questions/1/choices',
      'questions/2/kind',
      'questions/2/scope',
      'questions/3/kind',
      'questions/3/label',
    ]);
    const many = Array.from({ length: 40 }, (_, index) => row(`Question ${index}`));
    expect(messages((await staff.act('products', id, 'questions', { questions: many })).record!.errors)).toEqual(['questions/']);
    expect((await questionsOf(id)).map(({ label }) => label)).toEqual(['Phone']);
    const gone = await staff.act('products', randomUUID(), 'questions', { questions: [] });
    expect(gone.record).toMatchObject({ baseError: { type: 'NotFoundError' } });
  });
});

describe('answers in the panel', () => {
  it('are asked at the box office, may stay empty there, and must be valid', async () => {
    const { id, priceId } = await asking(everyKind);
    const ids = await idsOf(id);
    const page = await staff.page('reservations', 'sell', { event: eventId });
    const { questions } = page.view!['sale'] as { questions: { productId: string; scope: string; field: object }[] };
    expect(questions.filter(({ productId }) => productId === id)).toMatchObject([
      {
        scope: 'reservation',
        field: {
          name: `answer_${ids['Phone']}`,
          kind: 'text',
          label: 'Phone',
          help: 'For changes. Required in online bookings.',
          longest: 300,
        },
      },
      { field: { kind: 'textarea', longest: 2000 } },
      { field: { kind: 'select', options: [{ value: 'Paris' }, { value: 'Lyon' }] } },
      { field: { kind: 'checks', options: [{ value: 'vegan' }, { value: 'halal' }] } },
      { field: { kind: 'choice', options: [{ value: '' }, { value: 'true', label: 'Yes' }, { value: 'false' }] } },
      { scope: 'ticket', field: { label: 'Age' } },
    ]);
    const wrong = await sell({
      [`answer_${ids['Town']}`]: 'Nice',
      tickets: [
        { priceId, quantity: 1 },
        { priceId, quantity: 1, [`answer_${ids['Age']}`]: 'x'.repeat(301) },
      ],
    });
    expect(Object.keys(saleErrors(wrong)).toSorted()).toEqual([`answer_${ids['Town']}`, `tickets.1.answer_${ids['Age']}`]);
    const open = soldId(await sell({ tickets: [{ priceId, quantity: 2 }] }));
    expect(await shownAnswers('reservations', open)).toEqual([]);
    const sold = soldId(
      await sell({
        [`answer_${ids['Phone']}`]: '06',
        [`answer_${ids['Town']}`]: 'Lyon',
        [`answer_${ids['Diet']}`]: ['halal', 'vegan'],
        [`answer_${ids['Rules']}`]: 'true',
        tickets: [
          { priceId, quantity: 1, [`answer_${ids['Age']}`]: '7' },
          { priceId, quantity: 1, [`answer_${ids['Age']}`]: '9' },
        ],
      }),
    );
    expect(await shownAnswers('reservations', sold)).toEqual([
      ['Phone', '06', null],
      ['Town', 'Lyon', null],
      ['Diet', 'vegan, halal', null],
      ['Rules', 'Yes', null],
      ['Age', '7', 1],
      ['Age', '9', 2],
    ]);
    const { tickets } = (await test.inside(venue, () => test.app.get(ReservationsService).find(sold)))!;
    expect(await shownAnswers('tickets', tickets[1]!.id)).toEqual([
      ['Phone', '06', null],
      ['Town', 'Lyon', null],
      ['Diet', 'vegan, halal', null],
      ['Rules', 'Yes', null],
      ['Age', '9', null],
    ]);
  });

  it('are completed and corrected later', async () => {
    const { id, priceId } = await asking(everyKind);
    const ids = await idsOf(id);
    const sold = soldId(await sell({ [`answer_${ids['Phone']}`]: '06', tickets: [{ priceId, quantity: 2 }] }));
    const { view } = await staff.look('reservations', sold, 'answers');
    const fields = view!['fields'] as { name: string; label: string; value: unknown }[];
    expect(fields.map(({ label, value }) => [label, value])).toEqual([
      ['Phone', '06'],
      ['Remarks', ''],
      ['Town', ''],
      ['Diet', []],
      ['Rules', ''],
      ['Age – ticket 1, Ada', ''],
      ['Age – ticket 2, Ada', ''],
    ]);
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    const first = fields[5]!.name;
    const wrong = await staff.act('reservations', sold, 'answers', { ...values, [`answer_${ids['Town']}`]: 'Nice', [first]: 'a\nb' });
    expect(messages(wrong.record!.errors)).toEqual([`answer_${ids['Town']}`, first].toSorted());
    const right = { ...values, [`answer_${ids['Phone']}`]: '', [`answer_${ids['Rules']}`]: 'false', [first]: '5' };
    expect((await staff.act('reservations', sold, 'answers', right)).notice).toMatchObject({ message: 'answersSaved' });
    expect(await shownAnswers('reservations', sold)).toEqual([
      ['Rules', 'No', null],
      ['Age', '5', 1],
    ]);
  });

  it('are asked of new members, only for the chosen price', async () => {
    const { id, priceId } = await asking([row('Birthday', { required: true })], 'A');
    const other = await asking([row('Shoe size')], 'A');
    const { view } = await staff.page('memberships', 'enrol');
    const fields = view!['fields'] as { name: string; label: string; when?: object }[];
    expect(fields.filter(({ when }) => when).map(({ label, when }) => [label, when])).toEqual(
      expect.arrayContaining([
        ['Birthday', { field: 'priceId', values: [priceId] }],
        ['Shoe size', { field: 'priceId', values: [other.priceId] }],
      ]),
    );
    const key = `answer_${(await idsOf(id))['Birthday']}`;
    const enrol = (more: object) =>
      staff.send('memberships', 'enrol', { priceId, email: `${randomUUID()}@example.org`, paymentMethod: 'cash', ...more });
    expect(messages((await enrol({ [key]: 'x'.repeat(301) })).errors)).toEqual([key]);
    const made = await enrol({ [key]: '1 May' });
    const membership = /records\/([^/]+)\//.exec(made.redirectUrl ?? '')![1]!;
    expect(await shownAnswers('memberships', membership)).toEqual([['Birthday', '1 May', null]]);
    await staff.act('memberships', membership, 'answers', { [key]: '2 May' });
    expect(await shownAnswers('memberships', membership)).toEqual([['Birthday', '2 May', null]]);
    const [head, ...lines] = await csv('memberships.csv');
    expect(head).toMatch(/,Birthday$/);
    expect(lines.find((line) => line.includes(membership))).toMatch(/,2 May$/);
  });

  it('are columns of exported reservations and tickets', async () => {
    const venueEvent = `filters.eventId=${eventId}`;
    const one = await asking([row('=Phone', { required: true }), row('Size', { scope: 'ticket' })]);
    const two = await asking([row('=Phone')]);
    const [ids, others] = [await idsOf(one.id), await idsOf(two.id)];
    const sold = soldId(
      await sell({
        [`answer_${ids['=Phone']}`]: '=06',
        [`answer_${others['=Phone']}`]: '07',
        tickets: [
          { priceId: one.priceId, quantity: 1, [`answer_${ids['Size']}`]: 'S' },
          { priceId: one.priceId, quantity: 1, [`answer_${ids['Size']}`]: 'L' },
          { priceId: two.priceId, quantity: 1 },
        ],
      }),
    );
    const reservations = (await csv(`reservations.csv?${venueEvent}`)).join('\r\n');
    expect(reservations.split('\r\n')[0]!.match(/,'=Phone \(Product [^)]+\)/g)).toHaveLength(2);
    expect(reservations).toContain(`${sold},`);
    expect(reservations).toContain(`'=06`);
    expect(reservations).toContain(`"S\nL"`);
    const [head, ...tickets] = await csv(`tickets.csv?${venueEvent}`);
    const column = head!.split(',').indexOf('Size');
    const sizes = tickets.filter((line) => line.includes(sold)).map((line) => line.split(',').at(column));
    expect(sizes.toSorted()).toEqual(['', 'L', 'S']);
  });
});
