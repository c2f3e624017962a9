import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import session from 'express-session';
import request from 'supertest';
import { panelAdmin } from './panel-admin.js';
import type { PanelContent } from '../resource/panel-content.js';
import type { PanelKind } from '../resource/panel-entry.js';
import type { PanelRow, PanelSource } from '../resource/panel-source.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { fullGrant, type SignInAttempt } from '#tenancy';
import { PanelRouter } from './panel-router.js';
import { forEachLanguage, SecretBox } from '#kernel';

const ID = '0b0e7a3c-6a8e-4f5e-9d0c-1f2e3d4c5b6a';
const rows: PanelRow[] = [{ id: ID, name: '</script><script>alert(1)</script>' }];

/** Records the user of each write, to show that the request's context survives the form parser. */
const writers: Array<string | undefined> = [];
const source: PanelSource = {
  id: 'doors',
  properties: [
    { name: 'id', type: 'uuid', isId: true },
    { name: 'name', type: 'string', isTitle: true, required: true },
  ],
  find: async () => rows,
  count: async () => rows.length,
  findOne: async (id) => rows.find((row) => row['id'] === id) ?? null,
  findMany: async (ids) => rows.filter((row) => ids.some((id) => id === row['id'])),
  create: async (values) => {
    writers.push(currentPanelRequest().user?.email);
    return { id: ID, ...values };
  },
};
const words = { plural: 'Doors', singular: 'Door', values: { note: { x: '</script>' } } };
const content: PanelContent = {
  entries: [
    {
      source,
      words: { ...forEachLanguage(() => words), fr: { ...words, plural: 'Portes' }, de: { ...words, plural: 'Türen' } },
      group: 'operations',
      icon: 'Tag',
      list: ['name'],
    },
  ],
  rights: 'operator',
  startPage: async () => {
    throw new Error('the database said something private');
  },
};
const failures: unknown[] = [];
let entering = true;

/** A Nest application with the panel only. */
async function panel(): Promise<NestExpressApplication> {
  const options = {
    content: (kind: PanelKind) => (kind === 'tenant' ? content : { ...content, entries: [] }),
    kind: () => 'tenant' as const,
    place: () => ({ name: 'Les Pilles', timeZone: 'Europe/Paris', language: 'fr' as const }),
    box: new SecretBox('a server secret that only this test knows'),
    session: session({ secret: 'for a test', resave: false, saveUninitialized: false }),
    authenticate: async ({ email, password }: SignInAttempt) =>
      password === 'right'
        ? ({
            ok: true,
            user: { id: ID, email, name: 'Zoé', isSuperUser: false, sessionVersion: 0 },
            browserMark: 'mark',
          } as const)
        : ({ ok: false, reason: 'locked', retryAfterSeconds: 90 } as const),
    countAttempt: () => 0,
    countVisitor: () => undefined,
    countStaff: () => undefined,
    refuseSpent: () => undefined,
    support: {
      minutes: 60,
      enter: async () => undefined,
      leave: async () => undefined,
      record: async () => undefined,
    },
    countStored: async () => undefined,
    personOf: async () => (entering ? { name: 'Zoé', language: null, grant: fullGrant, mustSetUp: false } : undefined),
    completeWithCode: async () => ({ ok: false, reason: 'invalid' }) as const,
    passkeys: {
      ask: async () => ({ options: {}, sealed: 'sealed' }),
      complete: async () => ({ ok: false, reason: 'invalid' }) as const,
      waysOf: async () => ({ app: true, passkey: false }),
    },
    proofs: {
      waysOf: async () => ({ app: true, passkey: false }),
      check: async () => ({ ok: true }) as const,
      ask: async () => ({ options: {}, sealed: 'sealed' }),
      checkPasskey: async () => false,
    },
    passwordLinks: {
      delivers: false,
      showsLinks: () => false,
      ask: async () => undefined,
      open: async () => undefined,
      use: async () => undefined,
    },
    invitations: {
      open: async () => undefined,
      withPassword: async () => ({ kind: 'over' as const }),
      signedIn: async () => ({ kind: 'over' as const }),
      asNewPerson: async () => ({ kind: 'over' as const }),
      signIn: async () => ({ ok: false as const, reason: 'over' as const }),
      start: async () => '/admin',
    },
    onError: (error: unknown) => void failures.push(error),
  };
  @Module({
    providers: [{ provide: PanelRouter, useFactory: () => new PanelRouter(options) }],
    exports: [PanelRouter],
  })
  class HomeModule {}
  @Module({ imports: [HomeModule, panelAdmin('tenant', HomeModule), panelAdmin('root', HomeModule)] })
  class PanelOnlyModule {}
  const app = await NestFactory.create<NestExpressApplication>(PanelOnlyModule, {
    bodyParser: false,
    logger: ['error'],
  });
  app.use('/admin', app.get(PanelRouter).router);
  return app.init();
}

const HERE = { 'Sec-Fetch-Site': 'same-origin' };

