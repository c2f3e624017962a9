import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsServer } from '../../../../test/support/dns-server.js';
import { NameLookups } from './name-lookups.js';
import { Outbound, OutboundRefusedError } from './outbound.js';
import { tenantSlot } from '../context/scope.js';
import { readSettings } from '../settings/settings.js';

let target: Server;
let port: number;
let dns: DnsServer;
let outbound: Outbound;
const changing: string[][] = [];

beforeAll(async () => {
  // Connections are not kept alive, so that the name is resolved for each request.
  target = createServer((_request, response) => response.setHeader('Connection', 'close').end('reached'));
  target.listen(0, '::');
  await once(target, 'listening');
  ({ port } = target.address() as AddressInfo);
  dns = await DnsServer.start((name, type) => {
    if (name.endsWith('silent.example')) return 'silent';
    if (name === 'deaf.example') return type === 'A' ? ['127.0.0.1'] : 'silent';
    if (name === 'both.example') return type === 'A' ? ['127.0.0.1'] : ['::1'];
    if (name === 'six.example') return type === 'A' ? [] : ['::1'];
    if (name === 'mixed.example') return type === 'A' ? ['127.0.0.1', '127.0.0.2'] : [];
    if (name === 'changing.example') return type === 'A' ? (changing.shift() ?? []) : [];
    return type === 'A' && name === 'good.example' ? ['127.0.0.1'] : [];
  });
});
afterAll(async () => {
  target.close();
  await dns.stop();
});
beforeEach(() => {
  dns.asked.length = 0;
  // These two addresses play the public Internet; 127.0.0.2 stays private.
  outbound = new Outbound(readSettings({ OUTBOUND_ALLOW: '127.0.0.1, ::1', OUTBOUND_DNS: dns.address }));
});
afterEach(() => outbound.onApplicationShutdown());

/** Sends one GET request; returns its result as text. */
async function fetchFrom(host: string): Promise<string> {
  const url = new URL(`http://${host}:${port}/`);
  try {
    const sent = request(url, { agent: outbound.agentFor(url), signal: AbortSignal.timeout(20_000) });
    sent.end();
    const [response] = (await once(sent, 'response')) as [{ resume(): void; statusCode: number }];
    response.resume();
    return String(response.statusCode);
  } catch (error) {
    if (error instanceof OutboundRefusedError) return 'refused';
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

describe('names that tenants choose', () => {
  it.each(['good', 'both', 'six', 'deaf'])('are resolved by the name server: %s.example', async (name) => {
    expect(await fetchFrom(`${name}.example`)).toBe('200');
    expect(dns.asked.toSorted()).toEqual([`${name}.example A`, `${name}.example AAAA`]);
  });

  it('cannot be connected to when they do not exist or are invalid', async () => {
    for (const name of ['nobody.example', 'a..b', `${'a'.repeat(64)}.example`]) expect(await fetchFrom(name)).toBe('ENOTFOUND');
  });

  it('are refused when one of their addresses is private, and when it becomes private after the first look-up', async () => {
    expect(await fetchFrom('mixed.example')).toBe('refused');
    changing.push(['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']);
    expect([await fetchFrom('changing.example'), await fetchFrom('changing.example'), await fetchFrom('changing.example')]).toEqual([
      '200',
      'refused',
      'refused',
    ]);
  });

  it('are not looked up when they are localhost', async () => {
    const none = new Outbound(readSettings({ OUTBOUND_DNS: dns.address }));
    const url = new URL(`http://localhost:${port}/`);
    const sent = request(url, { agent: none.agentFor(url) });
    sent.end();
    await expect(once(sent, 'response')).rejects.toThrow(OutboundRefusedError);
    expect(await fetchFrom('any.localhost')).toBe('200');
    expect(dns.asked).toEqual([]);
    none.onApplicationShutdown();
  });

  it('are looked up while every thread of the process is busy', async () => {
    const ended: string[] = [];
    const hash = promisify(pbkdf2);
    const threads = Array.from({ length: 8 }, async () => {
      await hash('secret', 'salt', 300_000, 64, 'sha512');
      ended.push('hash');
    });
    await fetchFrom('good.example');
    ended.push('look-up');
    await Promise.all(threads);
    // With getaddrinfo it would come after the first four at best.
    expect(ended[0]).toBe('look-up');
  });
});

describe('a tenant whose name server does not answer', () => {
  it('blocks neither other tenants nor files and hashes of the process', async () => {
    const lookups = new NameLookups([dns.address], { deadlineMs: 15_000, graceMs: 300 });
    let ended = 0;
    const slow = tenantSlot.run({ id: 'slow' }, () =>
      Array.from({ length: 100 }, (_, number) => lookups.addressesOf(`n${number}.silent.example`, 0).catch(() => (ended += 1))),
    );
    const other = await tenantSlot.run({ id: 'other' }, () => lookups.addressesOf('good.example', 0));
    expect(other).toEqual([{ address: '127.0.0.1', family: 4 }]);
    await Promise.all([readFile('package.json'), promisify(pbkdf2)('secret', 'salt', 1000, 32, 'sha512')]);
    expect(ended).toBe(0);
    // Eight at once, each for both families; repeated after a while.
    expect(new Set(dns.asked.filter((asked) => asked.includes('silent'))).size).toBe(16);
    lookups.stop();
    await Promise.all(slow);
    expect(ended).toBe(100);
  });

  it('gets an error within the deadline, also for waiting look-ups', async () => {
    const lookups = new NameLookups([dns.address], { deadlineMs: 200, graceMs: 50 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => lookups.addressesOf(`n${number}.silent.example`, 0)),
    );
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code)).toEqual(
      outcomes.map(() => 'EAI_AGAIN'),
    );
    expect(await lookups.addressesOf('good.example', 4)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });
});

it('names of OUTBOUND_ALLOW are looked up by the system, with its hosts file', async () => {
  const named = new Outbound(readSettings({ OUTBOUND_ALLOW: 'localhost', OUTBOUND_DNS: dns.address }));
  const url = new URL(`http://localhost:${port}/`);
  const sent = request(url, { agent: named.agentFor(url) });
  sent.end();
  const [response] = (await once(sent, 'response')) as [{ resume(): void; statusCode: number }];
  response.resume();
  expect([response.statusCode, dns.asked]).toEqual([200, []]);
  named.onApplicationShutdown();
});

it.each(['ns.example.org', '127.0.0.1:x', '999.0.0.1'])('the setting OUTBOUND_DNS refuses %s', (input) => {
  expect(() => readSettings({ OUTBOUND_DNS: input })).toThrow('OUTBOUND_DNS');
});
