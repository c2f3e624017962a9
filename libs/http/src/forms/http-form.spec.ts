import 'reflect-metadata';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsOptional, IsString } from 'class-validator';
import type { RequestHandler } from 'express';
import supertest from 'supertest';
import { recordProvoked } from '../../../../test/support/api-answers.js';
import { jsonBody } from '../request/http-body.js';
import { FormFiles, FormGuard, TakesForm } from './http-form.js';
import { bodyLimits } from '../request/request-limits.js';
import { createLogger, currentRequest, ScopeSlot } from '#kernel';
import { ProblemFilter } from '../answers/problem.filter.js';
import { attachContext, enterRequest } from '../request/request-scope.js';
import { BodyPipe } from '../request/validation.js';

const mebibyte = 1024 * 1024;

class ThingBody {
  @IsOptional()
  @IsString({ message: 'Write a text.' })
  name?: string;

  @IsOptional()
  tags?: unknown;

  @IsOptional()
  location?: unknown;
}

/** Stands for the request's tenant, which is stored in such a slot. */
const tenantSlot = new ScopeSlot<string>('tenant');

/** Renders the handler's view of a request: the body, the sizes of the files, and the values of its scope. */
function seen(body: ThingBody, files: Record<string, Buffer> = {}): object {
  const sizes = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.length]));
  return { body, files: sizes, requestId: currentRequest()?.requestId, tenant: tenantSlot.get() };
}

@Controller('things')
class ThingsController {
  @Post('form')
  @HttpCode(200)
  @TakesForm({ files: ['img', 'sticker_img'], nested: ['location'] })
  form(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): object {
    return seen(body, files);
  }

  @Post('hasty')
  @HttpCode(200)
  @TakesForm({ files: ['img'], seconds: 0.4 })
  async hasty(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return seen(body, files);
  }

  @Post('texts')
  @HttpCode(200)
  @TakesForm()
  texts(@Body() body: ThingBody, @FormFiles() files: Record<string, Buffer>): object {
    return seen(body, files);
  }

  @Post('json')
  @HttpCode(200)
  json(@Body() body: ThingBody): object {
    return seen(body);
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

let app: NestExpressApplication;
let base: string;
let port: number;
let logged = '';

beforeAll(async () => {
  const logger = createLogger({ logLevel: 'debug' }, { write: (line: string) => (logged += line) });
  app = await NestFactory.create<NestExpressApplication>(ThingsModule, { bodyParser: false, logger: false });
  const enterTenant: RequestHandler = ({ context }, _response, next) => tenantSlot.run(`tenant of ${context.requestId}`, next);
  app.use(attachContext, ...jsonBody(), bodyLimits, enterRequest, enterTenant);
  app.useGlobalGuards(new FormGuard(app.get(Reflector)));
  app.useGlobalPipes(new BodyPipe());
  app.useGlobalFilters(new ProblemFilter(logger));
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
  base = `http://127.0.0.1:${port}`;
});
afterAll(() => app.close());

const post = (path = 'form'): supertest.Test => supertest(base).post(`/things/${path}`);

/** Encodes a multipart body. */
function wire(...parts: [headers: string, content: string | Buffer][]): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [`--x\r\n${headers}\r\n\r\n`, content, '\r\n']);
  return Buffer.concat([...pieces, '--x--\r\n'].map((piece) => Buffer.from(piece as string)));
}
const named = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;
const sendWire = (body: Buffer | string, path?: string): supertest.Test =>
  post(path)
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
    const sent = httpRequest(`${base}/things/json`, {
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
});

