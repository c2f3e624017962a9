import type { Language } from '#kernel';
import { recordHref } from '#panel-kit';
import type { WholeReservation } from '#tickets';
import { formWords } from './reservations.words.js';

/** Whether a person learns of a cancellation by mail, or from staff. */
export function toldFact(email: string, mailed: boolean, language: Language): string {
  const words = formWords[language];
  return email ? (mailed ? words.cancelMail : words.cancelNoMail)(email) : words.cancelNoAddress;
}

/** Who else has tickets of a reservation: they were given away. */
export function givenFacts({ tickets, email }: WholeReservation, mailed: boolean, language: Language): string[] {
  const words = formWords[language];
  const given = tickets.filter(({ status, holderEmail }) => status !== 'R' && holderEmail !== null);
  const holders = new Map<string, { name: string; count: number }>();
  for (const { holderEmail, firstName, lastName } of given) {
    const to = holderEmail ?? '';
    const name = [firstName, lastName].filter(Boolean).join(' ');
    holders.set(to, { name, count: (holders.get(to)?.count ?? 0) + 1 });
  }
  return [...holders].flatMap(([to, { name, count }]) => {
    const person = name && to ? `${name} (${to})` : name || to;
    return [words.cancelGiven(count, person, email), toldFact(to, mailed, language)];
  });
}

/** Leads to the form that records the refunds that staff must pay out, if there are any. */
export function toRefund({ id, payments }: WholeReservation): { redirect?: string } {
  const isDue = payments.some(({ status, provider }) => status === 'refund_due' && provider === 'venue');
  return isDue ? { redirect: recordHref('reservations', id, 'refunded') } : {};
}
