import { verify } from 'node:crypto';
import { MailSenderService } from '#notices';
import { HolderLinks, ReservationChangesService, ReservationsService } from '#tickets';
import { PlaceProfileService } from '#places';
import type { TenantIdentity } from '#tenancy';
import { longestToken, WalletAccountsService } from '#wallet';
import type supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book, newPrice } from '../support/booking.js';
import { newEvent } from '../support/builders.js';
import { giveTicket } from '../support/given-tickets.js';
import { OrderForms } from '../support/order-forms.js';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSignedBy, newApple, newAuthority, newGoogle, unzip } from '../support/wallet-keys.js';

const authority = newAuthority();
const google = newGoogle();
const paid = { confirmed: true, paymentMethod: 'cash' } as const;

let test: TestApp;
let post: SmtpSink;
let venue: TenantIdentity;
let other: TenantIdentity;
let forms: OrderForms;

beforeAll(async () => {
  post = await openSmtpSink();
  test = await startTestApp({ environment: { SMTP_URL: post.url } });
  venue = await test.newTenant({ name: 'Der Zinnreiher', language: 'en', timeZone: 'Europe/Paris' });
  other = await test.newTenant();
  forms = new OrderForms(test, venue);
  const accounts = test.app.get(WalletAccountsService);
  for (const tenant of [venue, other]) {
    await test.inside(tenant, () => accounts.saveApple(newApple(authority)));
    await test.inside(tenant, () => accounts.saveGoogle(google));
  }
  await test.inside(venue, () => test.app.get(PlaceProfileService).change({ accentColour: '#13688f' }));
});
afterAll(async () => {
  await test.close();
  await post.close();
});

const codeOf = (page: string): boolean => page.includes('<svg');
const binary = (path: string): supertest.Test => test.on(venue).get(path).responseType('blob');

/** A paid reservation of two tickets. @returns its path and those of its tickets */
async function sold(input: Parameters<typeof newEvent>[2] = {}, quantity = 2) {
  const event = await newEvent(test, venue, { startsAt: new Date('2037-05-21T18:30:00Z'), ...input });
  const made = await book(test, venue, event, { quantity, ...paid });
  const path = await test.inside(venue, async () => test.app.get(HolderLinks).pathTo({ reservationId: made.id }));
  return { ...made, event, path, ticketPaths: made.tickets.map(({ id }) => `${path}/tickets/${id}`) };
}

async function passAt(path: string) {
  const { body, headers } = await binary(`${path}/ticket.pkpass`).expect(200);
  expect(headers).toMatchObject({ 'content-type': 'application/vnd.apple.pkpass', 'cache-control': 'no-store' });
  return unzip(body as Buffer);
}