describe('a form that is too large', () => {
  it.each([
    [
      '51 members',
      () => Array.from({ length: 51 }, (_, index) => `f${index}`).reduce((sent, name) => sent.field(name, 'x'), post()),
      '50 fields',
    ],
    ['a text of 100,001 bytes', () => post().field('name', 'x'.repeat(100_001)), '100 kB per field'],
    [
      '11 texts of 100 kB',
      () => Array.from({ length: 11 }, (_, index) => `f${index}`).reduce((sent, name) => sent.field(name, 'x'.repeat(100_000)), post()),
      '1 MB of text',
    ],
    ['a name of 200 characters', () => post().field('n'.repeat(200), 'x'), '100 characters as the name of a field'],
    [
      '51 urlencoded members',
      () =>
        post()
          .type('form')
          .send(Array.from({ length: 51 }, (_, index) => `f${index}=1`).join('&')),
      '50 fields',
    ],
    ['1001 values', () => post().type('form').send('tags=1&'.repeat(1001)), '50 fields'],
    [
      'an urlencoded text of 100,001 bytes',
      () =>
        post()
          .type('form')
          .send(`name=${'x'.repeat(100_001)}`),
      '100 kB per field',
    ],
    [
      'a megabyte urlencoded',
      () =>
        post()
          .type('form')
          .send(`name=${'x'.repeat(1_000_001)}`),
      '1 MB',
    ],
  ])('with %s is 413 and says the limit', async (_name, send, limit) => {
    const { body } = await send().expect(413);
    expect([body.code, body.detail]).toEqual(['body.too_large', `Send at most ${limit}.`]);
  });

  it.each([
    ['a file of 10 MiB and one byte', () => post().attach('img', Buffer.alloc(10 * mebibyte + 1), 'x'), '/img'],
    [
      'an announced gigabyte',
      () => post().set('Content-Type', 'multipart/form-data; boundary=x').set('Content-Length', '1000000000').send(''),
      '',
    ],
  ])('with %s is 400 and says where', async (_name, send, pointer) => {
    const { body } = await send().expect(400);
    expect([body.code, body.errors]).toEqual(['body.invalid', [{ pointer, code: 'file', detail: 'Send a file of at most 10 MiB.' }]]);
  });

  it('accepts exactly 10 MiB in each file, 50 members and 100 kB in one of them', async () => {
    const sent = Array.from({ length: 60 }).reduce<supertest.Test>(
      (test) => test.field('tags', 'x'),
      post().field('name', 'x'.repeat(100_000)),
    );
    const file = Buffer.alloc(10 * mebibyte);
    const { body } = await sent.attach('img', file, 'x').attach('sticker_img', file, 'x').expect(200);
    expect(body.files).toEqual({ img: file.length, sticker_img: file.length });
  });

  it('is answered during its transfer when it never ends', async () => {
    const sent = httpRequest(`${base}/things/form`, { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } });
    sent.on('error', () => undefined);
    const answered = once(sent, 'response') as Promise<[{ statusCode: number }]>;
    const chunk = Buffer.alloc(mebibyte, 'a');
    const pour = (): void => {
      while (!sent.destroyed && sent.write(chunk)) if (sent.writableLength > 4 * mebibyte) return;
    };
    sent.on('drain', pour);
    pour();
    const [response] = await answered;
    expect(response.statusCode).toBe(400);
    sent.destroy();
  });
});

describe('a sender that is slow or disconnects', () => {
  const head = (path: string, length: number): string =>
    `POST /things/${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`;
  const start = wire([named('img', '; filename="a"'), 'x'.repeat(5000)]).subarray(0, 2000);

  it('gets 408 in time, and the connection is closed', async () => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(head('hasty', 5_000_000));
    socket.write(start);
    const drip = setInterval(() => socket.write('x'), 50);
    const began = Date.now();
    await once(socket, 'close');
    clearInterval(drip);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"body.too_slow"');
    recordProvoked('body.too_slow');
  });

  it('frees its slot: forms are read after 40 disconnected senders', async () => {
    // Takes about four times 0.4 s without the check of a closed connection before reading.
    const sockets = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(head('hasty', 5_000_000));
        socket.write(start);
        return socket;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const socket of sockets) socket.destroy();
    const began = Date.now();
    await post('hasty').attach('img', Buffer.alloc(300_000), 'x').expect(200);
    expect(Date.now() - began).toBeLessThan(1000);
  });

  it('is not logged as a failure', () => {
    expect(logged).toBe('');
  });
});
