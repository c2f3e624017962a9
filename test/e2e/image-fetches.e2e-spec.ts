import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { ImageFetcher, ImagesService } from '#catalogue';
import { RefusedInput, runInRequest } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let jpeg: Buffer;

beforeAll(async () => {
  // One loopback address counts as public; all others stay private.
  test = await startTestApp({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
  venue = await test.newTenant();
  jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);

describe('a picture that is fetched from an address', () => {
  const servers: Server[] = [];
  let asked: string[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** A server on loopback; `asked` records the requested paths. */
  async function serve(answer: RequestListener, address = '127.0.0.1'): Promise<string> {
    asked = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.on('error', () => undefined);
      answer(request, response);
    });
    servers.push(server);
    server.listen(0, address);
    await once(server, 'listening');
    return `http://${address}:${(server.address() as AddressInfo).port}`;
  }

  /** @returns the `kind` of the picture, or the reason for its refusal */
  async function fetchFrom(address: string, timeoutMs?: number): Promise<string> {
    try {
      return (await test.app.get(ImageFetcher).fetch(address, 'img_url', timeoutMs)).kind;
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      expect(error.field).toBe('img_url');
      return error.message;
    }
  }

  /** Redirects `/3` to `/2` and so on to `/0`, the picture. */
  const chain: RequestListener = (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end(jpeg);
    else response.writeHead([301, 302, 303, 307, 308][left % 5] as number, { Location: `${left - 1}` }).end();
  };

  it('is accepted whatever content type the server sends', async () => {
    const base = await serve((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(jpeg));
    expect(await fetchFrom(`${base}/a.svg`)).toBe('jpeg');
    const svg = await serve((_request, response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end('<svg/>'));
    expect(await fetchFrom(`${svg}/a.jpg`)).toMatch('This is not a picture');
  });

  it('is fetched over three redirects, but not over four', async () => {
    const base = await serve(chain);
    expect(await fetchFrom(`${base}/3`)).toBe('jpeg');
    expect(asked).toEqual(['/3', '/2', '/1', '/0']);
    asked = [];
    expect(await fetchFrom(`${base}/4`)).toMatch('redirects more than three times');
    expect(asked).toEqual(['/4', '/3', '/2', '/1']);
  });

  it('is not fetched from private addresses, neither directly nor after a redirect', async () => {
    const trap = await serve((_request, response) => response.end(jpeg), '127.0.0.2');
    const trapPort = new URL(trap).port;
    const inward = [
      trap,
      `http://[::ffff:127.0.0.2]:${trapPort}`,
      `http://2130706434:${trapPort}`,
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
    ];
    for (const address of inward) {
      expect(await fetchFrom(address)).toMatch('does not lead to a public server');
      const base = await serve((_request, response) => response.writeHead(302, { Location: address }).end());
      expect(await fetchFrom(base)).toMatch('does not lead to a public server');
      // Only the redirecting server received a request.
      expect(asked).toEqual(['/']);
    }
  });

  it('is abandoned after the total time limit, even while bytes arrive slowly', async () => {
    const drip = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(jpeg.subarray(0, 10));
      const timer = setInterval(() => response.write('x'), 30);
      response.on('close', () => clearInterval(timer));
    });
    const silent = await serve(() => undefined);
    const slowChain = await serve((request, response) => setTimeout(() => chain(request, response), 200).unref());
    for (const address of [drip, silent, `${slowChain}/3`]) {
      const began = performance.now();
      expect(await fetchFrom(address, 500)).toMatch('did not arrive within 10 seconds');
      // Less than the default limit of 10 s.
      expect(performance.now() - began).toBeLessThan(8000);
    }
  });

  it('is read up to 10 MiB, and the body of a redirect is not read', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(65_536, 'x');
    const pour: RequestListener = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on('drain', more);
      more();
    };
    expect(await fetchFrom(await serve(pour))).toMatch('larger than 10 MiB');
    expect(sent).toBeLessThan(20 * 1024 * 1024);
    sent = 0;
    const base = await serve((request, response) => {
      if (request.url === '/0') response.end(jpeg);
      else pour(request, response.writeHead(302, { Location: '/0' }));
    });
    expect(await fetchFrom(`${base}/1`)).toBe('jpeg');
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  it.each([
    ['an answer that is no picture', 404, {}],
    ['a redirect to nowhere', 302, {}],
    ['no content', 204, {}],
    ['a redirect to a file', 302, { Location: 'file:///etc/passwd' }],
    ['a redirect with a sign-in', 302, { Location: 'http://a:b@127.0.0.1/' }],
    ['a broken redirect', 302, { Location: 'http://[' }],
  ])('is refused for %s', async (_name, status, headers) => {
    const base = await serve((_request, response) => response.writeHead(status, headers).end());
    expect(await fetchFrom(base)).toMatch(/Check the address|Enter a full address/);
  });

  it.each(['', 'x', '/a.png', 'ftp://example.org/a.png', 'file:///etc/passwd', 'data:image/png;base64,AA', 'http://'])(
    'is not behind %j',
    async (address) => {
      expect(await fetchFrom(address)).toMatch('Enter a full address');
    },
  );

  it('is refused when the server does not answer or the answer breaks off', async () => {
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Length': jpeg.length }).write(jpeg.subarray(0, 100));
      setTimeout(() => response.destroy(), 50);
    });
    for (const address of ['http://127.0.0.1:1/', 'http://nobody.invalid/', cut]) {
      expect(await fetchFrom(address)).toMatch('Nothing could be fetched');
    }
  });

  it('waits for its turn, and is refused when too many wait', async () => {
    let most = 0;
    let now = 0;
    const base = await serve((_request, response) => {
      most = Math.max(most, (now += 1));
      setTimeout(() => response.end(jpeg, () => (now -= 1)), 30);
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => test.app.get(ImageFetcher).fetch(base, 'img_url')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(refused.map(() => 'image.busy'));
    expect([outcomes.length - refused.length >= 24, refused.length > 0, most <= 8]).toEqual([true, true, true]);
    expect(await fetchFrom(base)).toBe('jpeg');
  });

  it('leaves its turn to the next one before it is encoded, and a closed request leaves the queue of encoding', async () => {
    const slow = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    let encoded = 0;
    const encodedAtRequest: number[] = [];
    const base = await serve((_request, response) => {
      encodedAtRequest.push(encoded);
      response.end(slow);
    });
    const fetches = Array.from({ length: 5 }, () =>
      inside(() => test.app.get(ImageFetcher).fetch(base, 'img_url')).then(() => (encoded += 1)),
    );
    await eventually(() => expect(encodedAtRequest).toHaveLength(5), { timeout: 10_000, interval: 5 });
    // Four are fetched at a time. With one turn for fetching and encoding, the fifth is asked for when one is encoded.
    expect(encodedAtRequest).toEqual([0, 0, 0, 0, 0]);
    const client = Object.assign(new EventEmitter(), { destroyed: false });
    const left = runInRequest({ requestId: 'left', client }, () => inside(() => test.app.get(ImagesService).prepare(jpeg, 'img')));
    client.emit('close');
    await expect(left).rejects.toThrow('tenant.busy');
    await Promise.all(fetches);
  }, 30_000);
});