/** The payload of the token to which the link leads, after its signature was verified. */
async function savedAt(path: string) {
  const { headers } = await test.on(venue).get(`${path}/google-wallet`).expect(303);
  const address = String(headers['location']);
  expect(address.startsWith('https://pay.google.com/gp/v/save/')).toBe(true);
  const token = address.slice('https://pay.google.com/gp/v/save/'.length);
  const [head = '', body = '', signature = ''] = token.split('.');
  expect(verify('sha256', Buffer.from(`${head}.${body}`), google.publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' });
  return { token, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown> };
}

describe('a pass for Apple Wallet', () => {
  it('is signed, and has the code of the ticket, event, place, time, name and colours', async () => {
    const { ticketPaths, tickets, event, id } = await sold({
      name: 'Der Abend „Ö“',
      subtitle: 'Erster Teil',
      doorsAt: new Date('2037-05-21T17:45:00Z'),
    });
    const files = await passAt(ticketPaths[0]!);
    expectSignedBy(files, authority.certificate);
    const names = ['icon.png', 'icon@2x.png', 'icon@3x.png', 'logo.png', 'logo@2x.png', 'pass.json'];
    const strings = ['de', 'en', 'es', 'fr'].map((language) => `${language}.lproj/pass.strings`);
    expect([...files.keys()].toSorted()).toEqual([...names, ...strings, 'manifest.json', 'signature'].toSorted());
    const pass = JSON.parse(files.get('pass.json')!.toString()) as Record<string, Record<string, object[]>>;
    const { text } = await forms.get(ticketPaths[0]!.split('/tickets/')[0]!);
    expect(codeOf(text)).toBe(true);
    const reference = id.slice(0, 8).toUpperCase();
    expect(pass).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: 'pass.org.example.tickets',
      teamIdentifier: 'ABCDE12345',
      serialNumber: tickets[0]!.id,
      organizationName: 'Der Zinnreiher',
      logoText: 'Der Zinnreiher',
      relevantDate: '2037-05-21T18:30:00.000Z',
      backgroundColor: 'rgb(19, 104, 143)',
      foregroundColor: 'rgb(255, 255, 255)',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: expect.stringMatching(/^[\w-]{24}:[\w-]{86}$/), altText: reference }],
    });
    expect(pass['eventTicket']!['primaryFields']).toEqual([{ key: 'event', label: 'Erster Teil', value: event.name }]);
    expect(pass['eventTicket']!['secondaryFields']![0]).toMatchObject({
      label: 'When',
      value: '2037-05-21T20:30:00+02:00',
      ignoresTimeZone: true,
    });
    const doors = { key: 'doors', label: 'Doors open', value: '2037-05-21T19:45:00+02:00', ignoresTimeZone: true };
    expect(pass['eventTicket']!['auxiliaryFields']![0]).toMatchObject(doors);
    const german = files.get('de.lproj/pass.strings')!.toString('utf8');
    expect(german).toContain('"When" = "Wann";');
    expect(german).toContain('"Doors open" = "Einlass";');
    expect(files.get('fr.lproj/pass.strings')!.toString('utf8')).toContain('"Where" = "Où";');
  });

  it('has the same code as the holder’s page, and no other ticket', async () => {
    const { ticketPaths, tickets } = await sold();
    const codes = await test.inside(venue, async () => {
      const { ReservationsService } = await import('#tickets');
      return test.app.get(ReservationsService).codesOfTickets(tickets);
    });
    for (const [index, path] of ticketPaths.entries()) {
      const file = (await passAt(path)).get('pass.json')!.toString();
      expect(file).not.toContain('Doors open');
      const pass = JSON.parse(file) as { barcodes: { message: string }[] };
      expect(pass.barcodes[0]!.message).toBe(codes.get(tickets[index]!.id));
    }
  });
});

describe('all tickets of a reservation for Apple Wallet', () => {
  it('are one file with the pass of each ticket', async () => {
    const { path, tickets } = await sold({}, 3);
    expect((await forms.get(path)).text).toContain(`href="${path}/tickets.pkpasses"`);
    const { body, headers } = await binary(`${path}/tickets.pkpasses`).expect(200);
    expect(headers).toMatchObject({ 'content-type': 'application/vnd.apple.pkpasses', 'cache-control': 'no-store' });
    const passes = [...unzip(body as Buffer)].map(([name, file]) => ({ name, files: unzip(file) }));
    expect(passes.every(({ name }) => name.endsWith('.pkpass'))).toBe(true);
    for (const { files } of passes) expectSignedBy(files, authority.certificate);
    const serials = passes.map(({ files }) => (JSON.parse(files.get('pass.json')!.toString()) as { serialNumber: string }).serialNumber);
    expect(serials.toSorted()).toEqual(tickets.map(({ id }) => id).toSorted());
  });

  it('are not offered for one ticket, for more than Apple Wallet accepts, and at other places', async () => {
    for (const quantity of [1, 11]) {
      const { path } = await sold({}, quantity);
      expect((await forms.get(path)).text).not.toContain('tickets.pkpasses');
      await test.on(venue).get(`${path}/tickets.pkpasses`).expect(404);
      await test.on(other).get(`${path}/tickets.pkpasses`).expect(404);
    }
  });
});

