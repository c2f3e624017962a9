import type { Language } from '#kernel';
import { texts } from '../locales/messages.texts.js';

/** Texts of mails and tickets. Plain text; the caller escapes it. */
export const mailWords = texts.perLanguage('mail', ({ words, t }) => ({
  ...words,
  hello: (name: string) => (name ? t('mail.hello', { name }) : words.helloAll),
  footer: (venue: string) => t('mail.footer', { venue }),
  andMore: (name: string, count: number) => t('mail.andMore', { name, count }),
  refund: (amount: string) => t('mail.refund', { amount }),
  refundOf: {
    ...words.refundOf,
    cash: (amount: string) => t('mail.refundOf.cash', { amount }),
    card: (amount: string) => t('mail.refundOf.card', { amount }),
    gift_card: (amount: string) => t('mail.refundOf.gift_card', { amount }),
    transfer: (amount: string) => t('mail.refundOf.transfer', { amount }),
    processing: (amount: string) => t('mail.refundOf.processing', { amount }),
  },
  confirm: {
    ...words.confirm,
    subject: (event: string) => t('mail.confirm.subject', { event }),
    lead: (count: number, event: string) => t('mail.confirm.lead', { count, event }),
    payLead: (count: number, event: string) => t('mail.confirm.payLead', { count, event }),
    until: (duration: string) => t('mail.confirm.until', { duration }),
    code: (code: string) => t('mail.confirm.code', { code }),
  },
  payAtVenue: {
    ...words.payAtVenue,
    subject: (event: string) => t('mail.payAtVenue.subject', { event }),
    lead: (count: number, event: string) => t('mail.payAtVenue.lead', { count, event }),
    confirmLead: (count: number, event: string) => t('mail.payAtVenue.confirmLead', { count, event }),
    pay: (amount: string, time: string) => t('mail.payAtVenue.pay', { amount, time }),
    door: (reference: string) => t('mail.payAtVenue.door', { reference }),
  },
  yourTickets: {
    ...words.yourTickets,
    subject: (count: number, event: string) => t('mail.yourTickets.subject', { count, event }),
    lead: (count: number, event: string) => t('mail.yourTickets.lead', { count, event }),
    door: (count: number) => t('mail.yourTickets.door', { count }),
    file: (reference: string) => t('mail.yourTickets.file', { reference }),
  },
  wallets: { ...words.wallets, lead: (count: number) => t('mail.wallets.lead', { count }) },
  newTickets: {
    ...words.newTickets,
    subject: (count: number, event: string) => t('mail.newTickets.subject', { count, event }),
    lead: (count: number, event: string) => t('mail.newTickets.lead', { count, event }),
  },
  givenTicket: {
    ...words.givenTicket,
    subject: (_count: number, event: string) => t('mail.givenTicket.subject', { event }),
    lead: (_count: number, event: string) => t('mail.givenTicket.lead', { event }),
  },
  ticketOffered: {
    ...words.ticketOffered,
    subject: (event: string) => t('mail.ticketOffered.subject', { event }),
    lead: (giver: string, event: string) => t('mail.ticketOffered.lead', { giver, event }),
    words: (giver: string) => t('mail.ticketOffered.words', { giver }),
    until: (giver: string) => t('mail.ticketOffered.until', { giver }),
    unknown: (giver: string) => t('mail.ticketOffered.unknown', { giver }),
  },
  ticketGiven: {
    ...words.ticketGiven,
    subject: (event: string) => t('mail.ticketGiven.subject', { event }),
    lead: (name: string, event: string) => (name ? t('mail.ticketGiven.leadOf', { name, event }) : t('mail.ticketGiven.lead', { event })),
    to: (person: string) => t('mail.ticketGiven.to', { person }),
  },
  ticketsCancelled: {
    ...words.ticketsCancelled,
    subject: (count: number, event: string) => t('mail.ticketsCancelled.subject', { count, event }),
    lead: (count: number, event: string) => t('mail.ticketsCancelled.lead', { count, event }),
    byVenue: (count: number, event: string) => t('mail.ticketsCancelled.byVenue', { count, event }),
    byHolder: (count: number, event: string) => t('mail.ticketsCancelled.byHolder', { count, event }),
    left: (count: number) => t('mail.ticketsCancelled.left', { count }),
  },
  cancelled: {
    ...words.cancelled,
    subject: (event: string) => t('mail.cancelled.subject', { event }),
    lead: (event: string) => t('mail.cancelled.lead', { event }),
  },
  eventCancelled: {
    ...words.eventCancelled,
    subject: (event: string) => t('mail.eventCancelled.subject', { event }),
    lead: (event: string) => t('mail.eventCancelled.lead', { event }),
  },
  eventChanged: {
    ...words.eventChanged,
    subject: (event: string) => t('mail.eventChanged.subject', { event }),
    lead: (event: string, changes: string) => t('mail.eventChanged.lead', { event, changes }),
    leadOther: (event: string) => t('mail.eventChanged.leadOther', { event }),
    returnOnPage: (time: string) => t('mail.eventChanged.returnOnPage', { time }),
    returnByMail: (email: string) => t('mail.eventChanged.returnByMail', { email }),
  },
  reminder: {
    ...words.reminder,
    subject: (event: string, when: string) => t('mail.reminder.subject', { event, when }),
    lead: (event: string) => t('mail.reminder.lead', { event }),
  },
  late: {
    ...words.late,
    subject: (event: string) => t('mail.late.subject', { event }),
    lead: (event: string) => t('mail.late.lead', { event }),
    twice: (event: string) => t('mail.late.twice', { event }),
    limit: (event: string) => t('mail.late.limit', { event }),
  },
  membership: {
    ...words.membership,
    subject: (venue: string) => t('mail.membership.subject', { venue }),
    footer: (venue: string) => t('mail.membership.footer', { venue }),
    file: (reference: string) => t('mail.membership.file', { reference }),
  },
  codeSaved: (code: string, amount: string) => t('mail.codeSaved', { code, amount }),
  discountSaved: (name: string, amount: string) => t('mail.discountSaved', { name, amount }),
  withdraw: { ...words.withdraw, until: (day: string) => t('mail.withdraw.until', { day }) },
  receipt: {
    ...words.receipt,
    title: (reference: string) => t('mail.receipt.title', { reference }),
    vat: (rate: string) => t('mail.receipt.vat', { rate }),
    paid: (method: string, day: string) => t('mail.receipt.paid', { method, day }),
    refunded: (method: string, day: string) => t('mail.receipt.refunded', { method, day }),
    refundDue: (method: string) => t('mail.receipt.refundDue', { method }),
  },
  paper: {
    ...words.paper,
    number: (number: number, count: number) => t('mail.paper.number', { number, count }),
    picture: (number: number, count: number) => t('mail.paper.picture', { number, count }),
  },
}));

