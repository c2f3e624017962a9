import { describe, expect, it } from '@jest/globals';
import type { DoorEvent } from '../core/types.js';
import { asksForGate, suggestedEvent } from './suggestion.js';

const hour = 3_600_000;
const event = (id: string, start: number, more: Partial<DoorEvent> = {}): DoorEvent => ({
  id,
  name: id,
  place: null,
  start,
  end: null,
  doors: null,
  closes: null,
  ...more,
});

describe('the suggested event', () => {
  const evening = event('evening', 20 * hour, { end: 23 * hour });
  const night = event('night', 24 * hour);

  it.each([
    [16, null],
    [17, 'evening'],
    [21, 'evening'],
    [23, 'night'],
    [27, 'night'],
    [29, null],
  ])('at hour %i is %s', (at, id) => expect(suggestedEvent([night, evening], at * hour)?.id ?? null).toBe(id));

  it('lasts until its scan window closes', () => {
    expect(suggestedEvent([event('long', 10 * hour, { end: 11 * hour, closes: 15 * hour })], 14 * hour)?.id).toBe('long');
  });
});

describe('the question for the gate', () => {
  const gates = [{ id: 'a', name: 'A', inside: 0 }];
  it('comes once, when there are gates and none is set', () => {
    expect(asksForGate(gates, null, false)).toBe(true);
    expect(asksForGate(gates, null, true)).toBe(false);
    expect(asksForGate(gates, gates[0] ?? null, false)).toBe(false);
    expect(asksForGate([], null, false)).toBe(false);
  });
});
