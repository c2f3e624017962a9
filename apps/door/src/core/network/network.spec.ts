import { describe, expect, it } from '@jest/globals';
import { Api, NoAnswer, type Answer } from './api.js';
import { refusalCode } from './problems.js';
import { NetworkWatch } from './network-watch.js';

const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };

function apiWith(answer: () => Response): { api: Api; heard: number[] } {
  const heard: number[] = [];
  const api = new Api({
    origin: '',
    fetch: async () => answer(),
    key: () => 'key',
    language: () => 'en',
    onAnswer: ({ status }) => heard.push(status),
  });
  return { api, heard };
}
const ask = (api: Api): Promise<Answer> => api.post('/scan/contact/', { body: {}, timeout: 1000 });

describe('an answer', () => {
  it.each([
    ['the sign-in page of a network', new Response('<h1>Welcome</h1>', { status: 200, headers: html })],
    ['an empty page', new Response('', { status: 200 })],
    ['a page in the place of a refusal', new Response('<h1>Sign in</h1>', { status: 401, headers: html })],
    ['a proxy without a server', new Response('<h1>502 Bad Gateway</h1>', { status: 502, headers: html })],
    ['a number', new Response('42', { status: 200, headers: json })],
  ])('of somebody else is none: %s', async (_, response) => {
    const { api, heard } = apiWith(() => response);
    await expect(ask(api)).rejects.toThrow(NoAnswer);
    expect(heard).toEqual([]);
  });

  it.each([
    [204, new Response(null, { status: 204 }), 'failed'],
    [413, new Response('<h1>413</h1>', { status: 413, headers: html }), 'failed'],
    [503, Response.json({ code: 'server.unavailable' }, { status: 503 }), 'failed'],
    [404, Response.json({ code: 'event.unknown' }, { status: 404 }), 'event.unknown'],
  ])('of the server is one: %i', async (status, response, code) => {
    const { api, heard } = apiWith(() => response);
    const answer = await ask(api);
    expect([answer.status, refusalCode(answer), heard]).toEqual([status, code, [status]]);
  });

  it('to a key that the phone has no more says nothing about its new key', async () => {
    const heard: number[] = [];
    let key: string | null = 'old';
    let release = (): void => {};
    const held = new Promise<void>((done) => (release = done));
    const fetch = async (): Promise<Response> => {
      await held;
      return Response.json({ code: 'key.wiped' }, { status: 401 });
    };
    const api = new Api({ origin: '', fetch, key: () => key, language: () => 'en', onAnswer: ({ status }) => heard.push(status) });
    const late = ask(api);
    key = 'new';
    release();
    expect((await late).status).toBe(401);
    expect(heard).toEqual([]);
    await ask(api);
    expect(heard).toEqual([401]);
  });
});

describe('the words about the network', () => {
  it('follow the last answer, and a request that is older than it says nothing', () => {
    const kinds: string[] = [];
    const watch = new NetworkWatch((kind) => kinds.push(kind));
    watch.answered(200, 20);
    const before = watch.answers;
    watch.late();
    watch.answered(200, 30);
    // The connection of the late request is dead.
    watch.silent(before);
    expect(kinds).toEqual(['live', 'slow', 'live']);
    watch.silent(watch.answers);
    expect(watch.kind).toBe('offline');
    watch.answered(503, 20);
    expect(watch.kind).toBe('slow');
  });
});
