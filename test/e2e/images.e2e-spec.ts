import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imagePath, ImagesService, imageVariations } from '#catalogue';
import { DomainsService, TenantDb, type TenantIdentity } from '#tenancy';
import sharp from 'sharp';
import type supertest from 'supertest';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;
let other: TenantIdentity;
let jpeg: Buffer;

beforeAll(async () => {
  test = await startTestApp();
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
