import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FormServer, named, wire } from '../../../../test/support/form-server.js';

let server: FormServer;

beforeAll(async () => {
  server = await FormServer.start();
});
afterAll(() => server.close());

const post = (path?: string): supertest.Test => server.post(path);
const sendWire = (body: Buffer | string): supertest.Test =>
  post()
    .set('Content-Type', 'multipart/form-data; boundary=x')
    .serialize((raw) => raw as unknown as string)
    .send(body as string);

describe('a form', () => {
  it('is parsed into body and files, in the scope of its request', async () => {
    const { body } = await post()
      .set('X-Request-Id', 'form-1')
      .field('name', 'Fête de l’été')
      .field('tags', ['one', 'two'])
      .field('location', '{"address":{"addressLocality":"Lyon"}}')
      .attach('img', Buffer.alloc(3_000_000), { filename: '../../etc/passwd' })
      .attach('sticker_img', Buffer.alloc(7), { filename: 'b.svg' })
      .expect(200);
    expect(body).toEqual({
      body: { name: 'Fête de l’été', tags: ['one', 'two'], location: { address: { addressLocality: 'Lyon' } } },
      files: { img: 3_000_000, sticker_img: 7 },
      requestId: 'form-1',
      tenant: 'tenant of form-1',
    });
  });

  it('keeps each request in its own scope while others wait', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post()
          .set('X-Request-Id', `many-${index}`)
          .field('name', `n${index}`)
          .attach('img', Buffer.alloc(50_000 + index), 'x'),
      ),
    );
    expect(answers.map(({ body }) => [body.requestId, body.tenant, body.body.name, body.files.img])).toEqual(
      answers.map((_, index) => [`many-${index}`, `tenant of many-${index}`, `n${index}`, 50_000 + index]),
    );
  });

  it('may be urlencoded, and JSON is accepted as usual', async () => {
    const form = await post().type('form').send('name=A+b%C3%A9&tags=1&tags=2&location=%5B1%5D&img=').expect(200);
    expect(form.body).toMatchObject({ body: { name: 'A bé', tags: ['1', '2'], location: [1] }, files: {} });
    expect((await post().send({ name: 'A' }).expect(200)).body).toMatchObject({ body: { name: 'A' }, files: {} });
    expect((await post().expect(200)).body).toMatchObject({ files: {} });
    expect((await post().set('Content-Type', 'multipart/form-data').expect(200)).body).toMatchObject({ files: {} });
  });

  it('may have empty file fields, as browsers send them', async () => {
    const none: [string, string] = [named('img', '; filename=""\r\nContent-Type: application/octet-stream'), ''];
    const { body } = await sendWire(wire(none, [named('sticker_img'), ''], [named('name'), 'x'])).expect(200);
    expect(body).toMatchObject({ body: { name: 'x' }, files: {} });
  });

  it('may be accepted without files', async () => {
    expect((await post('texts').field('name', 'x').expect(200)).body).toMatchObject({ body: { name: 'x' }, files: {} });
    const { body } = await post('texts').field('name', 'x').attach('img', Buffer.alloc(9), 'x').expect(400);
    expect(body.errors).toMatchObject([{ pointer: '/img', detail: 'Send no files here.' }]);
  });

  it('is refused without being read on a route that accepts none', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'Multipart/Form-Data']) {
      const { body } = await post('json').set('Content-Type', type).send('a=1').expect(415);
      expect(body.code).toBe('body.unsupported_type');
    }
    // The route answers although the body never arrives.
    const sent = httpRequest(`${server.url}/things/json`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 9e9 },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(415);
    sent.destroy();
  });

  it.each([
    ['multipart/mixed; boundary=x', 'x'],
    ['text/plain', 'x'],
    ['multipart/form-datax; boundary=x', 'x'],
    ['multipart/form-data; charset=utf-16le; boundary=x', 'x'],
    [
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: text/plain; charset=klingon\r\n\r\nx\r\n--x--\r\n`,
    ],
  ])('is no other type: %s', async (type, content) => {
    expect((await post().set('Content-Type', type).send(content).expect(415)).body.code).toBe('body.unsupported_type');
  });
});

describe('a broken form', () => {
  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['with another boundary', 'multipart/form-data; boundary=y', wire([named('name'), 'x'])],
    ['that breaks off in a text', 'multipart/form-data; boundary=x', wire([named('name'), 'xxxx']).subarray(0, 60)],
    [
      'that breaks off in a file',
      'multipart/form-data; boundary=x',
      wire([named('img', '; filename="a"'), 'x'.repeat(99)]).subarray(0, 90),
    ],
    ['with a broken part', 'multipart/form-data; boundary=x', wire(['Content-Disposition\u0000form-data', 'x'])],
    ['with a part without a name', 'multipart/form-data; boundary=x', wire(['Content-Disposition: form-data', 'x'])],
  ])('%s is 400 body.malformed', async (_name, type, content) => {
    const { body } = await post()
      .set('Content-Type', type)
      .serialize((raw) => raw as unknown as string)
      .send(content as string)
      .expect(400);
    expect(body.code).toBe('body.malformed');
  });

  it.each([
    ['a file nobody asked for', (): supertest.Test => post().attach('other', Buffer.alloc(9), 'x'), '/other'],
    ['two files of one name', (): supertest.Test => post().attach('img', Buffer.alloc(9), 'x').attach('img', Buffer.alloc(9), 'y'), '/img'],
    ['three files', (): supertest.Test => post().attach('img', Buffer.alloc(9), 'x').attach('a/b~', Buffer.alloc(9), 'y'), '/a~1b~0'],
    ['text where a file belongs', (): supertest.Test => post().field('img', 'https://example.org/a.png'), '/img'],
    ['brackets', (): supertest.Test => post().field('location[address]', 'x'), '/location[address]'],
    ['nested text that is no JSON', (): supertest.Test => post().field('location', '{"a":'), '/location'],
    ['a member of the wrong kind', (): supertest.Test => post().field('name', 'x').field('name', 'y'), '/name'],
  ])('with %s is 400 body.invalid and says where', async (_name, send, pointer) => {
    const { body } = await send().expect(400);
    expect([body.code, body.errors[0].pointer]).toEqual(['body.invalid', pointer]);
  });

  it.each([
    ['NUL in a text', wire([named('name'), 'a\u0000b']), 'request.text'],
    ['NUL in a name', wire([named('na\u0000me'), 'x']), 'request.text'],
    [
      'bytes of another charset',
      wire([`${named('name')}\r\nContent-Type: text/plain; charset=utf-8`, Buffer.from('caf\xe9', 'latin1')]),
      'request.text',
    ],
    ['an encoded surrogate', wire([named('name'), Buffer.from([0xed, 0xa0, 0x80])]), 'request.text'],
    ['a lone surrogate inside nested JSON', wire([named('location'), String.raw`{"a":"\ud800"}`]), 'request.text'],
    ['nesting without end', wire([named('location'), '['.repeat(40_000) + ']'.repeat(40_000)]), 'body.too_deep'],
  ])('with %s is refused as in JSON', async (_name, content, code) => {
    const { body } = await sendWire(content).expect(400);
    expect(body.code).toBe(code);
  });

  it('refuses __proto__ and similar names', async () => {
    const { body } = await post().field('__proto__', '{"name":"x"}').field('constructor', 'x').field('toString', 'x').expect(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/__proto__', '/constructor', '/toString']);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it('is not logged as a failure', () => {
    expect(server.logged).toBe('');
  });
});
