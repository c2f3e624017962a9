import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Reason, ScanResult } from '../core/types.js';
import { fillText, type Texts } from '../texts/fill-text.js';
import { flatTexts, type TextTree } from '../texts/flat-texts.js';
import { laterDetail, laterStep } from './later-steps.js';
import { networkWords } from './network-words.js';
import { resultWords, type Surroundings } from './result-words.js';

const catalogue = (language: string): TextTree => JSON.parse(readFileSync(`locales/${language}/door.json`, 'utf8')) as TextTree;
const texts = (language: string): Texts => flatTexts(catalogue(language));
const now = Date.parse('2026-11-23T20:31:00+01:00');
const around = (language: string, locale: string): Surroundings => ({
  t: (key, parameters = {}) => fillText(texts(language), locale, key, parameters),
  locale,
  zone: 'Europe/Paris',
  now,
  listAt: Date.parse('2026-11-23T19:42:00+01:00'),
});
const english = around('en', 'en-GB');

const none = { event: null, place: null, startsAt: null, gates: [], opensAt: null, holder: null };
const result = (more: Partial<ScanResult>): ScanResult => ({
  scanId: '1',
  verdict: 'stop',
  reason: null,
  decidedBy: 'server',
  provisional: false,
  at: now,
  direction: 'entry',
  holder: { firstName: 'Ada', lastName: 'Lovelace' },
  product: 'Concert',
  price: 'Concert',
  notes: [],
  age: null,
  previous: null,
  group: null,
  nextStep: null,
  other: none,
  undoUntil: null,
  practice: false,
  ...more,
});