describe('a link to Google Wallet', () => {
  it('is a signed token with the event and the ticket', async () => {
    const { ticketPaths, id } = await sold({ name: 'Concert', doorsAt: new Date('2037-05-21T18:00:00Z') });
    const { token, claims } = await savedAt(ticketPaths[0]!);
    expect(token.length).toBeLessThanOrEqual(longestToken);
    expect(claims).toMatchObject({ iss: 'tickets@guichet-tests-123456.iam.gserviceaccount.com', aud: 'google', typ: 'savetowallet' });
    expect(Math.abs((claims['iat'] as number) - Date.now() / 1000)).toBeLessThan(600);
    const { eventTicketClasses, eventTicketObjects } = claims['payload'] as Record<string, Record<string, unknown>[]>;
    expect(eventTicketClasses).toMatchObject([
      {
        issuerName: 'Der Zinnreiher',
        reviewStatus: 'UNDER_REVIEW',
        eventName: { defaultValue: { language: 'en', value: 'Concert' } },
        dateTime: { doorsOpen: '2037-05-21T20:00:00+02:00', start: '2037-05-21T20:30:00+02:00' },
        hexBackgroundColor: '#13688f',
      },
    ]);
    expect(eventTicketObjects).toMatchObject([
      {
        classId: eventTicketClasses![0]!['id'],
        state: 'ACTIVE',
        barcode: { type: 'QR_CODE', value: expect.stringMatching(/^[\w-]{24}:[\w-]{86}$/) },
        ticketNumber: id.slice(0, 8).toUpperCase(),
      },
    ]);
    for (const { id: name } of [...eventTicketClasses!, ...eventTicketObjects!]) expect(name).toMatch(/^3388000000012345678\.[\w.-]+$/);
    // The second ticket of the same event has the same class.
    const second = (await savedAt(ticketPaths[1]!)).claims['payload'] as typeof claims;
    expect(second['eventTicketClasses']).toEqual(eventTicketClasses);
    expect((second['eventTicketObjects'] as typeof eventTicketObjects)![0]!['id']).not.toBe(eventTicketObjects![0]!['id']);
  });

  it.each(['漢字の長い名前', '"\\\\"', '👩‍👩‍👧‍👦', 'Long name '])('is short enough with texts of %s', async (text) => {
    const { ticketPaths } = await sold({ name: text.repeat(20).slice(0, 199) }, 1);
    // Names of people have no backslash.
    const name = text.replaceAll('\\', '"').repeat(9).slice(0, 90);
    const names = Object.entries({ first_name: name, last_name: name });
    expect((await forms.post(`${ticketPaths[0]}/rename`, names)).status).toBe(303);
    const { token, claims } = await savedAt(ticketPaths[0]!);
    expect(token.length).toBeLessThanOrEqual(longestToken);
    expect(JSON.stringify(claims).isWellFormed()).toBe(true);
  });
});

