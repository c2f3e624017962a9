import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import readXlsxFile from 'read-excel-file/node';
import { SigningKeysService } from '#tickets';
import { PricesService, ProductsService } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { itInLongRuns } from '../support/long-run.js';
import { book, expectNoDrift } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { PanelClient } from '../support/panel-client.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let staff: PanelClient;
let event: { id: string; priceId: string };

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant({ name: 'Venue', timeZone: 'Europe/Paris' });
  staff = await staffOf(test, venue);
  event = await newEvent(test, venue, { name: 'Été', startsAt: new Date('2041-07-01T18:30:00Z') });
  const buyers = [
    { firstName: 'Zoé', lastName: 'Éluard', email: 'zoe@example.org' },
    { firstName: '=cmd|"calc"!A1', lastName: '', email: 'two@example.org' },
    { firstName: '＝1+1', lastName: 'comma, "quote"; and\nline', email: 'three@example.org' },
  ];
  for (const buyer of buyers) await book(test, venue, event, { ...buyer, quantity: 2, confirmed: true });
  await book(test, venue, event, { email: 'waits@example.org' });
});
afterEach(() => expectNoDrift(test, venue));
afterAll(() => test.close());

const download = (path: string, language = 'en', client = staff): supertest.Test =>
  client
    .call('get', `/exports/${path}`)
    .set('Accept-Language', language)
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    });
const csv = async (path: string, language = 'en'): Promise<string> =>
  (await download(path, language).expect(200)).body.toString('utf8') as string;
const sheet = async (path: string, language = 'en'): Promise<unknown[][]> => {
  const [first] = await readXlsxFile((await download(path, language).expect(200)).body as Buffer);
  return first!.data;
};
const named = (rows: unknown[][]): Record<string, unknown>[] => {
  const [head = [], ...lines] = rows;
  return lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])));
};

