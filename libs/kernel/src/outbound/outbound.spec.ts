import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Outbound, OutboundRefusedError } from './outbound.js';

let trap: Server;
let port: number;
let touched = 0;

beforeAll(async () => {
  trap = createServer((_request, response) => response.end('caught'));
  trap.on('connection', () => (touched += 1));
  trap.listen(0, '::');
  await once(trap, 'listening');
  ({ port } = trap.address() as AddressInfo);
});
afterAll(() => {
  trap.close();
});

/** Sends one GET request; returns its result as text. */
async function fetchThrough(outbound: Outbound, address: string): Promise<string> {
  const url = new URL(address);
  try {
    const sent = request(url, { agent: outbound.agentFor(url), signal: AbortSignal.timeout(3000) });
    sent.end();
    const [response] = (await once(sent, 'response')) as [{ resume(): void; statusCode: number }];
    response.resume();
    return String(response.statusCode);
  } catch (error) {
    return error instanceof OutboundRefusedError ? 'refused' : (error as Error).message;
  }
}

/** Every notation of an IPv4 address that URL parsers accept. */
function spellings(a: number, b: number, c: number, d: number): string[] {
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (n: number): string => `0x${n.toString(16)}`;
  const octal = (n: number): string => `0${n.toString(8)}`;
  const v6 = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    String(whole),
    hex(whole),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c}.${d}.`,
    [...`${a}.${b}.${c}.${d}`].map((sign) => (sign === '.' ? '。' : String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))).join(''),
    `[::ffff:${v6}]`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::${v6}]`,
    `[64:ff9b::${v6}]`,
    `[64:ff9b:1::${v6}]`,
    `[2002:${v6}::1]`,
    `[2001:0:${v6}::1]`,
  ];
}

const inside = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [10, 0, 0, 1],
  [172, 16, 0, 1],
  [172, 31, 255, 255],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [100, 64, 0, 1],
  [0, 0, 0, 0],
  [0, 0, 0, 1],
  [192, 0, 0, 8],
  [192, 0, 2, 1],
  [198, 18, 0, 1],
  [198, 51, 100, 1],
  [203, 0, 113, 1],
  [224, 0, 0, 1],
  [239, 255, 255, 250],
  [240, 0, 0, 1],
  [255, 255, 255, 255],
] as const;
const insideV6 = [
  '::',
  '::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  '0:0:0:0:0:0:0:1',
];

describe('outgoing requests', () => {
  const hosts = [...inside.flatMap(([a, b, c, d]) => spellings(a, b, c, d)), ...insideV6.map((one) => `[${one}]`)];

  it(`connect to none of more than 300 spellings of private addresses`, async () => {
    expect(hosts.length).toBeGreaterThan(300);
    const outbound = new Outbound({ outboundAllow: [], outboundDns: [] });
    const before = touched;
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const address = `${scheme}://${host}:${port}/`;
        if (!URL.canParse(address)) continue;
        expect([address, await fetchThrough(outbound, address)]).toEqual([address, 'refused']);
      }
    }
    expect(touched).toBe(before);
    outbound.onApplicationShutdown();
  });

  it('connect to no name that resolves to a private address', async () => {
    const outbound = new Outbound({ outboundAllow: [], outboundDns: [] });
    const before = touched;
    expect(await fetchThrough(outbound, `http://localhost:${port}/`)).toBe('refused');
    expect(touched).toBe(before);
    outbound.onApplicationShutdown();
  });

  it.each([
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
    ['127.0.0.1, ::1', 'localhost'],
  ])('lets %s through for %s', async (allowed, host) => {
    const outbound = new Outbound({ outboundAllow: allowed.split(', '), outboundDns: [] });
    expect(await fetchThrough(outbound, `http://${host}:${port}/`)).toBe('200');
    outbound.onApplicationShutdown();
  });

  it('have only the listed exceptions', async () => {
    const outbound = new Outbound({ outboundAllow: ['127.0.0.2', 'receiver.example'], outboundDns: [] });
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '10.0.0.1']) {
      expect(await fetchThrough(outbound, `http://${host}:${port}/`)).toBe('refused');
    }
    outbound.onApplicationShutdown();
  });

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])('treat %s as public', (address) => {
    expect(new Outbound({ outboundAllow: [], outboundDns: [] }).lets(address)).toBe(true);
  });
});