type MailWords = (typeof mailWords)[Language];

const goodsMailWords = texts.perLanguage('mailGoods', ({ language, words, t }): MailWords => {
  const usual = mailWords[language];
  return {
    ...usual,
    tickets: words.items,
    confirm: {
      ...usual.confirm,
      lead: (_count, event) => t('mailGoods.confirm', { event }),
      payLead: (_count, event) => t('mailGoods.confirmPay', { event }),
      until: (duration) => t('mailGoods.until', { duration }),
    },
    payAtVenue: {
      ...usual.payAtVenue,
      lead: (_count, event) => t('mailGoods.venue', { event }),
      confirmLead: (_count, event) => t('mailGoods.confirmVenue', { event }),
      pay: (amount, time) => t('mailGoods.pay', { amount, time }),
      door: (reference) => t('mailGoods.venueDoor', { reference }),
    },
    yourTickets: {
      ...usual.yourTickets,
      subject: (_count, event) => t('mailGoods.subject', { event }),
      lead: (count, event) => t('mailGoods.lead', { count, event }),
      door: (count) => t('mailGoods.door', { count }),
      file: (reference) => t('mailGoods.file', { reference }),
    },
    wallets: { ...usual.wallets, lead: (count) => t('mailGoods.wallet', { count }) },
    newTickets: {
      ...usual.newTickets,
      subject: (_count, event) => t('mailGoods.newSubject', { event }),
      lead: (count, event) => t('mailGoods.newLead', { count, event }),
    },
    givenTicket: {
      ...usual.givenTicket,
      subject: (_count, event) => t('mailGoods.giftSubject', { event }),
      lead: (_count, event) => t('mailGoods.giftLead', { event }),
    },
    ticketOffered: {
      ...usual.ticketOffered,
      subject: (event) => t('mailGoods.offeredSubject', { event }),
      lead: (giver, event) => t('mailGoods.offeredLead', { giver, event }),
      until: (giver) => t('mailGoods.offeredUntil', { giver }),
    },
    ticketGiven: {
      ...usual.ticketGiven,
      subject: (event) => t('mailGoods.givenSubject', { event }),
      lead: (name, event) => (name ? t('mailGoods.givenLeadOf', { name, event }) : t('mailGoods.givenLead', { event })),
      to: (person) => t('mailGoods.givenTo', { person }),
    },
    ticketsCancelled: {
      ...usual.ticketsCancelled,
      subject: (count, event) => t('mailGoods.dropped.subject', { count, event }),
      lead: (count, event) => t('mailGoods.dropped.lead', { count, event }),
      byVenue: (count, event) => t('mailGoods.dropped.byVenue', { count, event }),
      byHolder: (count, event) => t('mailGoods.dropped.byHolder', { count, event }),
      // What is left may be tickets.
      left: () => words.dropped.left,
    },
    cancelled: {
      subject: (event) => t('mailGoods.cancelledSubject', { event }),
      lead: (event) => t('mailGoods.cancelledLead', { event }),
    },
    eventCancelled: { ...usual.eventCancelled, lead: (event) => t('mailGoods.eventCancelled', { event }) },
    late: {
      ...usual.late,
      lead: (event) => t('mailGoods.late', { event }),
      twice: (event) => t('mailGoods.twice', { event }),
      limit: (event) => t('mailGoods.limit', { event }),
    },
    paper: {
      ...usual.paper,
      number: (number, count) => t('mailGoods.number', { number, count }),
      picture: (number, count) => t('mailGoods.picture', { number, count }),
    },
  };
});

/** The texts of mails and documents about a booking; goods alone are not called tickets. */
export function mailWordsFor({ language, isGoods }: { readonly language: Language; readonly isGoods?: boolean }): MailWords {
  return isGoods ? goodsMailWords[language] : mailWords[language];
}
