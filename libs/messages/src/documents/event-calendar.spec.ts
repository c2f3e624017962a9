import { describe, expect, it } from '@jest/globals';
import { reservationFacts } from '../../../../test/support/mail-facts.js';
import { eventCalendar } from './event-calendar.js';

/** The unfolded lines. */
const unfolded = (ics: string): string[] => ics.replaceAll('\r\n ', '').split('\r\n');

describe('the calendar event', () => {
  it('has the UID of the reservation, and times, place and address of the event', () => {
    const lines = unfolded(eventCalendar(reservationFacts('fr')).toString());
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'UID:0b2c7a52-91f4-4e8d-8a33-000000000000',
        'DTSTART:20261120T193000Z',
        'DTEND:20261120T220000Z',
        'SUMMARY:Cabaret d’automne',
        'LOCATION:Salle des fêtes\\, 12 rue de l’Église\\, 69001 Lyon',
        'URL;VALUE=URI:https://ile.example.org/event/cabaret',
      ]),
    );
    expect(lines.at(-1)).toBe('');
  });

  it('does not let texts inject lines, and omits unknown fields', () => {
    const facts = reservationFacts('en', [], {
      name: 'A\r\nATTENDEE:mailto:x@example.org\u2028B\u0000',
      endsAt: null,
      place: null,
      url: 'javascript:alert(1)',
    });
    const lines = unfolded(eventCalendar(facts).toString());
    expect(lines).toContain('SUMMARY:A ATTENDEE:mailto:x@example.org B');
    expect(lines.filter((line) => /^(ATTENDEE|LOCATION|DTEND|URL)/.test(line))).toEqual([]);
  });
});
