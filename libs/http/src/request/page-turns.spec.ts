import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { runInRequest, tenantSlot } from '#kernel';
import { PageTurns } from './page-turns.js';

/** A request that says when its handler began. */
function open(turns: PageTurns, path: string, { tenant = 'venue', ip = '192.0.2.1' } = {}) {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const state = { begun: false, refused: undefined as unknown, end: () => response.emit('close') };
  const next = (error?: unknown): void => void (error ? (state.refused = error) : (state.begun = true));
  const run = (): unknown => turns.middleware({ path } as Request, response as unknown as Response, next);
  runInRequest({ requestId: path, ip }, () => (tenant === '' ? run() : tenantSlot.run({ id: tenant }, run)));
  return state;
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
};

describe('PageTurns', () => {
  it('begins a few pages at a time, and leaves some turns to other tenants', async () => {
    const turns = new PageTurns();
    const own = Array.from({ length: 10 }, () => open(turns, '/event/rush'));
    await settled();
    expect(own.map(({ begun }) => begun)).toEqual([...Array<boolean>(6).fill(true), ...Array<boolean>(4).fill(false)]);
    const other = open(turns, '/event/quiet', { tenant: 'other' });
    await settled();
    expect(other.begun).toBe(true);
    own[0]!.end();
    await settled();
    expect(own.filter(({ begun }) => begun)).toHaveLength(7);
  });

  it.each(['/scan/ticket/', '/api/v2/reservations/', '/payments/stripe/webhook/', '/images/1'])('never lets %s wait', async (path) => {
    const turns = new PageTurns();
    for (let count = 0; count < 10; count += 1) open(turns, '/event/rush');
    const request = open(turns, path);
    expect(request.begun).toBe(true);
    expect(open(turns, '/live', { tenant: '' }).begun).toBe(true);
  });

  it('takes the networks in turns', async () => {
    const turns = new PageTurns();
    const many = Array.from({ length: 20 }, () => open(turns, '/event/rush'));
    const one = open(turns, '/event/rush', { ip: '198.51.100.1' });
    await settled();
    for (const { end } of many.slice(0, 2)) end();
    await settled();
    expect(one.begun).toBe(true);
    expect(many.filter(({ begun }) => begun)).toHaveLength(7);
  });

  it('does not count a page that waits for something else', async () => {
    const turns = new PageTurns();
    for (let count = 0; count < 6; count += 1) open(turns, '/order/slow');
    const next = open(turns, '/event/rush');
    await settled();
    expect(next.begun).toBe(false);
    await eventually(() => expect(next.begun).toBe(true), { timeout: 5000 });
  });

  it('tells when many wait, and forgets who went away', async () => {
    const turns = new PageTurns();
    const isCrowded = (): boolean => tenantSlot.run({ id: 'venue' }, () => turns.isCrowded());
    const waiting = Array.from({ length: 60 }, () => open(turns, '/event/rush')).slice(6);
    await settled();
    expect(isCrowded()).toBe(true);
    for (const { end } of waiting) end();
    await delay(0);
    expect(isCrowded()).toBe(false);
    expect(waiting.some(({ begun }) => begun)).toBe(false);
  });
});
