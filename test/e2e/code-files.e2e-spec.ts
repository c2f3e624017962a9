import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CodeImportsService, CodesService, type CodeLine, type CountedCode, type NewCode } from '#tickets';
import type { TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import { newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { factsOf, rowsOf } from '../support/card-files.js';
import { newPlan } from '../support/membership-plans.js';
import type { PanelAnswer, PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { printedCodes } from '../support/pdf-codes.js';
import { readPdf } from '../support/read-pdf.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let tenant: TenantIdentity;
let staff: PanelClient;

beforeAll(async () => {
  test = await startTestApp();
});
beforeEach(async () => {
  tenant = await test.newTenant({ language: 'en', name: 'The Hall', timeZone: 'Europe/Paris' });
  staff = await staffOf(test, tenant);
});
afterAll(() => test.close());

const codes = (): CodesService => test.app.get(CodesService);
const all = async (): Promise<CountedCode[]> =>
  (await test.inside(tenant, () => codes().list())).codes.toSorted((one, other) => (one.code < other.code ? -1 : 1));
const send = async (lines: readonly string[] | string, mode = 'import'): Promise<PanelAnswer> =>
  (
    await staff
      .call('post', '/api/resources/codes/actions/import')
      .set('Accept-Language', 'en')
      .field('mode', mode)
      .attach('file', Buffer.from(typeof lines === 'string' ? lines : lines.join('\n')), 'codes.csv')
  ).body as PanelAnswer;
const counts = (answer: PanelAnswer): number[] => factsOf(answer).map((fact) => Number(/\d+/.exec(fact)?.[0]));

describe('a file of codes', () => {
  const file = [
    'code;effect;value;valid_from;valid_until;max_uses;budget;tag;disabled;events',
    'spring-20;percent;20;2027-05-01;31/05/2027;100;;spring;;',
    'less-5;;5,50 €;;2027-06-01 18:30;;200;spring;yes;',
    'half;;50 %;;;;;;;Evening',
    'opens;Only opens;;;;;;;no;',
  ];

  it('makes its codes, and the same file twice makes nothing twice', async () => {
    const event = await newEvent(test, tenant, { name: 'Evening' });
    expect(counts(await send(file, 'check'))).toEqual([4, 4, 0, 0]);
    expect(await all()).toEqual([]);
    expect(counts(await send(file))).toEqual([4, 4, 0, 0]);
    const made = await all();
    expect(made).toMatchObject([
      { code: 'HALF', effect: 'percent', value: '50.00', eventIds: [event.id] },
      { code: 'LESS-5', effect: 'amount', value: '5.50', budget: '200.00', validUntil: new Date('2027-06-01T16:30:00Z'), disabled: true },
      { code: 'OPENS', effect: 'none', value: null, disabled: false },
      {
        code: 'SPRING-20',
        effect: 'percent',
        value: '20.00',
        maxUses: 100,
        tag: 'spring',
        disabled: false,
        validFrom: new Date('2027-04-30T22:00:00Z'),
        validUntil: new Date('2027-05-31T22:00:00Z'),
      },
    ]);
    expect(counts(await send(file))).toEqual([4, 0, 4, 0]);
    expect(await all()).toEqual(made);
  });

  it('names every wrong line with its number and reason, and makes none of its codes', async () => {
    const event = await newEvent(test, tenant, { name: 'Small', capacity: 3 });
    await newEvent(test, tenant, { name: 'Twin' });
    await newEvent(test, tenant, { name: 'Twin' });
    await test.inside(tenant, () => codes().create({ code: 'KNOWN', effect: 'percent', value: '10' }));
    const answer = await send([
      'code,effect,value,valid_until,max_uses,reserved,disabled,events',
      'GOOD-1,percent,10,,,,,',
      'x,percent,10,,,,,',
      'BAD-2,half,10,,,,,',
      'BAD-3,percent,110,,,,,',
      'BAD-4,percent,10,31 May,,,,',
      'BAD-5,percent,10,,many,,,',
      'BAD-6,percent,10,,,,maybe,',
      'BAD-7,percent,10,,,,,Nowhere',
      'BAD-8,percent,10,,,,,Twin',
      'KNOWN,percent,20,,,,,',
      'GOOD-1,percent,30,,,,,',
      `BAD-9,percent,10,,,4,,${event.id}`,
      `GOOD-2,percent,10,,,3,,${event.id}`,
    ]);
    expect(rowsOf(answer)).toEqual([
      ['3', 'Code: Enter 4 to 40 letters and digits; dots, hyphens and underscores may stand between them.'],
      ['4', 'What it does: Write none, price, amount or percent.'],
      ['5', 'Euros or percent: Enter a percentage above 0, at most 100.'],
      ['6', 'Valid until: Write a day such as 2027-05-21, or with a time: 2027-05-21 18:00.'],
      ['7', 'Tickets at most: Enter a whole number from 1 to 1,000,000, or leave it empty.'],
      ['8', 'Switched off: Write yes or no.'],
      ['9', 'Event: “Nowhere” is not known.'],
      ['10', 'Event: Several are called “Twin”: write the identifier.'],
      ['11', 'There is such a code already, with other values. An import changes none.'],
      ['12', 'Code: Line 2 has this code with other values.'],
      ['13', 'Places kept for it: So many places are not free at the event. Choose fewer.'],
    ]);
    expect((await all()).map(({ code }) => code)).toEqual(['KNOWN']);
    expect((await send('\n')).errors).toMatchObject({ file: { message: 'The file is empty.' } });
    expect((await send('name\nx')).errors?.['file']?.message).toContain('The first line must name the columns');
    expect((await send('code\n"open')).errors?.['file']?.message).toContain('Line');
    expect((await send(`code\n${'x'.repeat(3 * 1024 * 1024)}`)).errors).toHaveProperty('file');
  });

  it('has lines as long as a code may have lists, and a limited number of names and of codes that keep places', async () => {
    const ids = (count: number): string => Array.from({ length: count }, () => randomUUID()).join(', ');
    const long = await send(['code;events;products;prices', `LONG-1;"${ids(50)}";"${ids(50)}";"${ids(50)}"`, `LONG-2;"${ids(51)}";;`]);
    expect(rowsOf(long)).toHaveLength(151);
    expect(rowsOf(long).at(-1)).toEqual(['3', 'Event: Name at most 50.']);
    const names = await send(['code;events', ...Array.from({ length: 51 }, (_, index) => `MANY-${index};"${ids(40)}"`)]);
    expect(names.errors?.['file']?.message).toContain('at most 2000 different');
    const keeping = await send(['code;reserved;events', ...Array.from({ length: 201 }, (_, index) => `KEPT-${index};1;Evening`)]);
    expect(keeping.errors?.['file']?.message).toContain('at most 200 codes that keep places');
  });

  it('is the exported list of another place, in any language', async () => {
    const event = await newEvent(test, tenant, { name: 'Evening' });
    const make = (input: NewCode) => test.inside(tenant, () => codes().create(input));
    await make({ code: 'FULL-1', effect: 'price', value: '3.5', eventIds: [event.id], reserved: 2, maxPerPerson: 2, tag: '=1+1' });
    await make({ code: 'FULL-2', effect: 'none', validFrom: new Date('2027-05-01T10:17:33Z'), disabled: true });
    await make({ code: 'FULL-3', effect: 'percent', value: '12.25', budget: '1000', maxUses: 7, priceIds: [event.priceId] });
    const before = await all();
    for (const language of ['en', 'fr', 'de', 'es']) {
      const { text } = await staff.call('get', '/exports/codes.csv?filters.code=FULL').set('Accept-Language', language).expect(200);
      expect(counts(await send(text))).toEqual([3, 0, 3, 0]);
      await test.inside(tenant, () =>
        Promise.all(before.map(({ id }, index) => codes().update(id, { code: `OLD-${language}-${index}`, reserved: 0 }))),
      );
      expect(counts(await send(text))).toEqual([3, 3, 0, 0]);
      const again = (await all()).filter(({ code }) => code.startsWith('FULL'));
      const minutes = (code: CountedCode): object => ({
        ...code,
        id: '',
        version: 0,
        createdAt: 0,
        updatedAt: 0,
        validFrom: code.validFrom?.toISOString().slice(0, 16),
      });
      expect(again.map(minutes)).toEqual(before.map(minutes));
      await test.inside(tenant, () =>
        Promise.all(again.map(({ id }, index) => codes().update(id, { code: `GONE-${language}-${index}`, reserved: 0 }))),
      );
      await test.inside(tenant, () => Promise.all(before.map(({ id, code, reserved }) => codes().update(id, { code, reserved }))));
    }
  });

  it('makes each code once when it is sent several times at once', async () => {
    const lines = Array.from({ length: 40 }, (_, index): CodeLine => ({
      line: index + 2,
      code: { code: `ONCE-${randomUUID().slice(0, 8)}`, effect: 'percent', value: '10' },
      named: {},
    }));
    const run = (some: readonly CodeLine[]) => test.inside(tenant, () => test.app.get(CodeImportsService).run(some, [], false));
    const reports = await Promise.all([run(lines), run(lines.toReversed()), run(lines), run(lines.toReversed())]);
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(40);
    expect(reports.every(({ isImported }) => isImported)).toBe(true);
    expect(await all()).toHaveLength(40);
  });
});

describe('cards of codes', () => {
  it('show venue, value, validity, code and the link that applies it, eight on a page, without codes that are over', async () => {
    const event = await newEvent(test, tenant, { name: 'Évening' });
    const priceId = await newPrice(test, tenant, event.id, { amount: '20.00' });
    const make = (input: Partial<NewCode>) =>
      test.inside(tenant, () =>
        codes().create({ code: `P-${randomUUID().slice(0, 6)}`, effect: 'percent', value: '12.5', tag: 'press', ...input }),
      );
    await make({ code: 'PRESS-ONE', priceIds: [priceId], validUntil: new Date('2047-05-31T22:00:00Z'), maxUses: 1 });
    for (let count = 0; count < 8; count += 1) await make({});
    await make({ code: 'OVER-ONE', validUntil: new Date(Date.now() - 1000) });
    await make({ code: 'OFF-ONE', disabled: true });
    await make({ code: 'OTHER-TAG', tag: 'other' });
    const pdf = (await staff.file('/files/codes.pdf?filters.tag=press').expect(200)).body as Buffer;
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(2);
    const text = pages
      .flat()
      .map((part) => part.text)
      .join('\n');
    for (const part of ['The Hall', '12.5% off', 'Évening', 'PRESS-ONE', 'For one ticket', 'Valid until Friday'])
      expect(text).toContain(part);
    for (const part of ['OVER-ONE', 'OFF-ONE', 'OTHER-TAG', '00:00']) expect(text).not.toContain(part);
    const links = printedCodes(pdf)
      .flat()
      .map((printed) => printed.text);
    expect(links.filter((link) => new RegExp(`/event/${event.slug}\\?code=PRESS-ONE$`).test(link))).toHaveLength(1);
    await staff.call('get', '/files/codes.pdf?filters.tag=none').expect(404);
  });

  it('lead to the membership that a code is for, or to all of them', async () => {
    const [one, other] = [await newPlan(test, tenant, '40.00'), await newPlan(test, tenant, '20.00')];
    const event = await newEvent(test, tenant);
    const make = (code: string, input: Partial<NewCode>) =>
      test.inside(tenant, () =>
        codes().create({ code, effect: 'amount', value: '5', tag: 'club', appliesTo: 'memberships', maxUses: 1, ...input }),
      );
    await make('CLUB-ONE', { productIds: [one.productId] });
    await make('CLUB-PRICE', { priceIds: [other.priceId], effect: 'price' });
    await make('CLUB-ALL', {});
    await make('CLUB-EVENT', { appliesTo: 'both', eventIds: [event.id] });
    const pdf = (await staff.file('/files/codes.pdf?filters.tag=club').expect(200)).body as Buffer;
    const links = printedCodes(pdf)
      .flat()
      .map((printed) => new URL(printed.text));
    expect(links.map(({ pathname, search }) => `${pathname}${search}`).toSorted()).toEqual([
      `/event/${event.slug}?code=CLUB-EVENT`,
      ...[`/memberships/${one.priceId}?code=CLUB-ONE`, `/memberships/${other.priceId}?code=CLUB-PRICE`].toSorted(),
      '/memberships?code=CLUB-ALL',
    ]);
    // Long lines are wrapped.
    const text = (await readPdf(pdf)).pages
      .flat()
      .map((part) => part.text)
      .join('')
      .replaceAll(/\s/g, '');
    for (const part of ['€5offeachmembership', 'Amembershipfor€5', 'Foronemembership']) expect(text).toContain(part);
  });
});