describe('an exported list', () => {
  it('is CSV that Excel opens with accents and without formulas', async () => {
    const answer = await download('reservations.csv').expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename=reservations-\d{4}-\d{2}-\d{2}\.csv$/),
      'cache-control': 'no-store',
    });
    const text = (answer.body as Buffer).toString('utf8');
    expect(text.startsWith('\ufeffName,E-mail,Status,Event,Starts,Tickets,Total (€),Paid (€),Sold through,')).toBe(true);
    expect(text).toContain('Zoé Éluard,zoe@example.org,Confirmed,Été,2041-07-01 20:30,2,25.00,25.00,API,');
    expect(text).toContain(`"'=cmd|""calc""!A1"`);
    expect(text).toContain(`"'＝1+1 comma, ""quote""; and\nline"`);
    expect(text.split('\r\n')).toHaveLength(6);
  });

  it('is French for French readers: words, decimal commas, semicolons', async () => {
    const text = await csv('reservations.csv?filters.email=zoe', 'fr');
    const [head, line] = text.split('\r\n');
    expect(head).toMatch(/^\ufeffNom;E-mail;État;Événement;Début;Billets;Total \(€\);/);
    expect(line).toContain('Zoé Éluard;zoe@example.org;Confirmée;Été;2041-07-01 20:30;2;25,00;25,00;');
  });

  it('is a workbook with real numbers and dates', async () => {
    const rows = named(await sheet('reservations.xlsx'));
    expect(rows).toHaveLength(4);
    expect(rows.find((row) => row['E-mail'] === 'zoe@example.org')).toMatchObject({
      Name: 'Zoé Éluard',
      Starts: new Date('2041-07-01T20:30:00Z'),
      Tickets: 2,
      'Total (€)': 25,
      Confirmed: expect.any(Date),
      Cancelled: null,
    });
    // The type of the cell says that it is a text.
    expect(rows.map((row) => row['Name'])).toContain('=cmd|"calc"!A1');
    expect(named(await sheet('tickets.xlsx', 'fr'))[0]).toMatchObject({ 'Montant (€)': 12.5, Événement: 'Été' });
  });

  it('uses the filter and order of the list', async () => {
    const emails = async (query: string): Promise<unknown[]> =>
      named(await sheet(`reservations.xlsx?${query}`)).map((row) => row['E-mail']);
    expect(await emails('filters.status=R')).toEqual(['waits@example.org']);
    expect(await emails('filters.status=nonsense')).toEqual([]);
    expect(await emails('filters.status=V&sortBy=email&direction=desc')).toEqual([
      'zoe@example.org',
      'two@example.org',
      'three@example.org',
    ]);
    expect(await emails('filters.status=V&sortBy=email&direction=asc')).toEqual([
      'three@example.org',
      'two@example.org',
      'zoe@example.org',
    ]);
    expect(await emails('filters.createdAt~~to=2020-01-01')).toEqual([]);
    expect(await emails(`filters.createdAt~~from=2020-01-01&filters.eventId=${event.id}&sortBy=nonsense`)).toHaveLength(4);
    expect(named(await sheet('tickets.xlsx?filters.holder=zoé'))).toHaveLength(2);
    expect(await sheet('memberships.xlsx')).toHaveLength(1);
  });

  it('exists for products and prices, with names instead of identifiers', async () => {
    const place = await test.newTenant({ timeZone: 'Europe/Paris' });
    const client = await staffOf(test, place);
    const card = await test.inside(place, async () => {
      const [products, prices] = [test.app.get(ProductsService), test.app.get(PricesService)];
      const { id } = await products.create({ name: 'Zélés', category: 'A', sendToCashless: true });
      const price = await prices.create({ productId: id, name: '=Annual', amount: '1009.5', vat: '5.5', subscriptionType: 'Y' });
      const ticket = { name: 'Ticket', category: 'B', published: false, shortDescription: 'One; evening' } as const;
      await products.create({
        ...ticket,
        prices: [{ name: 'Members', amount: '0', stock: 0, maxPerUser: 2, requiredMembershipId: id, published: false }],
      });
      return price;
    });
    const text = async (path: string, language?: string): Promise<string> =>
      (await download(path, language, client).expect(200)).body.toString('utf8') as string;
    const lines = async (path: string, language?: string): Promise<string[]> => (await text(path, language)).split('\r\n');
    const [, year, ...others] = await lines('prices.csv');
    const annual = "'=Annual,Zélés,1009.50,No,5.5,,,Yearly,,,,No,,No,Yes";
    expect(year).toMatch(new RegExp(`^${annual},,,\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2},${card.id}$`));
    expect(others).toEqual([expect.stringMatching(/^Members,Ticket,0\.00,No,NA,0,2,,Zélés,,,No,,No,No,,/), '']);
    const [head, only, ...none] = await lines('prices.csv?filters.published=false', 'fr');
    expect(head).toBe(
      '\ufeffNom;Produit;Montant (€);Prix libre;TVA;Stock;Par personne, au plus;Périodicité;Adhésion requise;En vente à partir du;' +
        'En vente jusqu’au;Abonnement\u00a0: pour plusieurs dates d’une série;Nombre de dates;Seulement avec un code;Publié;' +
        'Note à l’entrée;Description courte;Créé;Identifiant',
    );
    expect(only).toMatch(/^Members;Ticket;0,00;Non;NA;0;2;;Zélés;;;Non;;Non;Non;;/);
    expect(none).toEqual(['']);
    const french = await lines('products.csv?sortBy=name&direction=desc', 'fr');
    expect(french[1]).toMatch(/^Zélés;.+;1;Oui;Oui;Non;;/);
    expect(french[2]).toMatch(/^Ticket;Billet.*;1;Non;Non;Non;"One; evening";/);
    const rows = await readXlsxFile((await download('prices.xlsx', 'en', client).expect(200)).body as Buffer);
    expect(named(rows[0]!.data)[0]).toMatchObject({ 'Amount (€)': 1009.5, Published: 'Yes', Created: expect.any(Date) });
    expect((await text('products.xlsx')).length).toBeGreaterThan(1000);
  });

  it('is only for the staff of the place', async () => {
    const other = await test.newTenant();
    const client = await staffOf(test, other);
    const rows = (await download('reservations.csv', 'en', client).expect(200)).body.toString('utf8') as string;
    expect(rows.split('\r\n')).toHaveLength(2);
    const stranger = new PanelClient(test, venue);
    await stranger.call('get', '/exports/reservations.csv').expect(302);
    stranger.cookie = client.cookie;
    await stranger.call('get', '/exports/reservations.csv').expect(302);
    const association = await staffOf(test, await test.newTenant({ category: 'M' }));
    await association.call('get', '/exports/reservations.csv').expect(404);
    for (const path of ['keys.csv', 'reservations.pdf', 'constructor.csv', 'reservations'])
      await staff.call('get', `/exports/${path}`).expect(404);
  });

  itInLongRuns(
    'contains up to twenty thousand rows, and refuses more than its limit',
    async () => {
      const large = await test.newTenant();
      const client = await staffOf(test, large);
      const many = await newEvent(test, large);
      const fill = (count: number): Promise<unknown> =>
        test.inside(large, () =>
          test.app.get(TenantDb).transaction(async (tx) => {
            const key = await test.app.get(SigningKeysService).currentId(tx);
            await tx.query(
              `with made as (insert into reservation (event_id, email, status) select $1, 'many@example.org', 'V'
             from generate_series(1, $2::int) returning id)
             insert into ticket (reservation_id, event_id, price_id, amount, status, signing_key_id) select id, $1, $3, 12.50, 'K', $4
             from made`,
              [many.id, count, many.priceId, key],
            );
          }),
        );
      await fill(20_000);
      const [first] = await readXlsxFile((await download('tickets.xlsx', 'en', client).expect(200)).body as Buffer);
      expect(first!.data).toHaveLength(20_001);
      await fill(30_001);
      const refused = await download('tickets.csv', 'fr', client).expect(413);
      expect((refused.body as Buffer).toString('utf8')).toContain('50000 lignes');
    },
    120_000,
  );
});
