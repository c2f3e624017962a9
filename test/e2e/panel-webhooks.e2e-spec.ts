import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookEndpointsService, WebhookWorker } from '#webhooks';
import { newEvent, newTicket } from '../support/builders.js';
import { recordFaults, type PanelAnswer } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { deliveries, endpoints, params, ping, webhookStaff } from '../support/webhook-staff.js';
import { letPass, loopbackAllowed } from '../support/webhooks.js';

const secretShape = /^whsec_[0-9A-Za-z+/]{43}=$/;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ tenants: 'some', environment: loopbackAllowed });
  test.app.get(WebhookWorker).start();
});
afterEach(() => stopReceivers());
afterAll(() => test.close());

const { receivers, newStaff, receiving, stopReceivers } = webhookStaff(() => test);

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
    const refused = async (fields: object) => recordFaults(await staff.create(endpoints, fields));
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
    expect(recordFaults(answer.body as PanelAnswer)).toEqual({ url: expect.stringContaining('n’est pas publique') });
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
    expect(recordFaults(await edit({ types: [] }))).toEqual({ types: 'typesNone' });
    expect(recordFaults(await edit({ url: 'https://192.168.1.1/' }))).toEqual({ url: expect.any(String) });
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
