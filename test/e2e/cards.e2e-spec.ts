import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MembershipsService } from '#memberships';
import { CardImportsService, CardsService, type Card, type NewCard } from '#cards';
import { PricesService, ProductsService } from '#catalogue';
import { TenantDb, UsersService, type TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { newDevice } from '../support/builders.js';
import { factsOf, faults, importCards, newTag, rowsOf } from '../support/card-files.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

interface Place {
  readonly tenant: TenantIdentity;
  readonly device: string;
  readonly key: string;
  readonly priceId: string;
}

let test: TestApp;
let root: PanelClient;
let here: Place;
let abroad: Place;

beforeAll(async () => {
  test = await startTestApp();
  const { email, password } = await test.app.get(UsersService).create({ email: 'super@example.org', isSuperUser: true });
  root = new PanelClient(test, 'localhost');
  expect((await root.signIn(email, password)).status).toBe(303);
  [here, abroad] = [await newPlace(), await newPlace()];
});
afterAll(() => test.close());

async function newPlace(): Promise<Place> {
  const tenant = await test.newTenant();
  const priceId = await test.inside(tenant, async () => {
    const { id } = await test.app.get(ProductsService).create({ name: 'Friends', category: 'A' });
    return (await test.app.get(PricesService).create({ productId: id, name: 'Year', amount: '0', subscriptionType: 'Y' })).id;
  });
  const { authorization: device } = await newDevice(test, tenant);
  return { tenant, device, key: await newKey(test, tenant, 'card:read'), priceId };
}

const newCard = (card: Partial<NewCard> = {}): Promise<Card> => test.app.get(CardsService).create({ tag: newTag(), ...card });
const enrol = ({ tenant, priceId }: Place, email: string) =>
  test.inside(tenant, async () => {
    const memberships = test.app.get(MembershipsService);
    const made = await memberships.create({ priceId, email, firstName: 'Ada', lastName: 'Martin' });
    return { ...made, code: await memberships.codeOf(made) };
  });
const door = ({ tenant, device }: Place, path: string, code: string, more: object = {}): supertest.Test =>
  test
    .on(tenant)
    .post(`/scan/${path}/`)
    .set('Authorization', device)
    .send({ qrcode_data: code, ...more });
const api = ({ tenant, key }: Place, tag: string): supertest.Test =>
  test
    .on(tenant)
    .get(`/api/v2/cards/${encodeURIComponent(tag)}/`)
    .set('Authorization', key);

describe('an NFC card at the door', () => {
  it('answers like the valid membership card of its owner, in every spelling of its tag', async () => {
    const { code, id } = await enrol(here, 'ada@example.org');
    const { tag } = await newCard({ ownerEmail: 'Ada+nfc@Example.org' });
    const colons = tag.toLowerCase().match(/../g)!.join(':');
    for (const path of ['check_ticket', 'ticket', 'fulfil']) {
      const { body: expected } = await door(here, path, code).expect(200);
      expect(expected).toMatchObject({ membership: { uuid: id } });
      for (const spelling of [tag, colons, `${tag}\r\n`]) expect((await door(here, path, spelling).expect(200)).body).toEqual(expected);
    }
    const french = await door(here, 'check_ticket', tag).set('Accept-Language', 'fr');
    expect(french.body).toMatchObject({ may_enter: false, detail: 'Carte d’adhésion valable' });
  });

  it('shows the currently valid membership when the owner has several', async () => {
    const { id } = await enrol(here, 'several@example.org');
    const { id: next } = await enrol(here, 'several@example.org');
    const { tag } = await newCard({ ownerEmail: 'several@example.org' });
    const shown = async (): Promise<unknown> => (await door(here, 'check_ticket', tag)).body;
    expect(await shown()).toMatchObject({ membership: { uuid: id, is_valid: true } });
    await sql(`update membership set valid_until = now() where id = $1`, [id]);
    expect(await shown()).toMatchObject({ reason: 'not_yet_valid', membership: { uuid: next, is_valid: false } });
  });

  it('answers a repeated attempt byte for byte, even when the card was blocked in the meantime, and logs it once', async () => {
    const { id } = await enrol(here, 'repeat@example.org');
    const card = await newCard({ ownerEmail: 'repeat@example.org' });
    const scan_id = crypto.randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => door(here, 'check_ticket', card.tag, { scan_id })));
    await test.app.get(CardsService).setState(card.id, 'blocked');
    answers.push(await door(here, 'check_ticket', card.tag, { scan_id }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await sql('select outcome from scan_log where membership_id = $1', [id])).toEqual([{ outcome: 'accepted' }]);
  });

  it('is an unknown code when it is unknown, blocked, lost, without an owner, or its owner has no membership here', async () => {
    await enrol(here, 'here@example.org');
    const blocked = await newCard({ ownerEmail: 'here@example.org' });
    const lost = await newCard({ ownerEmail: 'here@example.org' });
    await test.app.get(CardsService).setState(blocked.id, 'blocked');
    await test.app.get(CardsService).setState(lost.id, 'lost');
    const own = await newCard({ ownerEmail: 'here@example.org' });
    const nobodys = await newCard();
    const cases: [Place, string][] = [
      [here, newTag()],
      [here, newTag(4)],
      [here, newTag(10)],
      [here, blocked.tag],
      [here, lost.tag],
      [here, nobodys.tag],
      [abroad, own.tag],
    ];
    for (const [place, tag] of cases) {
      for (const path of ['check_ticket', 'ticket', 'fulfil', 'undo']) {
        const { body } = await door(place, path, tag, path === 'undo' ? { reason: 'mistake' } : {}).expect(404);
        expect(body).toMatchObject({ success: false, code: 'ticket.unknown' });
      }
    }
    expect((await door(here, 'check_ticket', '04A22F').expect(400)).body).toMatchObject({ code: 'qrcode.malformed' });
  });
});

