import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { UsersService, type TenantIdentity } from '#tenancy';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { newEvent, newTicket } from '../support/builders.js';
import { PanelClient, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { letPass, loopbackAllowed, newReceiver } from '../support/webhooks.js';

const endpoints = 'webhook-endpoints';
const deliveries = 'webhook-deliveries';
const secretShape = /^whsec_[0-9A-Za-z+/]{43}=$/;

let test: TestApp;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
afterAll(() => test.close());

interface Staff extends PanelClient {
  readonly place: TenantIdentity;
}

/** A place with its administrator, signed in. */
async function newStaff(place?: TenantIdentity): Promise<Staff> {
  const tenant = place ?? (await test.newTenant());
  const users = test.app.get(UsersService);
  const { id, email, password } = await users.create({ email: `${randomUUID()}@example.org`, name: 'Staff' });
  await users.grant(id, { tenantId: tenant.id });
  const client = new PanelClient(test, tenant);
  expect((await client.signIn(email, password)).status).toBe(303);
  return Object.assign(client, { place: tenant });
}

async function receiving(staff: Staff, types?: readonly string[]): ReturnType<typeof newReceiver> {
  const made = await newReceiver(test, staff.place, types);
  receivers.push(made.receiver);
  return made;
}

const faults = ({ record }: PanelAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(record?.errors ?? {}).map(([name, { message }]) => [name, message]));
const params = async (staff: Staff, resource: string, id: string): Promise<Record<string, unknown>> =>
  (await staff.look(resource, id)).record!.params;

/** Waits until a page shows these values. */
async function until(staff: Staff, resource: string, id: string, wanted: object): Promise<Record<string, unknown>> {
  for (const end = Date.now() + 10_000; ;) {
    const shown = await params(staff, resource, id);
    try {
      expect(shown).toMatchObject(wanted);
      return shown;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

/** Sends a test through the panel. @returns the id of its delivery */
async function ping(staff: Staff, endpointId: string): Promise<string> {
  const { redirectUrl, notice } = await staff.act(endpoints, endpointId, 'ping');
  expect(notice).toMatchObject({ type: 'success', message: 'pinged' });
  return /^\/admin\/resources\/webhook-deliveries\/records\/([\w-]{36})\/show$/.exec(redirectUrl!)![1]!;
}

describe('an endpoint', () => {
  it('is created with a secret that is shown once, to its creator', async () => {
    const staff = await newStaff();
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    const fields = { url: receiver.url, types: ['ticket.scanned', 'event.created'], description: ' Agenda ' };
    const made = await staff.create(endpoints, fields);
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/${endpoints}/records/${id}/reveal`);
    expect((await staff.look(endpoints, id, 'reveal')).view).toEqual({ state: 'ready' });
    const colleague = await newStaff(staff.place);
    expect((await colleague.act(endpoints, id, 'reveal')).view).toEqual({ state: 'gone' });

    const { view } = await staff.act(endpoints, id, 'reveal');
    expect(view).toEqual({ state: 'shown', text: expect.stringMatching(secretShape) });
    expect((await staff.act(endpoints, id, 'reveal')).view).toEqual({ state: 'gone' });
    const all = JSON.stringify([made, await staff.look(endpoints, id), await staff.list(endpoints)]);
    expect(all).not.toContain('whsec_');
    expect(await params(staff, endpoints, id)).toMatchObject({
      url: receiver.url,
      description: 'Agenda',
      // Stored in the order of the list, independent of the order in the form.
      'types.0': 'event.created',
      'types.1': 'ticket.scanned',
      state: 'active',
      waiting: 0,
      lastSuccessAt: null,
    });

    receiver.secret = String(view!['text']);
    await ping(staff, id);
    await receiver.until(({ length }) => length === 1);
    expect(receiver.refused).toEqual([]);
  });

  it('is refused beside the invalid field, in the language of the user', async () => {
    const staff = await newStaff();
    const types = ['*'];
    const refused = async (fields: object) => faults(await staff.create(endpoints, fields));
    expect(await refused({ url: 'https://10.0.0.1/hook', types })).toEqual({
      url: expect.stringContaining('not public'),
    });
    expect(await refused({ url: 'http://example.org/hook', types })).toEqual({
      url: expect.stringContaining('Use https'),
    });
    expect(await refused({ url: 'nonsense', types })).toEqual({ url: expect.stringContaining('full address') });
    expect(await refused({ url: '', types: ['ticket.eaten'] })).toEqual({
      url: 'fieldRequired',
      types: 'fieldChoice',
    });
    expect(await refused({ url: 'https://example.org/hook' })).toEqual({ types: 'typesNone' });
    const answer = await staff
      .call('post', `/api/resources/${endpoints}/actions/new`)
      .set('Accept-Language', 'fr')
      .send({ url: 'https://10.0.0.1/hook', types });
    expect(faults(answer.body as PanelAnswer)).toEqual({ url: expect.stringContaining('n’est pas publique') });
    expect((await staff.list(endpoints)).records).toEqual([]);
  });

  it('is limited to twenty per place, with a readable refusal', async () => {
    const staff = await newStaff();
    const fields = { url: 'https://example.org/hook', types: ['*'] };
    await test.inside(staff.place, async () => {
      for (let count = 0; count < 20; count += 1) await test.app.get(WebhookEndpointsService).create(fields);
    });
    const refused = await staff.create(endpoints, fields);
    expect(refused.notice).toEqual({
      type: 'error',
      message: 'A place has at most 20 webhook endpoints. Delete one that is no longer needed.',
    });
    expect(refused.redirectUrl).toBeUndefined();
    const { body } = await staff.call('post', `/api/resources/${endpoints}/actions/new`).set('Accept-Language', 'fr').send(fields);
    expect((body as PanelAnswer).notice?.message).toContain('au plus 20 points de terminaison');
    expect((await staff.list(endpoints)).meta!.total).toBe(20);
  });

  it('is changed and keeps what was not sent', async () => {
    const staff = await newStaff();
    const { endpointId } = await receiving(staff, ['ticket.scanned']);
    const edit = (change: object) => staff.act(endpoints, endpointId, 'edit', change);
    expect((await edit({ description: 'Mirror', types: ['event.deleted', '*'] })).notice?.type).toBe('success');
    const shown = await params(staff, endpoints, endpointId);
    expect(shown).toMatchObject({ description: 'Mirror', 'types.0': '*', url: expect.stringContaining('127.0.0.1') });
    expect(shown).not.toHaveProperty(['types.1']);
    expect((await edit({ description: '' })).notice?.type).toBe('success');
    expect(await params(staff, endpoints, endpointId)).toMatchObject({ description: null });
    expect(faults(await edit({ types: [] }))).toEqual({ types: 'typesNone' });
    expect(faults(await edit({ url: 'https://192.168.1.1/' }))).toEqual({ url: expect.any(String) });
    expect((await edit({ state: 'disabled', disabledReason: 'gone' })).notice?.type).toBe('success');
    expect(await params(staff, endpoints, endpointId)).toMatchObject({ state: 'active' });
  });

  it('gets a new secret, shown once, while the old one also signs', async () => {
    const staff = await newStaff();
    const { receiver, endpointId, secret } = await receiving(staff);
    const { redirectUrl } = await staff.act(endpoints, endpointId, 'rotate');
    expect(redirectUrl).toBe(`/admin/resources/${endpoints}/records/${endpointId}/reveal`);
    const { view } = await staff.act(endpoints, endpointId, 'reveal');
    expect(view).toEqual({ state: 'shown', text: expect.stringMatching(secretShape) });
    expect(view!['text']).not.toBe(secret);
    expect((await staff.act(endpoints, endpointId, 'reveal')).view).toEqual({ state: 'gone' });
    const { previousSecretExpiresAt } = await params(staff, endpoints, endpointId);
    expect(Date.parse(String(previousSecretExpiresAt))).toBeGreaterThan(Date.now() + 23.9 * 3_600_000);
    for (const either of [secret, String(view!['text'])]) {
      receiver.secret = either;
      const before = receiver.received.length;
      await ping(staff, endpointId);
      await receiver.until(({ length }) => length > before);
    }
    expect(receiver.refused).toEqual([]);
    await letPass(test, staff.place, '25 hours');
    expect((await params(staff, endpoints, endpointId))['previousSecretExpiresAt']).toBeNull();
  });

  it('is disabled and enabled', async () => {
    const staff = await newStaff();
    const { receiver, endpointId } = await receiving(staff, ['event.created']);
    const delivery = await ping(staff, endpointId);
    await receiver.until(({ length }) => length === 1);
    expect((await staff.act(endpoints, endpointId, 'disable')).notice?.message).toBe('disabled');
    expect(await params(staff, endpoints, endpointId)).toMatchObject({
      state: 'disabled',
      disabledReason: 'staff',
      disabledAt: expect.any(String),
    });
    const { record } = await staff.look(endpoints, endpointId);
    const names = (record as unknown as { recordActions: { name: string }[] }).recordActions.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['enable', 'edit', 'delete', 'rotate']));
    for (const name of ['ping', 'resend', 'disable']) expect(names).not.toContain(name);

    const refused = await staff.act(deliveries, delivery, 'again');
    expect(refused.notice).toEqual({
      type: 'error',
      message: 'This webhook endpoint is disabled. Enable it first.',
    });
    await newEvent(test, staff.place);
    expect((await staff.act(endpoints, endpointId, 'enable')).notice?.message).toBe('enabled');
    expect(await params(staff, endpoints, endpointId)).toMatchObject({ state: 'active', disabledAt: null });
    await ping(staff, endpointId);
    await receiver.until(({ length }) => length >= 2);
  });

  it('is deleted with its deliveries', async () => {
    const staff = await newStaff();
    const { receiver, endpointId } = await receiving(staff);
    const delivery = await ping(staff, endpointId);
    await receiver.until(({ length }) => length === 1);
    const { notice, redirectUrl } = await staff.act(endpoints, endpointId, 'delete');
    expect(notice).toMatchObject({ type: 'success', message: 'successfullyDeleted' });
    expect(redirectUrl).toBe(`/admin/resources/${endpoints}`);
    expect((await staff.look(endpoints, endpointId)).notice?.message).toBe('error404Record');
    expect((await staff.look(deliveries, delivery)).notice?.message).toBe('error404Record');
  });
});

describe('a delivery', () => {
  it('shows the message, every attempt, and the answer of the receiver as text', async () => {
    const staff = await newStaff();
    const { receiver, endpointId } = await receiving(staff, ['event.created']);
    const answer = '<script>alert("answer")</script>';
    receiver.behaviour = (_request, response) => response.writeHead(500, { 'Content-Type': 'text/html' }).end(answer);
    const event = await newEvent(test, staff.place, { name: 'Bal' });
    await receiver.until(({ length }) => length === 1);
    const [first] = receiver.received;
    const id = await firstId(staff, { 'filters.lastStatus': '500' });
    const shown = await until(staff, deliveries, id, { attempts: 1 });
    expect(shown).toMatchObject({
      type: 'event.created',
      title: 'Event created',
      endpointId,
      eventId: first!.id,
      status: 'waiting',
      lastStatus: 500,
      lastFailure: 'status',
      lastOutcome: 'HTTP 500 · Refused by the receiver',
      'progress.status': 'waiting',
      'progress.nextAttemptAt': expect.any(String),
      'progress.attempts.0.at': expect.any(String),
      'progress.attempts.0.milliseconds': expect.any(Number),
      'progress.attempts.0.delivered': false,
      'progress.attempts.0.outcome': 'HTTP 500 · Refused by the receiver',
      'progress.attempts.0.answer': answer,
    });
    expect(shown['body']).toBe(JSON.stringify(JSON.parse(first!.body), null, 2));
    expect(first!.data).toMatchObject({ identifier: event.id });
    const { text } = await staff.call('get', `/resources/${deliveries}/records/${id}/show`).expect(200);
    expect(text).not.toContain('alert("answer")');

    expect(await params(staff, endpoints, endpointId)).toMatchObject({
      state: 'failing',
      waiting: 1,
      'deliveries.items.0.title': 'Event created',
      'deliveries.items.0.href': `/admin/resources/${deliveries}/records/${id}/show`,
      'deliveries.items.0.badge.text': 'Waiting',
      'deliveries.items.0.details': 'HTTP 500 · Refused by the receiver',
      'deliveries.add.href': `/admin/resources/${deliveries}?filters.endpointId=${endpointId}`,
    });

    await staff.act(endpoints, endpointId, 'disable');
    expect(await params(staff, deliveries, id)).toMatchObject({
      status: 'waiting',
      'progress.held': true,
      'progress.nextAttemptAt': null,
    });
    receiver.accept();
    await staff.act(endpoints, endpointId, 'enable');
    await until(staff, deliveries, id, {
      status: 'delivered',
      attempts: 2,
      'progress.nextAttemptAt': null,
      'progress.attempts.0.delivered': true,
      'progress.attempts.0.outcome': 'HTTP 204',
      'progress.attempts.0.answer': '',
      'progress.attempts.1.answer': answer,
    });
    expect((await staff.act(deliveries, id, 'again')).notice?.message).toBe('sentAgain');
    await until(staff, deliveries, id, { status: 'delivered', attempts: 3 });
    expect([...receiver.ids]).toEqual([first!.id]);
    expect(receiver.refused).toEqual([]);
  });

  it('is in French on request', async () => {
    const staff = await newStaff();
    const { receiver, endpointId } = await receiving(staff);
    receiver.behaviour = (_request, response) => response.writeHead(410).end();
    const id = await ping(staff, endpointId);
    await until(staff, endpoints, endpointId, { state: 'disabled', disabledReason: 'gone' });
    const french = async (path: string) => (await staff.call('get', path).set('Accept-Language', 'fr')).body;
    expect(await french(`/api/resources/${deliveries}/records/${id}/show`)).toMatchObject({
      record: {
        title: 'Essai',
        params: { 'progress.attempts.0.outcome': 'HTTP 410 · Le destinataire s’est désabonné (410)' },
      },
    });
    expect(await french(`/api/resources/${endpoints}/records/${endpointId}/show`)).toMatchObject({
      record: {
        params: { 'deliveries.items.0.badge.text': 'Échoué', 'deliveries.add.label': 'Tous ses envois' },
      },
    });
    const { text } = await staff.call('get', `/resources/${endpoints}`).set('Accept-Language', 'fr').expect(200);
    for (const words of ['Point de terminaison', 'Envoyer un essai', 'Billet scanné', 'Tout, y compris']) {
      expect(text).toContain(words);
    }
    const { body } = await staff.call('post', `/api/resources/${deliveries}/records/${id}/again`).set('Accept-Language', 'fr').send({});
    expect((body as PanelAnswer).notice?.message).toContain('est désactivé');
  });

  it('is found by endpoint, state, type and time, newest first', async () => {
    const staff = await newStaff();
    const one = await receiving(staff, ['event.created']);
    const two = await receiving(staff);
    await newEvent(test, staff.place);
    await ping(staff, one.endpointId);
    await one.receiver.until(({ length }) => length === 2);
    await two.receiver.until(({ length }) => length === 1);
    const listed = async (filters: Record<string, string> = {}) => {
      const query = Object.entries(filters).map(([name, value]) => [`filters.${name}`, value]);
      const { records, meta } = await staff.list(deliveries, Object.fromEntries(query));
      expect(meta!.total).toBe(records!.length);
      return records!.map((record) => record.params);
    };
    const all = await listed();
    expect(all.map(({ type }) => type)).toEqual(['webhook.ping', 'event.created', 'event.created']);
    expect(all.every((row) => !('body' in row))).toBe(true);
    expect(await listed({ endpointId: one.endpointId })).toHaveLength(2);
    expect(await listed({ type: 'event.created' })).toHaveLength(2);
    expect(await listed({ type: 'webhook.ping', endpointId: two.endpointId })).toHaveLength(0);
    expect(await listed({ status: 'failed' })).toHaveLength(0);
    const today = new Date().toISOString().slice(0, 10);
    expect(await listed({ 'createdAt~~from': today })).toHaveLength(3);
    expect(await listed({ 'createdAt~~to': '2020-01-01' })).toHaveLength(0);
    for (const name of Object.keys(all[0]!)) await staff.list(deliveries, { sortBy: name, direction: 'asc' });
    for (const name of Object.keys(await params(staff, endpoints, one.endpointId)))
      await staff.list(endpoints, { sortBy: name, direction: 'asc' });
  });

  it('is sent again after a failure, with all others since a time', async () => {
    const staff = await newStaff();
    const { receiver, endpointId } = await receiving(staff, ['event.created']);
    receiver.behaviour = (_request, response) => response.writeHead(503).end();
    for (let count = 0; count < 3; count += 1) await newEvent(test, staff.place);
    await receiver.until(({ length }) => length >= 3);
    await until(staff, endpoints, endpointId, { state: 'failing', waiting: 3 });
    const since = (moment: unknown) => staff.act(endpoints, endpointId, 'resend', { since: moment });
    expect((await staff.look(endpoints, endpointId, 'resend')).view).toBeNull();
    expect(faults(await since('soon'))).toEqual({ since: 'fieldDate' });
    expect(faults(await since({ a: 1 }))).toEqual({ since: 'fieldDate' });
    expect(faults(await since(new Date(Date.now() + 3_600_000).toISOString()))).toEqual({ since: 'sinceFuture' });

    receiver.accept();
    const before = receiver.received.length;
    expect((await since(new Date(Date.now() - 86_400_000).toISOString())).view).toEqual({ queued: 3 });
    await receiver.until(({ length }) => length >= before + 3);
    await until(staff, endpoints, endpointId, { state: 'active', waiting: 0 });
    expect((await since(new Date(Date.now() - 86_400_000).toISOString())).view).toEqual({ queued: 0 });
  });

  it('cannot be created, changed or deleted', async () => {
    const staff = await newStaff();
    const { endpointId } = await receiving(staff);
    const id = await ping(staff, endpointId);
    for (const action of ['edit', 'delete']) expect((await staff.act(deliveries, id, action)).notice?.type).toBe('error');
    expect((await staff.create(deliveries, { endpointId })).notice?.type).toBe('error');
    expect((await staff.look(deliveries, id)).record!.params['endpointId']).toBe(endpointId);
  });
});

/** Waits until a filter finds a delivery. @returns its id */
async function firstId(staff: Staff, query: Record<string, string>): Promise<string> {
  for (const end = Date.now() + 10_000; ;) {
    const [first] = (await staff.list(deliveries, query)).records ?? [];
    if (first) return first.id;
    if (Date.now() > end) throw new Error('No such delivery');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe('another place', () => {
  it('finds neither the endpoints nor the deliveries, and cannot change them', async () => {
    const staff = await newStaff();
    const stranger = await newStaff();
    const { receiver, endpointId } = await receiving(staff);
    const delivery = await ping(staff, endpointId);
    await receiver.until(({ length }) => length === 1);
    expect((await stranger.list(endpoints)).records).toEqual([]);
    expect((await stranger.list(deliveries, { 'filters.endpointId': endpointId })).records).toEqual([]);
    for (const action of ['show', 'edit', 'reveal', 'resend']) {
      expect((await stranger.look(endpoints, endpointId, action)).notice?.message).toBe('error404Record');
    }
    for (const action of ['ping', 'rotate', 'disable', 'resend', 'delete', 'edit']) {
      const since = new Date(0).toISOString();
      expect((await stranger.act(endpoints, endpointId, action, { since })).notice?.type).toBe('error');
    }
    expect((await stranger.look(deliveries, delivery)).notice?.message).toBe('error404Record');
    expect((await stranger.act(deliveries, delivery, 'again')).notice?.type).toBe('error');
    expect(await params(staff, endpoints, endpointId)).toMatchObject({
      state: 'active',
      previousSecretExpiresAt: null,
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('has no webhooks without a catalogue', async () => {
    const meta = await newStaff(await test.newTenant({ category: 'M' }));
    for (const resource of [endpoints, deliveries]) {
      const { body } = await meta.call('get', `/api/resources/${resource}/actions/list`);
      expect((body as PanelAnswer).records).toEqual([]);
      expect((body as PanelAnswer).notice?.type).toBe('error');
    }
    expect((await meta.create(endpoints, { url: 'https://example.org/', types: ['*'] })).notice?.type).toBe('error');
    const { body } = await meta.call('get', '/api/dashboard').expect(200);
    expect(body).toMatchObject({ kind: 'tonight', webhooks: [] });
  });
});

describe('the start page', () => {
  it('shows failing endpoints, and no others', async () => {
    const staff = await newStaff();
    const webhooks = async () => (await staff.call('get', '/api/dashboard').expect(200)).body.webhooks;
    const failing = await receiving(staff, ['ticket.scanned']);
    const gone = await receiving(staff, ['ticket.scanned']);
    const resting = await receiving(staff, ['ticket.scanned']);
    const fine = await receiving(staff, ['ticket.scanned']);
    failing.receiver.behaviour = (_request, response) => response.writeHead(500).end();
    gone.receiver.behaviour = (_request, response) => response.writeHead(410).end();
    for (const { endpointId, receiver } of [failing, gone, fine]) {
      await ping(staff, endpointId);
      await receiver.until(({ length }) => length === 1);
    }
    await staff.act(endpoints, resting.endpointId, 'disable');
    await until(staff, endpoints, gone.endpointId, { state: 'disabled' });
    await until(staff, endpoints, failing.endpointId, { state: 'failing' });
    const href = (id: string): string => `/admin/resources/${endpoints}/records/${id}/show`;
    const goneNotice = {
      url: gone.receiver.url,
      trouble: 'gone',
      since: expect.any(String),
      href: href(gone.endpointId),
    };
    expect(await webhooks()).toEqual([goneNotice]);

    await letPass(test, staff.place, '61 minutes');
    expect(await webhooks()).toEqual([
      { url: failing.receiver.url, trouble: 'failing', since: expect.any(String), href: href(failing.endpointId) },
      goneNotice,
    ]);
    // The next attempt is due now and disables the endpoint.
    await letPass(test, staff.place, '5 days');
    await until(staff, endpoints, failing.endpointId, { state: 'disabled', disabledReason: 'failing' });
    expect(await webhooks()).toMatchObject([{ trouble: 'givenUp' }, { trouble: 'gone' }]);
    await staff.act(endpoints, failing.endpointId, 'enable');
    await staff.act(endpoints, gone.endpointId, 'delete');
    expect(await webhooks()).toEqual([]);
  });
});

describe('an event', () => {
  it('is deleted when it has no reservations, and otherwise refused with a reason', async () => {
    const staff = await newStaff();
    const free = await newEvent(test, staff.place);
    const booked = await newEvent(test, staff.place);
    await newTicket(test, staff.place, { event: booked });
    const { notice, redirectUrl } = await staff.act('events', free.id, 'delete');
    expect(notice).toMatchObject({ type: 'success', message: 'successfullyDeleted' });
    expect(redirectUrl).toBe('/admin/resources/events');
    expect((await staff.look('events', free.id)).notice?.message).toBe('error404Record');

    const refused = await staff.act('events', booked.id, 'delete');
    expect(refused.notice).toEqual({
      type: 'error',
      message: 'This event has reservations: unpublish it instead.',
    });
    const french = await staff.call('post', `/api/resources/events/records/${booked.id}/delete`).set('Accept-Language', 'fr').send({});
    expect((french.body as PanelAnswer).notice?.message).toContain('a des réservations');
    expect((await staff.look('events', booked.id)).record!.params['id']).toBe(booked.id);
  });
});