describe('passes', () => {
  const files = ['ticket.pkpass', 'google-wallet'];

  it('open only with the link of their ticket, at their own place', async () => {
    const [one, two] = [await sold(), await sold()];
    for (const file of files) {
      for (const path of [`${one.path}/tickets/${two.tickets[0]!.id}`, `${one.path.slice(0, -2)}xx/tickets/${one.tickets[0]!.id}`])
        await test.on(venue).get(`${path}/${file}`).expect(404);
      await test.on(other).get(`${one.ticketPaths[0]}/${file}`).expect(404);
    }
  });

  it('end with a transfer: the new holder gets another code, the old links none', async () => {
    const { path, ticketPaths, tickets } = await sold();
    const before = (await passAt(ticketPaths[0]!)).get('pass.json')!.toString();
    const old = (await savedAt(ticketPaths[0]!)).claims;
    const give = (seen: Parameters<typeof giveTicket>[1], email: string): Promise<boolean> =>
      test.inside(venue, () => giveTicket(test.app, seen, { email, firstName: 'Bob', lastName: 'Roy' }));
    const [ticket] = (await test.inside(venue, () => test.app.get(ReservationsService).findOfTicket(tickets[0]!.id)))!.tickets;
    expect(await give(ticket!, 'bob@example.org')).toBe(true);
    for (const file of files) {
      const { headers } = await test.on(venue).get(`${ticketPaths[0]}/${file}`).expect(303);
      expect(headers['location']).toBe(`${path}#ticket-1`);
    }
    const links = await test.inside(venue, async () =>
      [1, 0].map((version) => test.app.get(HolderLinks).pathTo({ ticketId: tickets[0]!.id }, version)),
    );
    const own = links[0]!;
    const page = await forms.get(own);
    expect(page.text).toContain(`href="${own}/ticket.pkpass"`);
    const pass = JSON.parse((await passAt(own)).get('pass.json')!.toString()) as { barcodes: { message: string }[] };
    expect(before).not.toContain(pass.barcodes[0]!.message);
    expect(JSON.stringify((await savedAt(own)).claims['payload'])).not.toBe(JSON.stringify(old['payload']));
    expect(await give({ ...ticket!, codeVersion: 1, holderEmail: 'bob@example.org' }, 'eve@example.org')).toBe(true);
    for (const file of files) await test.on(venue).get(`${own}/${file}`).expect(410);
  });

  it('end with a cancellation', async () => {
    const { id, ticketPaths, path } = await sold();
    await test.inside(venue, () => test.app.get(ReservationChangesService).cancel(id, { reason: 'staff' }));
    for (const file of files) await test.on(venue).get(`${ticketPaths[0]}/${file}`).expect(404);
    expect((await forms.get(path)).text).not.toContain('pkpass');
  });

  it('are offered on the page and in the mail for each ticket, in the language of the reader', async () => {
    const { id, path, ticketPaths, email } = await sold();
    const { text } = await forms.get(path);
    for (const ticket of ticketPaths) for (const file of files) expect(text).toContain(`href="${ticket}/${file}"`);
    const french = await test.on(venue).get(path).set('Accept-Language', 'fr').expect(200);
    expect(french.text).toContain('Ajouter à Apple Wallet');
    const sql = `select id from "${venue.schemaName}".mail where reservation_id = $1`;
    const [mail] = await test.database.query<{ id: string }>(sql, [id]);
    await test.inside(venue, () => test.app.get(MailSenderService).send(mail!.id, { isLast: true }));
    const sent = post.mails.findLast(({ to }) => to.includes(email))!.parsed;
    for (const ticket of ticketPaths)
      for (const file of files) for (const part of [sent.text, sent.html]) expect(part).toContain(`${ticket}/${file}`);
  });

  it('are not offered, and not found, at a venue that makes none', async () => {
    const plain = await test.newTenant();
    const event = await newEvent(test, plain, {});
    await newPrice(test, plain, event.id, { amount: '1' });
    const { id, tickets, email } = await book(test, plain, event, { quantity: 1, ...paid });
    const path = await test.inside(plain, async () => test.app.get(HolderLinks).pathTo({ reservationId: id }));
    expect((await test.on(plain).get(path).expect(200)).text).not.toMatch(/pkpass|google-wallet|class="wallets"/);
    for (const file of files) await test.on(plain).get(`${path}/tickets/${tickets[0]!.id}/${file}`).expect(404);
    const sql = `select id from "${plain.schemaName}".mail where reservation_id = $1`;
    const [mail] = await test.database.query<{ id: string }>(sql, [id]);
    await test.inside(plain, () => test.app.get(MailSenderService).send(mail!.id, { isLast: true }));
    expect(post.mails.findLast(({ to }) => to.includes(email))!.parsed.text).not.toContain('Wallet');
  });
});