const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  test.inside(here.tenant, () => test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));

describe('GET /api/v2/cards/<tag>', () => {
  it('shows the card of a member with the valid membership, and requires the scope', async () => {
    const { id } = await enrol(here, 'member@example.org');
    const { tag } = await newCard({ ownerEmail: 'member@example.org', number: '4F2A 0017' });
    const { body, headers } = await api(here, tag.toLowerCase()).expect(200);
    expect(body).toMatchObject({
      '@type': 'IndividualProduct',
      identifier: tag,
      serialNumber: '4F2A 0017',
      owner: { '@type': 'Person', email: 'member@example.org', memberOf: { identifier: id, programName: 'Friends' } },
      additionalProperty: [
        { '@type': 'PropertyValue', name: 'status', value: 'active' },
        { '@type': 'PropertyValue', name: 'hasMembership', value: true },
      ],
    });
    await api(here, tag).set('If-None-Match', headers['etag']!).expect(304);
    const other = await newKey(test, here.tenant, 'membership:read');
    expect((await api(here, tag).set('Authorization', other).expect(403)).body).toMatchObject({ code: 'key.scope' });
  });

  it('answers 404 for a card whose owner is no member or buyer here, with the same bytes as for a card that does not exist', async () => {
    await enrol(here, 'private@example.org');
    const { tag } = await newCard({ ownerEmail: 'private@example.org' });
    await api(here, tag).expect(200);
    const plain = ({ status, text }: supertest.Response, sent: string) => [
      status,
      text.replace(/"instance":"[^"]*"/, '').replaceAll(sent, '<tag>'),
    ];
    const never = newTag();
    const unknown = plain(await api(abroad, never).expect(404), never);
    expect(plain(await api(abroad, tag), tag)).toEqual(unknown);
    expect(plain(await api(abroad, 'not-a-tag'), 'not-a-tag')).toEqual(unknown);
    // A pending membership does not make its owner known.
    await test.inside(abroad.tenant, () =>
      test.app.get(TenantDb).transaction(async (tx) => {
        await tx.query(
          `insert into membership (product_id, price_id, email, email_key, status, signing_key_id)
           select product_id, id, 'private@example.org', 'private@example.org', 'cancelled', 1 from price where id = $1`,
          [abroad.priceId],
        );
      }),
    );
    expect(plain(await api(abroad, tag), tag)).toEqual(unknown);
  });

  it('shows a card that the place issued, without the address of an owner that it does not know', async () => {
    const { tag } = await newCard({ ownerEmail: 'stranger@example.org', originTenantId: here.tenant.id });
    const { body } = await api(here, tag).expect(200);
    expect(body).not.toHaveProperty('owner');
    expect(JSON.stringify(body)).not.toContain('stranger');
    expect(body).toMatchObject({ additionalProperty: [{ value: 'active' }, { name: 'hasMembership', value: false }] });
  });
});

