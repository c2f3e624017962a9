import { generateKeyPairSync } from 'node:crypto';
import { type MembershipMailFacts, type MailEvent, type ReservationMailFacts } from '#messages';
import { renderCode } from '#tickets';
import type { Language } from '#kernel';

const { privateKey } = generateKeyPairSync('ed25519');
const uuid = (number: number): string => `0b2c7a52-91f4-4e8d-8a33-${String(number).padStart(12, '0')}`;

/** A reservation with a ticket per holder, the first one at full price. */
export function reservationFacts(
  language: Language,
  holders: readonly string[] = ['Zoë Łukasiewicz', 'Đorđe'],
  event: Partial<MailEvent> = {},
): Omit<ReservationMailFacts, 'others'> {
  return {
    language,
    isConfirmed: true,
    tenant: {
      name: 'Le Théâtre',
      url: 'https://ile.example.org/',
      timeZone: 'Europe/Paris',
      email: 'bonjour@ile.example',
      sender: 'no-reply@example.org',
    },
    reservation: {
      id: uuid(0),
      reference: 'K7M-2QX',
      email: 'zoe@example.org',
      firstName: 'Zoë',
      lastName: 'Łukasiewicz',
      total: '27.50',
      currency: 'EUR',
      sequence: 2,
    },
    event: {
      name: 'Cabaret d’automne',
      subtitle: null,
      startsAt: new Date('2026-11-20T19:30:00Z'),
      endsAt: new Date('2026-11-20T22:00:00Z'),
      place: { name: 'Salle des fêtes', street: '12 rue de l’Église', city: '69001 Lyon' },
      url: 'https://ile.example.org/event/cabaret',
      sequence: 3,
      changedAt: new Date('2026-10-01T12:00:00Z'),
      confirmationHtml: '<p>Portes à <strong>20 h</strong></p><ul><li>Vestiaire</li></ul>',
      ...event,
    },
    holderUrl: 'https://ile.example.org/reservation/r/mark',
    tickets: holders.map((holder, index) => ({
      id: uuid(index + 1),
      holder,
      product: 'Entrée',
      price: index === 0 ? 'Plein tarif' : 'Tarif réduit',
      amount: index === 0 ? '15.00' : '12.50',
      code: renderCode(1, uuid(index + 1), privateKey),
      admission: true,
    })),
  };
}

/** A membership of the year 2026. */
export function membershipFacts(language: Language): MembershipMailFacts {
  const { tenant, reservation, tickets } = reservationFacts(language);
  return {
    language,
    isConfirmed: true,
    tenant,
    holderUrl: 'https://ile.example.org/membership/m/mark',
    membership: {
      ...reservation,
      name: 'Adhésion 2026',
      amount: '10.00',
      // Both are midnight in Paris.
      validFrom: new Date('2025-12-31T23:00:00Z'),
      validUntil: new Date('2026-12-31T23:00:00Z'),
      code: tickets[0]!.code,
    },
  };
}
