import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScanningDevicesService } from '#scan';
import { ApiKeysService, type TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTickets } from '../support/builders.js';
import { recordFaults, type PanelAnswer, type PanelClient } from '../support/panel-client.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { staffOf } from '../support/panel-staff.js';

let test: TestApp;
let alpha: TenantIdentity;
let beta: TenantIdentity;
let staff: PanelClient;
beforeAll(async () => {
  test = await startTestApp();
  alpha = await test.newTenant({ name: 'Alphaplace' });
  beta = await test.newTenant({ name: 'Betaplace' });
  staff = await staffOf(test, alpha);
});
afterAll(() => test.close());

const ids = ({ records = [] }: PanelAnswer): string[] => records.map(({ id }) => id);

describe('a scanning device', () => {
  it('is created, shows its code once, is paired, renewed, archived and restored', async () => {
    const made = await staff.create('devices', { name: 'South door' });
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/devices/records/${id}/pair`);
    const { view } = await staff.look('devices', id, 'pair');
    expect(view).toMatchObject({
      state: 'open',
      picture: expect.stringMatching(/^data:image\/svg/),
      expiresAt: expect.any(String),
    });
    const address = new URL(String(view!['address']));
    expect(address.host).toBe(alpha.host);
    expect(JSON.stringify(made)).not.toContain(address.pathname.split('/')[2]);

    // Viewing the page neither uses nor renews the code, and no other user sees it.
    const hash = () => test.database.query(`select pairing_token_hash from "${alpha.schemaName}".scanning_device where id = $1`, [id]);
    const before = await hash();
    expect((await staff.look('devices', id, 'pair')).view).toEqual(view);
    const colleague = await staffOf(test, alpha);
    expect((await colleague.look('devices', id, 'pair')).view).toEqual({ state: 'hidden' });
    expect(await hash()).toEqual(before);

    const paired = await test.on(alpha).get(address.pathname).expect(200);
    const asDevice = () =>
      test
        .on(alpha)
        .get('/scan/keys/')
        .set('Authorization', `Api-Key ${(paired.body as { api_key: string }).api_key}`);
    await asDevice().expect(200);
    expect((await staff.look('devices', id, 'pair')).view).toEqual({ state: 'spent' });
    await staff.act('devices', id, 'archive');
    await asDevice().expect(403);
    await staff.act('devices', id, 'restore');
    await asDevice().expect(200);
    await staff.act('devices', id, 'edit', { name: 'North door' });
    expect((await staff.look('devices', id)).record!.params).toMatchObject({ name: 'North door', state: 'paired' });

    const renewed = await staff.act('devices', id, 'pair');
    expect(renewed.view).toMatchObject({ state: 'open' });
    await asDevice().expect(401);
    // A newer code of a colleague invalidates this one, so it is no longer shown.
    await colleague.act('devices', id, 'pair');
    expect((await staff.look('devices', id, 'pair')).view).toEqual({ state: 'hidden' });
  });

  it('may search tickets when staff allow it', async () => {
    const made = await staff.create('devices', { name: 'Guest list' });
    const id = made.record!.id;
    const params = async () => (await staff.look('devices', id)).record!.params;
    expect(await params()).toMatchObject({ name: 'Guest list', role: 'scan' });
    await staff.act('devices', id, 'edit', { name: 'Guest list', role: 'search' });
    expect(await params()).toMatchObject({ name: 'Guest list', role: 'search' });
    await staff.act('devices', id, 'edit', { name: 'Guests' });
    expect(await params()).toMatchObject({ name: 'Guests', role: 'search' });
    await staff.act('devices', id, 'edit', { role: 'scan' });
    expect(await params()).toMatchObject({ name: 'Guests', role: 'scan' });
    const allowed = await staff.create('devices', { name: 'Box office', role: 'supervisor' });
    expect((await staff.look('devices', allowed.record!.id)).record!.params).toMatchObject({ role: 'supervisor' });
  });

  it('counts today’s entries without undone scans, and names a check by its result', async () => {
    const door = await newDevice(test, alpha, 'Counting door');
    const event = await newEvent(test, alpha);
    const [one, two, seen] = await newTickets(test, alpha, { event, count: 3 });
    const at = (path: string, body: object) =>
      test.on(alpha).post(`/scan/${path}/`).set('Authorization', door.authorization).send(body).expect(200);
    const entries = async () => [
      (await staff.look('devices', door.id)).record!.params['scansToday'],
      (await test.inside(alpha, () => test.app.get(ScanningDevicesService).overview({ id: door.id })))[0]?.scansToday,
    ];
    await at('check_ticket', { qrcode_data: seen!.code });
    expect(await entries()).toEqual([0, 0]);
    await at('ticket', { qrcode_data: one!.code });
    await at('ticket', { qrcode_data: two!.code });
    expect(await entries()).toEqual([2, 2]);
    await at('undo', { qrcode_data: two!.code, reason: 'wrong door' });
    expect(await entries()).toEqual([1, 1]);
    await at('ticket', { qrcode_data: two!.code });
    expect(await entries()).toEqual([2, 2]);

    const outcomes = async (filters: Record<string, string>) =>
      (await staff.list('scan-log', { 'filters.deviceId': door.id, ...filters })).records!.map(({ params }) => params['outcome']);
    expect(await outcomes({})).toEqual(['accepted', 'undone', 'accepted', 'accepted', 'may_enter']);
    expect(await outcomes({ 'filters.outcome': 'accepted' })).toHaveLength(3);
    expect(await outcomes({ 'filters.outcome': 'may_enter' })).toHaveLength(1);
    const { params } = (await staff.look('tickets', seen!.id)).record!;
    expect(Object.values(params)).toContain('Checked: may enter');
    expect(Object.values(params)).not.toContain('Admitted');
  });

  it('shows that its code has expired, and refuses an invalid name', async () => {
    const made = await staff.create('devices', { name: 'Late door' });
    await test.database.query(`update "${alpha.schemaName}".scanning_device set pairing_expires_at = now() where id = $1`, [
      made.record!.id,
    ]);
    expect((await staff.look('devices', made.record!.id, 'pair')).view).toEqual({ state: 'expired' });
    expect(recordFaults(await staff.create('devices', { name: 'x'.repeat(101) }))).toEqual({
      name: expect.stringContaining('100 characters'),
    });
  });
});

describe('an API key', () => {
  const usable = (text: string, tenant = alpha) =>
    test.inside(tenant, () => test.app.get(ApiKeysService).authenticate(text, '192.0.2.7', false));

  it('is shown once, works with its scopes, and stops when it is revoked', async () => {
    const made = await staff.create('keys', {
      name: 'Website',
      scopes: ['event:read', 'ticket:write'],
      allowedAddresses: '192.0.2.0/24\n2001:db8::1',
    });
    const id = made.record!.id;
    expect(made.redirectUrl).toBe(`/admin/resources/keys/records/${id}/reveal`);
    const colleague = await staffOf(test, alpha);
    expect((await colleague.act('keys', id, 'reveal')).view).toEqual({ state: 'gone' });
    expect((await staff.look('keys', id, 'reveal')).view).toEqual({ state: 'ready' });
    const { view } = await staff.act('keys', id, 'reveal');
    expect((await staff.act('keys', id, 'reveal')).view).toEqual({ state: 'gone' });
    expect((await staff.look('keys', id, 'reveal')).view).toEqual({ state: 'gone' });

    const key = String(view!['text']);
    expect(await usable(key)).toMatchObject({
      kind: 'integration',
      scopes: ['event:read', 'ticket:write'],
      ownerId: expect.any(String),
    });
    await expect(usable(key, beta)).rejects.toThrow('key.unknown');
    expect((await staff.look('keys', id)).record!.params).toMatchObject({
      state: 'active',
      allowedAddresses: '192.0.2.0/24\n2001:db8::1',
      'scopes.0': 'event:read',
    });
    await staff.act('keys', id, 'revoke');
    await expect(usable(key)).rejects.toThrow('key.revoked');
    expect((await staff.look('keys', id)).record!.params['state']).toBe('revoked');
  });

  it('is refused without scopes, with an invalid address or an end in the past', async () => {
    expect(recordFaults(await staff.create('keys', { name: 'x' }))).toEqual({ scopes: 'Choose at least one scope.' });
    expect(recordFaults(await staff.create('keys', { name: 'x', scopes: ['everything'] }))).toEqual({
      scopes: 'fieldChoice',
    });
    expect(recordFaults(await staff.create('keys', { name: 'x', scopes: ['event:read'], allowedAddresses: '300.1.1.1' }))).toEqual({
      allowedAddresses: expect.stringContaining('300.1.1.1'),
    });
    expect(recordFaults(await staff.create('keys', { name: 'x', scopes: ['event:read'], expiresAt: '2020-01-01T00:00:00.000Z' }))).toEqual({
      expiresAt: 'expiresPast',
    });
  });

  it('of a device is not in the list and cannot be revoked there', async () => {
    const made = await staff.create('devices', { name: 'Keyed door' });
    const { view } = await staff.look('devices', made.record!.id, 'pair');
    const { body } = await test
      .on(alpha)
      .get(new URL(String(view!['address'])).pathname)
      .expect(200);
    const [, keyId] = (body as { api_key: string }).api_key.split('_');
    expect(ids(await staff.list('keys'))).not.toContain(keyId);
    await staff.act('keys', keyId!, 'revoke');
    await test
      .on(alpha)
      .get('/scan/keys/')
      .set('Authorization', `Api-Key ${(body as { api_key: string }).api_key}`)
      .expect(200);
  });
});
