import { describe, expect, it } from '@jest/globals';
import { states, type PackTicket } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import { standingOf } from './standing.js';

const types = new Map([
  ['pass', { entry: 'daily' }],
  ['ticket', { entry: null }],
]);
const pack = { types, gates: [], devices: new Map(), head: { time_zone: 'Europe/Paris' } } as unknown as Pack;
const place = (typeId: string, scanned: string, now: string, own?: string): number => {
  const ticket = { typeId, state: states.inside, moment: Date.parse(scanned) / 1000 } as PackTicket;
  const move = own === undefined ? undefined : { place: 1 as const, at: Date.parse(own), settled: false };
  return standingOf(pack, ticket, move as never, { gate: null, device: null }, Date.parse(now)).place;
};

describe('a ticket that was scanned on an earlier day', () => {
  it('is expected again from four o’clock on when its price lets in once a day', () => {
    expect(place('pass', '2027-06-05T20:00:00Z', '2027-06-06T01:59:00Z')).toBe(1);
    expect(place('pass', '2027-06-05T20:00:00Z', '2027-06-06T02:00:00Z')).toBe(0);
    expect(place('ticket', '2027-06-05T20:00:00Z', '2027-06-06T02:00:00Z')).toBe(1);
    // An entry at two in the night belongs to the day before.
    expect(place('pass', '2027-06-06T00:00:00Z', '2027-06-06T02:00:00Z')).toBe(0);
    // The clocks change at this night.
    expect(place('pass', '2027-03-27T20:00:00Z', '2027-03-28T01:59:00Z')).toBe(1);
    expect(place('pass', '2027-03-27T20:00:00Z', '2027-03-28T02:00:00Z')).toBe(0);
  });

  it('is inside after this device let it in today', () => {
    expect(place('pass', '2027-06-05T20:00:00Z', '2027-06-06T18:10:00Z', '2027-06-06T18:00:00Z')).toBe(1);
  });
});
