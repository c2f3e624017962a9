import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordProvoked } from '../../../../test/support/api-answers.js';
import { FormServer, named, wire } from '../../../../test/support/form-server.js';

const mebibyte = 1024 * 1024;
let server: FormServer;

beforeAll(async () => {
  server = await FormServer.start();
});
afterAll(() => server.close());

const post = (path?: string): supertest.Test => server.post(path);

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
    const sent = httpRequest(`${server.url}/things/form`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
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
    const socket = connect(server.port, '127.0.0.1');
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

  it('frees its slot: forms are read after 120 disconnected senders', async () => {
    // Takes more than 20 s when disconnected senders keep their place in the queue.
    const sockets = await Promise.all(
      Array.from({ length: 120 }, async () => {
        const socket = connect(server.port, '127.0.0.1');
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
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it('is not logged as a failure', () => {
    expect(server.logged).toBe('');
  });
});