describe('the words of a result', () => {
  it('say why, since when, at which gate and what to do', () => {
    const previous = { at: now - 11 * 60_000, gate: 'Hall B', device: 'Pixel 8' };
    const words = resultWords(result({ reason: 'already_scanned', previous }), english);
    expect(words).toMatchObject({
      word: 'Stop',
      reason: 'Already used',
      detail: '20:20 · Hall B · Pixel 8',
      step: 'Send to the box office',
      product: 'Concert',
    });
    expect(words.spoken).toBe('Stop. Already used. Ada Lovelace. Concert. 20:20 · Hall B · Pixel 8. Send to the box office');
  });

  it.each([
    ['en', 'en-GB', ['Cancelled', 'Tue 10 Nov, 14:03']],
    ['fr', 'fr-FR', ['Billet annulé', 'mar. 10 nov., 14:03']],
    ['de', 'de-DE', ['Storniert', 'Di., 10. Nov., 14:03']],
    ['es', 'es-ES', ['Anulada', 'mar, 10 nov, 14:03']],
  ])('say since when a ticket is cancelled (%s)', (language, locale, said) => {
    const cancelled = result({ reason: 'cancelled', previous: { at: Date.parse('2026-11-10T14:03:00+01:00'), gate: null, device: null } });
    const { reason, detail } = resultWords(cancelled, around(language, locale));
    expect([reason, detail]).toEqual(said);
  });

  it('say how long ago this phone admitted the code', () => {
    const words = resultWords(result({ verdict: 'just', previous: { at: now - 4_000, gate: null, device: null } }), english);
    expect([words.word, words.detail, words.step]).toEqual(['Done', 'Just admitted, 4 seconds ago', null]);
  });

  it('name the other event, the other gates and the opening', () => {
    const other = { ...none, event: 'Bal folk', place: 'Hall C', startsAt: now + 86_400_000, gates: ['A', 'B'], opensAt: now + 60_000 };
    expect(resultWords(result({ reason: 'wrong_event', other }), english)).toMatchObject({
      detail: 'Bal folk · Hall C · Tuesday 20:31',
      step: 'Send to Hall C',
    });
    expect(resultWords(result({ reason: 'wrong_gate', other: { ...none, gates: ['A', 'B'] } }), english).step).toBe('Send to A or B');
    expect(resultWords(result({ reason: 'too_early', other: { ...none, opensAt: now + 60_000 } }), english).step).toBe('Let in from 20:32');
  });

  it('send to the device that lets these tickets in while there is no network, and else to the box office', () => {
    const other = { ...none, holder: { device: 'Pixel 8', gate: 'Hall B' } };
    expect(resultWords(result({ reason: 'other_device', other }), english).step).toBe('Send to Pixel 8, Hall B');
    expect(resultWords(result({ reason: 'other_device' }), english).step).toBe('Send to the box office');
    expect(resultWords(result({ reason: 'not_in_list' }), english).step).toBe('Send to the box office');
    expect(resultWords(result({ verdict: 'ask', reason: 'not_in_list' }), english).step).toMatch(/^Read the date on the ticket/);
  });

  it('say what to collect by the list, and who of a group may come in, as soon as that part has loaded', () => {
    const unpaid = result({ reason: 'not_paid', nextStep: { code: 'pay', text: null, due: '4.00' } });
    const group = { count: 5, inside: 1, expected: 4 };
    const others = result({ reason: 'already_scanned', group, nextStep: { code: 'to_desk', text: 'Send to the box office' } });
    const later = { ...english, later: { laterStep, laterDetail } };
    expect([unpaid, others].map((one) => resultWords(one, later).step)).toEqual(['Collect €4 at the box office', 'Only the others']);
    expect([unpaid, others].map((one) => resultWords(one, english).step)).toEqual([
      'Send to the box office to pay',
      'Send to the box office',
    ]);
    for (const step of [{ ...others, direction: 'exit' } as const, { ...others, group: { ...group, inside: 5, expected: 0 } }])
      expect(resultWords(step, later).step).toBe('Send to the box office');
  });

  it.each([
    [
      { validity: 'valid', valid_until: '2027-01-01T00:00:00+01:00' },
      'Membership until 31 December 2026',
      /ask for the code of the ticket/,
    ],
    [{ validity: 'valid', valid_until: null }, 'Membership without end', /ask for the code of the ticket/],
    [{ validity: 'expired', valid_until: '2026-01-01T00:00:00+01:00' }, 'Membership ended on 31 December 2025', /Send to the box office/],
    [{ validity: 'not_yet_valid', valid_from: '2027-02-01T00:00:00+01:00' }, 'Membership from 1 February 2027', /Send to the box office/],
    [{ validity: 'not_paid' }, 'Not paid', /Send to the box office/],
    [{ validity: 'cancelled' }, 'Cancelled', /Send to the box office/],
    // A server of an earlier version.
    [{ valid_until: '2026-01-01T00:00:00+01:00' }, 'Membership ended on 31 December 2025', /Send to the box office/],
  ])('say of a membership card until when it is valid, and what to do: %j', (member, detail, step) => {
    const words = resultWords(result({ verdict: 'member', reason: 'membership', member }), {
      ...english,
      later: { laterStep, laterDetail },
    });
    expect(words).toMatchObject({ word: 'Member', reason: 'Membership card, not a ticket', detail, step: expect.stringMatching(step) });
  });

  it('prefer the next step of the server', () => {
    const nextStep = { code: 'pay', text: 'Collect 4 €' };
    expect(resultWords(result({ reason: 'not_paid', nextStep }), english).step).toBe('Collect 4 €');
  });

  it('say the date of birth that the age needs', () => {
    expect(resultWords(result({ verdict: 'go', age: 18 }), english).age).toBe('From 18 years: born on 23 November 2008 or before');
  });

  it('say notes to who comes in only, and the age also when a person decides', () => {
    const shown = (verdict: ScanResult['verdict']): unknown[] => {
      const { notes, age, spoken } = resultWords(result({ verdict, notes: ['Red wristband'], age: 18 }), english);
      return [notes.length, age !== null, spoken.includes('Red wristband')];
    };
    expect(shown('go')).toEqual([1, true, true]);
    expect(shown('just')).toEqual([1, true, true]);
    expect(shown('ask')).toEqual([0, true, false]);
    expect(shown('stop')).toEqual([0, false, false]);
    expect(shown('out')).toEqual([0, false, false]);
  });

  it.each(['en', 'fr', 'de', 'es'])('have a word, a reason and a step for every refusal in %s', (language) => {
    const { reasons, words } = catalogue(language) as { reasons: Record<string, string>; words: Record<string, string> };
    const here = around(language, language);
    for (const reason of Object.keys(reasons)) {
      const found = resultWords(result({ reason: reason as Reason }), here);
      expect([found.reason, reason]).toEqual([reasons[reason], reason]);
      expect([reason, found.step]).toEqual([reason, expect.stringMatching(/ /)]);
      expect([reason, found.step]).toEqual([reason, expect.not.stringMatching(/[{}]/)]);
    }
    // One word, or two short ones, in letters that are read at two metres.
    expect(Object.values(words).filter((word) => word.length > 9)).toEqual([]);
    expect(new Set(Object.values(words)).size).toBe(6);
  });
});

describe('the words about the network', () => {
  const listAt = english.listAt;
  it.each([
    [{ kind: 'live', listAt, unsent: 0 }, 'Live'],
    [{ kind: 'live', listAt, unsent: 3 }, 'Live, 3 to send'],
    [{ kind: 'slow', listAt, unsent: 0 }, 'Slow: list of 19:42'],
    [{ kind: 'offline', listAt, unsent: 0 }, 'Offline: list of 19:42'],
    [{ kind: 'offline', listAt, unsent: 37 }, 'Offline, 37 to send'],
  ] as const)('%o: %s', (state, words) => expect(networkWords(state, english)).toBe(words));
});
