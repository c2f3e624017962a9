import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantIdentity } from '#tenancy';
import { newDevice } from '../support/builders.js';
import { blockedBy, type Delayed } from '../support/event-loop.js';
import { staffOf } from '../support/panel-staff.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { newKey } from '../support/webhooks.js';

/** Maximum time that a body of 1 MB may block the event loop. */
const milliseconds = 50;
const megabyte = 999_000;

let test: TestApp;
let venue: TenantIdentity;
const headers: Record<'key' | 'device' | 'staff', Record<string, string>> = { key: {}, device: {}, staff: {} };
/** Milliseconds that a harmless body of the same length blocks the event loop on this machine. */
let harmless = 0;
const figures: string[] = [];

beforeAll(async () => {
  test = await startTestApp();
  venue = await test.newTenant();
  const nouns = ['event', 'product', 'reservation', 'membership', 'webhook'] as const;
  const scopes = nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`] as const);
  headers.key = { Host: venue.host, Authorization: await newKey(test, venue, ...scopes) };
  headers.device = { Host: venue.host, Authorization: (await newDevice(test, venue)).authorization };
  headers.staff = { Host: venue.host, Cookie: (await staffOf(test, venue)).cookie, 'Sec-Fetch-Site': 'same-origin' };
  // Warms up the JIT.
  for (const type of [json, form]) await send('/api/products/', type(`{"name":"Warm"}`));
  await measureHarmless();
}, 60_000);
afterAll(async () => {
  console.log([`harmless: ${harmless.toFixed(1)} ms`, ...figures].join('\n'));
  await test.close();
});

async function measureHarmless(): Promise<void> {
  const body = json(`{"name":"${'x'.repeat(megabyte)}"}`);
  for (const path of ['/api/v2/events/', '/api/products/']) harmless = Math.max(harmless, (await send(path, body)).delay);
}

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

const json = (text: string): Body => ({ type: 'application/json', bytes: Buffer.from(text) });
const form = (text: string): Body => ({ type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) });
const multipart = (fields: readonly (readonly [header: string, text: string])[]): Body => {
  const parts = fields.map(([header, text]) => `--x\r\nContent-Disposition: ${header}\r\n\r\n${text}\r\n`);
  return { type: 'multipart/form-data; boundary=x', bytes: Buffer.from(`${parts.join('')}--x--\r\n`) };
};

function send(path: string, { type, bytes }: Body): Promise<Delayed> {
  const as = path.startsWith('/admin') ? 'staff' : path.startsWith('/scan') ? 'device' : 'key';
  return blockedBy({ port: test.port, path, headers: { ...headers[as], 'Content-Type': type }, body: bytes }, milliseconds / 2, 10);
}

/** A text of about `length` characters. */
const fill = (unit: string, length = megabyte): string => unit.repeat(Math.floor(length / unit.length));
const list = (member: string, length = megabyte): string => `[${fill(`${member},`, length)}${member}]`;
const object = (count: number, name: (index: number) => string): string =>
  `{${Array.from({ length: count }, (_, index) => `"${name(index)}":0`).join(',')}}`;
const member = (name: string, value: string): string => `{"${name}":${value}}`;
const text = (value: string): string => JSON.stringify(value);

/** Values that are expensive to process when their length is not checked first. */
const values: Readonly<Record<string, string>> = {
  numbers: list('0'),
  'empty objects': list('{}'),
  'objects that could be meant': list('{"name":"a","value":1}'),
  'lists in lists': fill('[', megabyte / 2) + fill(']', megabyte / 2),
  'objects in objects': `${fill('{"a":', (megabyte * 5) / 6)}1${fill('}', megabyte / 6)}`,
  'one object with many members': object(80_000, (index) => index.toString(36)),
  'one object with 6,000 members': object(5900, (index) => index.toString(36)),
  'one object with numbers as names': object(5900, (index) => String(index * 50_000)),
  'many objects with many members': list(
    object(199, (index) => index.toString(36)),
    45_000,
  ),
  'as many objects as are allowed': list('{}', 1990 * 3),
  'opened elements': text(fill('<b>')),
  'white space': text(`x${fill(' ', megabyte - 2)}x`),
};

/** Texts within the limits of a description that are slow to clean. */
const descriptions: Readonly<Record<string, string>> = {
  'opened elements': fill('<b>', 99_000),
  'elements closed in comments': fill('<b><!--</b>-->', 99_000),
  'list items': fill('<li>', 99_000),
  'signs that open nothing': fill('<', 99_000),
  links: fill('<a href="http://x">x</a>', 99_000),
  'as many elements as are allowed': `${fill('<p>x', 16_000)}${fill('x', 80_000)}`,
};

const cases: (readonly [what: string, path: string, body: Body])[] = [
  ...Object.entries(values).flatMap(([what, value]) => [
    [what, '/api/v2/events/', json(value)] as const,
    [`additionalProperty: ${what}`, '/api/v2/events/', json(member('additionalProperty', value))] as const,
    [`offers: ${what}`, '/api/v2/products/', json(member('offers', value))] as const,
    [`reservedTicket: ${what}`, '/api/v2/reservations/', json(member('reservedTicket', value))] as const,
    [`name: ${what}`, '/api/products/', json(member('name', value))] as const,
    [`qrcode_data: ${what}`, '/scan/ticket/', json(member('qrcode_data', value))] as const,
    [`scopes: ${what}`, '/admin/api/resources/keys/actions/new', json(member('scopes', value))] as const,
    [what, '/admin/api/resources/events/actions/new', json(value)] as const,
    [`text: ${what}`, '/admin/api/search', json(member('text', value))] as const,
  ]),
  ...Object.entries(descriptions).flatMap(([what, value]) => {
    const both = [
      ['name', what],
      ['categorie_article', 'B'],
      ['long_description', value],
      ['terms_and_conditions_document', value],
    ];
    const event = { name: what, startDate: '2027-05-21T20:30:00+02:00', description: value };
    const fields = { name: `${what} 2`, category: 'CON', startsAt: '2027-05-21T20:30', capacity: 5, longDescription: value };
    return [
      [`description: ${what}`, '/api/v2/events/', json(JSON.stringify(event))] as const,
      [`two texts: ${what}`, '/api/products/', form(new URLSearchParams(both).toString())] as const,
      [`two texts in parts: ${what}`, '/api/products/', multipart(both.map(([name, one]) => [`form-data; name="${name}"`, one!]))] as const,
      [`longDescription: ${what}`, '/admin/api/resources/events/actions/new', json(JSON.stringify(fields))] as const,
    ];
  }),
  ['many fields', '/api/products/', form(fill('a=1&'))],
  ['one field many times', '/api/products/', form(fill('name=1&'))],
  ['escaped letters', '/api/products/', form(`name=${fill('%C3%A9', 99_000)}&short_description=${fill('%C3%A9', 600_000)}`)],
  [
    'headers of parts',
    '/api/products/',
    multipart(Array.from({ length: 40 }, () => [`form-data; a${fill(';name="', 15_000)}`, '1'] as const)),
  ],
  [
    'many parts',
    '/api/products/',
    multipart(Array.from({ length: 12_000 }, (_, index) => [`form-data; name="a${index % 40}"`, '1'] as const)),
  ],
  [
    'many parts',
    '/admin/api/resources/products/actions/new',
    multipart(Array.from({ length: 12_000 }, (_, index) => [`form-data; name="a.${index % 40}"`, '1'] as const)),
  ],
  [
    '2,000 parts',
    '/admin/api/resources/products/actions/new',
    multipart(Array.from({ length: 1990 }, (_, index) => [`form-data; name="a.${index}.b"`, '1'] as const)),
  ],
  ['letters that take apart', '/admin/api/search', json(member('text', text('ﷺ'.repeat(200))))],
];

describe('a body blocks the event loop for at most 50 ms, or 5 times as long as a harmless one', () => {
  // Verified to fail without the check before parsing, without the limit of members, and without the limit of tags.
  it.each(cases)('%s, sent to %s', async (what, path, body) => {
    const { status, delay } = await send(path, body);
    figures.push(`${delay.toFixed(1).padStart(8)} ms  ${status}  ${path}  ${what} (${body.bytes.length} bytes)`);
    expect(status).toBeLessThan(500);
    // Other programs may make the machine slower than it was at the start.
    if (delay >= milliseconds) await measureHarmless();
    expect(delay).toBeLessThan(Math.max(milliseconds, 5 * harmless));
  });
});

it('a body with too many values, objects or members is refused, whatever they contain', async () => {
  for (const value of [list('0', 20_000), list('{}', 9000), object(201, String)]) {
    const sent = test
      .on(venue)
      .post('/api/v2/events/')
      .set('Authorization', headers.key['Authorization'] as string);
    const { body } = await sent.type('json').send(`{"unknown":${value}}`).expect(400);
    expect(body).toMatchObject({ code: 'body.too_many_values' });
  }
});