describe('the cards of the Root panel', () => {
  it('are created, searched, changed and blocked; errors are shown beside their fields', async () => {
    const tag = newTag();
    const made = await root.create('cards', {
      tag: tag.toLowerCase(),
      number: 'RQ7Z',
      ownerEmail: 'Root.Card@example.org',
      originTenantId: here.tenant.id,
    });
    const id = made.record!.id;
    expect((await root.look('cards', id)).record!.params).toMatchObject({ tag, number: 'RQ7Z', state: 'active' });
    for (const search of [tag.slice(0, 9), tag.match(/../g)!.join(':'), 'RQ7Z', 'root.card', id])
      expect((await root.list('cards', { 'filters.search': search })).records!.map((one) => one.id)).toEqual([id]);
    expect(faults(await root.create('cards', { tag, ownerEmail: 'other@example.org' }))).toEqual({
      tag: expect.stringContaining('already'),
    });
    expect(faults(await root.create('cards', { tag: newTag(), number: 'RQ7Z' }))).toEqual({
      number: expect.stringContaining('Another card'),
    });
    expect(Object.keys(faults(await root.create('cards', { tag: '04', number: '=1', ownerEmail: 'nobody' })))).toEqual([
      'tag',
      'number',
      'ownerEmail',
    ]);
    await root.act('cards', id, 'edit', { number: '' });
    expect((await root.look('cards', id)).record!.params).toMatchObject({ ownerEmail: 'Root.Card@example.org' });
    expect((await root.look('cards', id)).record!.params['number'] ?? null).toBeNull();
    expect((await root.act('cards', id, 'block')).record!.params).toMatchObject({ state: 'blocked' });
    expect((await root.act('cards', id, 'activate')).record!.params).toMatchObject({ state: 'active' });
    await root.act('cards', id, 'delete');
    expect(await test.app.get(CardsService).find(tag)).toBeNull();
  });

  const importFile = (text: string | Buffer, mode?: string): Promise<PanelAnswer> => importCards(root, text, mode);
  const count = async (): Promise<number> =>
    (await test.database.query<{ count: number }>('select count(*)::int as count from shared.card'))[0]!.count;

  it('are imported only on request, and the same file a second time changes nothing', async () => {
    const lines = Array.from({ length: 1500 }, (_, index) => `${newTag()},I-${index},owner${index}@example.org,${here.tenant.slug},`);
    const file = `\ufeffTag,Number,Owner,Origin,State\r\n${lines.join('\r\n')}\r\n${lines[0]}\r\n`;
    const before = await count();
    expect(factsOf(await importFile(file, 'check'))).toContain('New cards: 1500');
    expect(await count()).toBe(before);
    expect(factsOf(await importFile(file))).toEqual([
      'Lines read: 1501',
      'New cards: 1500',
      'Cards completed: 0',
      'Nothing new: 1',
      'Errors: 0',
    ]);
    expect(factsOf(await importFile(file))).toContain('Nothing new: 1501');
    expect(await count()).toBe(before + 1500);
  });

  it('are imported once when several users import the same file at the same time', async () => {
    // Verified to fail without the table lock: the second import violates the unique index on tags. Upload limits apply per process only.
    const file = `tag;number\n${Array.from({ length: 1000 }, (_, index) => `${newTag()};T-${index}`).join('\n')}`;
    const before = await count();
    const imports = test.app.get(CardImportsService);
    const reports = await Promise.all([1, 2, 3].map(() => imports.run(Readable.from([Buffer.from(file)]), 'whole')));
    expect(reports.map(({ added, unchanged }) => `${added} ${unchanged}`).toSorted()).toEqual(['0 1000', '0 1000', '1000 0']);
    expect(await count()).toBe(before + 1000);
  });

  it('are not imported with errors, which are listed by line; valid lines are imported on request', async () => {
    const stored = await newCard({ number: 'S-1', ownerEmail: 'one@example.org' });
    const tag = newTag();
    const file = [
      'tag,number,owner,origin,state',
      `${tag},S-2,,,`,
      'nonsense,=3,nobody,nowhere,broken',
      `${stored.tag},S-1,two@example.org,,`,
      `${newTag()},S-1,,,`,
      `${tag},S-9,,,`,
      `${newTag()},S-2,,,`,
      `${stored.tag},,ONE@example.org,${here.tenant.slug},Active`,
      `"${newTag()}","'=1+1",,,`,
    ].join('\n');
    const refused = await importFile(file);
    expect(rowsOf(refused).map(([line]) => line)).toEqual(['3', '4', '5', '6', '7', '8', '9']);
    expect(rowsOf(refused)[0]![1]).toMatch(/UID.*number.*e-mail.*tenant.*status/s);
    expect(await test.app.get(CardsService).find(tag)).toBeNull();
    const rest = await importFile(file, 'rest');
    expect(factsOf(rest)).toContain('New cards: 1');
    expect(await test.app.get(CardsService).find(tag)).toMatchObject({ number: 'S-2', state: 'active' });
  });

  it('fill in missing fields, and files that are too large or empty are refused', async () => {
    const { tag } = await newCard();
    const answer = await importFile(`tag,owner\n${tag},late@example.org`);
    expect(factsOf(answer)).toContain('Cards completed: 1');
    expect(await test.app.get(CardsService).find(tag)).toMatchObject({ ownerEmail: 'late@example.org', ownerKey: 'late@example.org' });
    for (const bad of [
      'name\nx',
      '\n',
      `tag\n"${newTag()}\n`,
      `tag\n${'x'.repeat(5000)}`,
      `tag\n${'04A22F1B\n'.repeat(50_001)}`,
      Buffer.alloc(6 * 1024 * 1024, 'a,'),
    ])
      expect(Object.keys(faults(await importFile(bad)))).toEqual(['file']);
    expect(faults(await root.send('cards', 'import', { mode: 'whole', file: '/etc/passwd' }))).toEqual({
      file: 'noFile',
    });
  });

  it('are exported as a file that can be imported again, without spreadsheet formulas', async () => {
    await newCard({ number: 'X-1', ownerEmail: '=cmd@example.org', originTenantId: here.tenant.id });
    for (const language of ['en', 'fr']) {
      const { body } = await root.file('/exports/cards.csv', language).expect(200);
      expect(body.toString()).toContain("'=cmd@example.org");
      const facts = factsOf(await importFile(body as Buffer));
      expect([facts[1], facts[2], facts[4]]).toEqual(['New cards: 0', 'Cards completed: 0', 'Errors: 0']);
    }
  });
});
