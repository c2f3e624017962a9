import { dayWords, type Language } from '#kernel';
import { chargeWords } from '../facts/event-facts.js';
import type { MailTransfer } from '../facts/mail-facts.js';
import { texts } from '../locales/messages.texts.js';

/** Texts about bank transfers, for mails, PDF and pages. */
export const transferWords = texts.perLanguage('transfer', ({ words, t }) => ({
  ...words,
  subject: (event: string) => t('transfer.subject', { event }),
  lead: (count: number, event: string) => t('transfer.lead', { count, event }),
  confirmLead: (count: number, event: string) => t('transfer.confirmLead', { count, event }),
  pay: (amount: string, day: string) => t('transfer.pay', { amount, day }),
  missing: (received: string) => t('transfer.missing', { received }),
  title: (reference: string) => t('transfer.title', { reference }),
  file: (reference: string) => t('transfer.file', { reference }),
}));

/** The day until which it is to be transferred. */
export const transferDay = (dueOn: string, language: Language): string => dayWords(new Date(`${dueOn}T12:00:00Z`), language, 'UTC');

/** What a buyer enters into a transfer, with labels. */
export function transferRows(transfer: MailTransfer, language: Language): (readonly [label: string, value: string])[] {
  const words = transferWords[language];
  const { holder, iban, bic, amount, currency, reference, creditorReference, dueOn } = transfer;
  return [
    [words.holder, holder],
    ['IBAN', iban.replaceAll(/(.{4})(?=.)/g, '$1 ')],
    ...(bic === '' ? [] : [['BIC', bic] as const]),
    [words.amount, chargeWords(amount, currency, language)],
    [words.reference, reference],
    [words.creditorReference, creditorReference],
    [words.until, transferDay(dueOn, language)],
  ];
}
