import type { Language } from '#kernel';
import { isPaidBackByHand } from '#payments';
import { recordHref } from '#panel-kit';
import type { WholeReservation } from '#tickets';
import { texts } from '../locales/panel.texts.js';

const cancellingWords = texts.perLanguage('cancelling', ({ words, t }) => ({
  ...words,
  mail: (email: string) => t('cancelling.mail', { email }),
  noMail: (email: string) => t('cancelling.noMail', { email }),
  given: (count: number, person: string, buyer: string) => t('cancelling.given', { count, person, buyer }),
}));

/** Whether a person learns of a cancellation by mail, or from staff. */
export function toldFact(email: string, mailed: boolean, language: Language): string {
  const words = cancellingWords[language];
  return email ? (mailed ? words.mail : words.noMail)(email) : words.noAddress;
}

/** Who else has tickets of a reservation: they were given away. */
export function givenFacts({ tickets, email }: WholeReservation, mailed: boolean, language: Language): string[] {
  const words = cancellingWords[language];
  const given = tickets.filter(({ status, holderEmail }) => status !== 'R' && holderEmail !== null);
  const holders = new Map<string, { name: string; count: number }>();
  for (const { holderEmail, firstName, lastName } of given) {
    const to = holderEmail ?? '';
    const name = [firstName, lastName].filter(Boolean).join(' ');
    holders.set(to, { name, count: (holders.get(to)?.count ?? 0) + 1 });
  }
  return [...holders].flatMap(([to, { name, count }]) => {
    const person = name && to ? `${name} (${to})` : name || to;
    return [words.given(count, person, email), toldFact(to, mailed, language)];
  });
}

/** Leads to the form that records the refunds that staff must pay out, if there are any. */
export function toRefund({ id, payments }: WholeReservation): { redirect?: string } {
  const isDue = payments.some(({ status, provider }) => status === 'refund_due' && isPaidBackByHand(provider));
  return isDue ? { redirect: recordHref('reservations', id, 'refunded') } : {};
}
