import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookWorker } from '#webhooks';
import { newEvent } from '../support/builders.js';
import { recordFaults, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { deliveries, endpoints, params, ping, webhookStaff, type Staff } from '../support/webhook-staff.js';
import { letPass, loopbackAllowed } from '../support/webhooks.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
afterEach(() => stopReceivers());
afterAll(() => test.close());

const { newStaff, receiving, stopReceivers } = webhookStaff(() => test);

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
    const today = new Date().toISOString().slice(0, 10);
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
    expect(recordFaults(await since('soon'))).toEqual({ since: 'fieldDate' });
    expect(recordFaults(await since({ a: 1 }))).toEqual({ since: 'fieldDate' });
    expect(recordFaults(await since(new Date(Date.now() + 3_600_000).toISOString()))).toEqual({ since: 'sinceFuture' });

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
