import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { jsonBody } from './http-body.js';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(...jsonBody());
  app.use((request, response) => {
    response.json({ body: request.body as unknown, raw: request.rawBody?.toString('latin1') ?? null });
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function post(path: string, body: string): Promise<{ body: unknown; raw: string | null }> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  return (await answer.json()) as { body: unknown; raw: string | null };
}

describe('the bytes of a JSON body', () => {
  const text = '{ "id":  "evt_1",\n  "name": "caf\u00e9 \\u00e9", "amount": 1.0 }';
  const bytes = Buffer.from(text).toString('latin1');

  it.each(['/payments/stripe/webhook/', '/payments/x?y=1', '/Payments/'])('are retained at %s', async (path) => {
    expect(await post(path, text)).toEqual({ body: JSON.parse(text), raw: bytes });
  });

  it.each(['/', '/payments', '/api/payments/', '/?/payments/', '/scan/ticket/'])('are not retained at %s', async (path) => {
    expect(await post(path, text)).toEqual({ body: JSON.parse(text), raw: null });
  });
});
