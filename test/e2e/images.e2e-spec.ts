import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImageFetcher, imagePath, ImagesService, imageVariations } from '#catalogue';
import { RefusedInput, runInRequest } from '#kernel';
import { DomainsService, TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let jpeg: Buffer;

beforeAll(async () => {
  // One loopback address counts as public; all others stay private.
  test = await startTestApp({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
  [venue, other] = [await test.newTenant(), await test.newTenant()];
  jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => test.close());

const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(venue, work);

/** Stores a picture of the venue. @returns its id */
function store(bytes = jpeg): Promise<string> {
  return inside(async () => {
    const images = test.app.get(ImagesService);
    const prepared = await images.prepare(bytes, 'img');
    return test.app.get(TenantDb).transaction((tx) => images.storeIn(tx, prepared));
  });
}

const binary = (request: supertest.Test): supertest.Test =>
  request.buffer(true).parse((response, done) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => done(null, Buffer.concat(parts)));
  });

describe('a stored picture', () => {
  it('is served in every size and format, cacheable for a year', async () => {
    const id = await store();
    for (const [name, width] of [
      ['fhd', 900],
      ['hdr', 720],
      ['med', 480],
      ['thumbnail', 150],
    ] as const) {
      for (const [format, type] of [
        ['webp', 'image/webp'],
        ['jpeg', 'image/jpeg'],
      ] as const) {
        const { body, headers } = await binary(test.on(venue).get(imagePath(id, name, format))).expect(200);
        expect(await sharp(body as Buffer).metadata()).toMatchObject({ format, width });
        expect(headers).toMatchObject({
          'content-type': type,
          'content-length': String((body as Buffer).length),
          'cache-control': 'public, max-age=31536000, immutable',
          etag: `"${createHash('sha256')
            .update(body as Buffer)
            .digest('hex')}"`,
          'content-disposition': `inline; filename="${name}.${format === 'jpeg' ? 'jpg' : format}"`,
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
        });
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(headers['set-cookie']).toBeUndefined();
      }
    }
    for (const path of Object.values(imageVariations(id))) await test.on(venue).get(path).expect(200);
  });

  it('is answered 304 when it is cached, and HEAD sends only the headers', async () => {
    const path = imagePath(await store(), 'med');
    const { headers } = await test.on(venue).get(path).expect(200);
    const etag = headers['etag'] as string;
    for (const known of [etag, `"x", ${etag}`, '*']) {
      const again = await test.on(venue).get(path).set('If-None-Match', known).expect(304);
      expect([again.headers['etag'], again.headers['cache-control'], again.text]).toEqual([etag, headers['cache-control'], '']);
    }
    await test.on(venue).get(path).set('If-None-Match', '"x"').expect(200);
    const head = await test.on(venue).head(path).expect(200);
    expect([head.headers['content-length'], head.headers['etag']]).toEqual([headers['content-length'], etag]);
    await test.on(venue).head(path).set('If-None-Match', etag).expect(304);
    expect((await test.on(venue).post(path).expect(405)).headers['allow']).toBe('GET, HEAD');
  });

  it('is served on every domain of its tenant without a redirect', async () => {
    const path = imagePath(await store(), 'med');
    const host = `${randomUUID()}.example.org`;
    await inside(() => test.app.get(DomainsService).add(venue.id, host));
    await test.on(host).get(path).expect(200);
    await test.on(host).get('/').expect(302);
  });

  it('is unknown to other tenants, in other formats, and after its removal', async () => {
    const id = await store();
    const { status, body } = await test.on(other).get(imagePath(id, 'fhd'));
    expect([status, body.code]).toEqual([404, 'image.unknown']);
    const absent = await test.on(venue).get(imagePath(randomUUID(), 'fhd')).expect(404);
    expect({ ...body, instance: '' }).toEqual({ ...absent.body, instance: '' });
    expect(absent.headers['cache-control']).toBe('no-store');
    const wrong = [
      `${id}/fhd.png`,
      `${id}/fhd`,
      `${id}/fhd.svg`,
      `${id}/FHD.webp`,
      `${id}/x.webp`,
      `${id}/fhd.webp.html`,
      'x/fhd.webp',
      `${id}/..%2ffhd.webp`,
      `${id}'/fhd.webp`,
    ];
    for (const path of wrong) await test.on(venue).get(`/images/${path}`).expect(404);
    await test.on(venue).get(`/images/${id.toUpperCase()}/fhd.webp`).expect(200);

    await inside(() => test.app.get(TenantDb).transaction((tx) => test.app.get(ImagesService).removeIn(tx, id)));
    await test.on(venue).get(imagePath(id, 'fhd')).expect(404);
    const left = await test.database.query(`select 1 from "${venue.schemaName}".image_variant where image_id = $1`, [id]);
    expect(left).toEqual([]);
  });

  it('is not stored when its transaction fails', async () => {
    const count = async (): Promise<number> => (await test.database.query(`select 1 from "${venue.schemaName}".image`)).length;
    const before = await count();
    const images = test.app.get(ImagesService);
    const failing = inside(async () => {
      const prepared = await images.prepare(jpeg, 'img');
      await test.app.get(TenantDb).transaction(async (tx) => {
        await images.storeIn(tx, prepared);
        throw new Error('afterwards');
      });
    });
    await expect(failing).rejects.toThrow('afterwards');
    expect(await count()).toBe(before);
  });
});

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
    await vi.waitFor(() => expect(encodedAtRequest).toHaveLength(5), { timeout: 10_000, interval: 5 });
    // Four are fetched at a time. With one turn for fetching and encoding, the fifth is asked for when one is encoded.
    expect(encodedAtRequest).toEqual([0, 0, 0, 0, 0]);
    const client = Object.assign(new EventEmitter(), { destroyed: false });
    const left = runInRequest({ requestId: 'left', client }, () => inside(() => test.app.get(ImagesService).prepare(jpeg, 'img')));
    client.emit('close');
    await expect(left).rejects.toThrow('tenant.busy');
    await Promise.all(fetches);
  }, 30_000);
});