describe('the panel', () => {
  let nest: NestExpressApplication;
  let app: Server;
  let agent: ReturnType<typeof request.agent>;
  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/build-panel.js']);
    nest = await panel();
    app = nest.getHttpServer();
    agent = request.agent(app);
    const answer = await agent.post('/admin/login').set(HERE).type('form').send({ email: 'zoe@example.org', password: 'right' });
    expect(answer.status).toBe(303);
  });
  afterAll(() => nest.close());

  it('redirects visitors to the sign-in, and back to the requested page', async () => {
    const answer = await request(app).get('/admin/resources/doors?page=2');
    expect(answer.headers['location']).toBe('/admin/login?next=%2Fadmin%2Fresources%2Fdoors%3Fpage%3D2');
    await request(app).get('/admin/api/dashboard').expect(401);
  });
  it('shows how long an account is locked', async () => {
    const answer = await request(app).post('/admin/login').set(HERE).type('form').send({ email: 'a@b.c', password: 'no' });
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('90');
    expect(answer.text).toContain('2 min');
  });
  it.each(['//evil.example', 'https://evil.example', '/admin//evil.example', '/elsewhere', '/admin/logout'])(
    'does not lead to %s after the sign-in',
    async (next) => {
      const answer = await agent.get('/admin/login').query({ next });
      expect(answer.headers['location']).toBe('/admin');
    },
  );
  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    {},
  ])('refuses a form from %j', async (headers) => {
    await agent.post('/admin/api/resources/doors/actions/new').set(headers).field('name', 'x').expect(403);
    await agent.post('/admin/logout').set(headers).expect(403);
  });
  it('is safe against markup in input, and loads nothing from other hosts', async () => {
    const { text, headers } = await agent.get('/admin');
    expect(text.match(/<\/script>/g)).toHaveLength(text.match(/<script/g)!.length);
    expect(text).not.toMatch(/https?:\/\//);
    const nonce = /nonce="([^"]+)"/.exec(text)![1]!;
    expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['cache-control']).toBe('no-store');
  });
  it('uses the language of the request, else that of the place', async () => {
    const english = await agent.get('/admin').set('Accept-Language', 'en-GB, fr;q=0.5');
    expect(english.text).toContain('<html lang="en">');
    expect(english.text).toContain('"Doors"');
    const place = await agent.get('/admin').set('Accept-Language', 'it');
    expect(place.text).toContain('<html lang="fr">');
    expect(place.text).toContain('"Portes"');
  });
  it('serves its files compressed and cacheable for a year', async () => {
    const { text } = await agent.get('/admin');
    const path = /src="(\/admin\/assets\/components[^"]+)"/.exec(text)![1]!;
    const answer = await request(app).get(path).set('Accept-Encoding', 'gzip');
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    await request(app).get('/admin/assets/..%2Fpackage.json').expect(404);
  });
  it('answers 404 for malformed and unknown paths, with a readable reason', async () => {
    const malformed = await agent.get('/admin/api/resources/doors/records/nonsense/show');
    expect(malformed.body).toMatchObject({ notice: { type: 'error', message: 'error404Record' } });
    const other = await agent.get(`/admin/api/resources/doors/records/${ID.replace('0', '1')}/show`);
    expect(other.body).toMatchObject({ notice: { type: 'error', message: 'error404Record' } });
    await agent.get('/admin/api/resources/nope/actions/list').expect(404);
    await agent.get('/admin/api/resources/doors/actions/constructor').expect(404);
  });
  it('hides internal errors from users and logs them', async () => {
    const answer = await agent.get('/admin/api/dashboard').expect(500);
    expect(answer.text).not.toContain('private');
    expect(failures).toHaveLength(1);
  });
  it.each(['json', 'multipart'])('knows the user when the form is %s', async (kind) => {
    writers.length = 0;
    const post = agent.post('/admin/api/resources/doors/actions/new').set(HERE);
    const answer = await (kind === 'json' ? post.send({ name: 'North' }) : post.field('name', 'North'));
    expect(answer.body).toMatchObject({ notice: { type: 'success' } });
    expect(writers).toEqual(['zoe@example.org']);
  });
  it('takes the last value of a field that a form repeats', async () => {
    const post = agent.post('/admin/api/resources/doors/actions/new').set(HERE).field('name', 'North').field('name', 'South');
    expect((await post).body).toMatchObject({ record: { params: { name: 'South' } } });
  });
  it('refuses unreadable and endless bodies, and lengths that it does not allocate', async () => {
    const path = '/admin/api/resources/doors/actions/new';
    await agent.post(path).set(HERE).set('Content-Type', 'application/json').send('{').expect(400);
    await agent.post(path).set(HERE).set('Content-Type', 'multipart/form-data').send('x').expect(400);
    await agent.post(path).set(HERE).set('Content-Type', 'text/plain').send('x').expect(415);
    await agent.post(path).set(HERE).set('Content-Length', '2000000000').expect(413);
    await agent.post(path).set(HERE).set('Transfer-Encoding', 'chunked').expect(411);
  });
  it('offers only actions that the source supports', async () => {
    const answer = await agent.post(`/admin/api/resources/doors/records/${ID}/delete`).set(HERE);
    expect(answer.body).toMatchObject({ notice: { type: 'error' } });
  });
  it('refuses users whose right was removed in the meantime', async () => {
    entering = false;
    await agent.get('/admin/api/dashboard').expect(401);
    entering = true;
  });
  it('ends the session at the sign-out', async () => {
    await agent.post('/admin/logout').set(HERE).expect(303);
    await agent.get('/admin/api/dashboard').expect(401);
  });
});
