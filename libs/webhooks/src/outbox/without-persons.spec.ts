import { describe, expect, it } from '@jest/globals';
import { withoutPersons } from './without-persons.js';

const ada = { '@type': 'Person', email: 'Ada@example.org', givenName: 'Ada', familyName: 'Martin' };
const nobody = { '@type': 'Person' };
const bob = { '@type': 'Person', givenName: 'Bob' };
const form = { '@type': 'PropertyValue', name: 'customForm', value: [{ propertyID: 'diet', name: 'Diet', value: 'none' }] };
const status = { '@type': 'PropertyValue', name: 'status', value: 'V' };
const reservation = {
  identifier: 'r',
  underName: ada,
  reservationFor: { identifier: 'e', name: 'Evening' },
  reservedTicket: [
    { identifier: 't1', name: 'Full price', underName: bob, additionalProperty: [form] },
    { identifier: 't2', underName: ada },
  ],
  additionalProperty: [status, form],
};

describe('a payload without a person', () => {
  it('has no names, addresses and answers in the objects of that person, and all else', () => {
    expect(withoutPersons(reservation, new Set(['r']))).toEqual({
      ...reservation,
      underName: nobody,
      reservedTicket: [
        { identifier: 't1', name: 'Full price', underName: nobody, additionalProperty: [] },
        { identifier: 't2', underName: nobody },
      ],
      additionalProperty: [status],
    });
  });

  it('keeps the people of other objects', () => {
    const blank = withoutPersons(reservation, new Set(['t1'])) as typeof reservation;
    expect([blank.underName, blank.reservedTicket[0]!.underName, blank.reservedTicket[1]!.underName]).toEqual([ada, nobody, ada]);
  });

  it('has no person with the address, in any case of its letters', () => {
    const blank = withoutPersons(reservation, new Set(['ada@example.org'])) as typeof reservation;
    expect([blank.underName, blank.reservedTicket[0]!.underName]).toEqual([nobody, bob]);
  });

  it('knows tickets of the other interface, and facts of scans', () => {
    const ticket = { uuid: 't', reservation_uuid: 'r', first_name: 'Ada', last_name: 'Martin', scanned_by_name: 'Door' };
    expect(withoutPersons(ticket, new Set(['r']))).toEqual({ ...ticket, first_name: '', last_name: '' });
    const facts = {
      facts: { ticket: { uuid: 't', firstName: 'Ada', lastName: 'Martin' }, event: { uuid: 'e', name: 'Evening' } },
      seat: 'L',
    };
    expect(withoutPersons(facts, new Set(['t']))).toEqual({
      ...facts,
      facts: { ...facts.facts, ticket: { uuid: 't', firstName: '', lastName: '' } },
    });
  });
});
