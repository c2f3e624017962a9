import type { ActionNeeds, Needs, PanelRights } from '#panel-kit';

/** Forms that show addresses and amounts. */
const selling: Needs = ['reservation.sell', 'money.see', 'contact.see'];
const refunding: Needs = ['refund.give', 'money.see'];
/** Who sees reservations does not act: items are handed out by who sells or decides at the door. */
const handingOut: ActionNeeds = { all: 'reservation.checkIn', oneOf: ['reservation.sell', 'door.decide'] };

/** What people need for the resources of sales. */
export const salesRights: PanelRights = {
  reservations: {
    see: 'reservation.see',
    prints: selling,
    actions: {
      confirm: ['reservation.sell', 'money.see'],
      // Tickets show names and prices.
      print: selling,
      pdf: selling,
      resend: ['reservation.sell', 'contact.see'],
      correctEmail: ['reservation.sell', 'contact.see'],
      answers: ['reservation.sell', 'contact.see'],
      refunded: refunding,
      cancel: selling,
      sell: selling,
    },
    // Cancelling pays back what was paid online.
    more: { cancel: { above: 'paid', needs: 'refund.give' } },
    values: {
      event: 'see',
      // Whoever has it confirms, cancels and gives tickets away.
      guestLink: ['reservation.sell', 'contact.see'],
      startsAt: 'see',
      tickets: 'see',
      payments: ['payment.see', 'money.see'],
      options: 'see',
      answers: 'contact.see',
      transfers: 'contact.see',
      mails: 'contact.see',
      emailCorrections: 'contact.see',
      method: 'money.see',
      seller: 'see',
      asks: 'see',
      refundsDue: 'money.see',
    },
    event: 'eventId',
    scoped: ['confirm', 'print', 'pdf', 'resend', 'correctEmail', 'answers', 'refunded', 'cancel'],
    proofs: { exports: 'always', cancel: { above: 'paid' }, refunded: { above: 'paid' } },
  },
  tickets: {
    see: 'ticket.see',
    actions: {
      fulfil: handingOut,
      undoFulfil: handingOut,
      pdf: ['ticket.change', 'money.see', 'contact.see'],
      rename: 'ticket.change',
      undo: 'ticket.change',
      cancel: ['ticket.change', 'refund.give', 'money.see', 'contact.see'],
    },
    values: {
      email: 'contact.see',
      holderEmail: 'contact.see',
      firstName: 'see',
      lastName: 'see',
      event: 'see',
      startsAt: 'see',
      // Whoever has the code enters with it.
      qr: 'ticket.change',
      answers: 'contact.see',
      transfers: 'contact.see',
      history: 'see',
      vatRate: 'see',
      method: 'money.see',
      seller: 'see',
      origin: 'see',
    },
    event: 'eventId',
    scoped: ['fulfil', 'undoFulfil', 'pdf', 'rename', 'undo', 'cancel'],
    proofs: { exports: 'always', cancel: { above: 'amount' } },
  },
  memberships: {
    see: 'membership.see',
    actions: {
      renew: ['membership.change', 'money.see'],
      stopRenewal: 'membership.change',
      pdf: ['membership.change', 'money.see', 'contact.see'],
      correctEmail: ['membership.change', 'contact.see'],
      refunded: refunding,
      cancel: ['membership.change', 'refund.give', 'money.see', 'contact.see'],
      answers: ['membership.change', 'contact.see'],
      enrol: ['membership.change', 'money.see', 'contact.see'],
    },
    values: {
      card: 'membership.change',
      answers: 'contact.see',
      payments: ['payment.see', 'money.see'],
      mails: 'contact.see',
      emailCorrections: 'contact.see',
      vatRate: 'see',
      method: 'money.see',
      seller: 'see',
      asks: 'see',
      refundsDue: 'money.see',
    },
    proofs: { exports: 'always', cancel: { above: 'amount' }, refunded: { above: 'amount' } },
  },
  'waiting-list': {
    see: ['reservation.see', 'contact.see'],
    actions: { offerNow: 'reservation.sell', remove: 'reservation.sell' },
    event: 'eventId',
    scoped: ['offerNow', 'remove'],
    proofs: { exports: 'always' },
  },
  payments: {
    see: 'payment.see',
    actions: { correctMethod: ['payment.change', 'money.see'], refundDonation: refunding },
    values: {
      event: 'see',
      note: 'contact.see',
      correctable: 'see',
      donation: 'see',
      origin: 'see',
      valued: 'money.see',
      moved: 'money.see',
    },
    event: 'eventId',
    scoped: ['correctMethod', 'refundDonation'],
    proofs: { exports: 'always', refundDonation: { above: 'amount' } },
  },
  'tax-receipts': {
    see: ['payment.see', 'money.see', 'contact.see'],
    actions: { pdf: ['payment.see', 'money.see', 'contact.see'] },
    values: { donorName: 'see', donorAddress: 'see' },
    proofs: { exports: 'always' },
  },
  refunds: {
    see: 'refund.see',
    actions: { settle: refunding, retry: refunding, settleSome: refunding },
    values: { event: 'see', note: 'contact.see', refundedNote: 'contact.see' },
    event: 'eventId',
    scoped: ['settle', 'retry'],
    proofs: { exports: 'always', settle: { above: 'amount' }, retry: { above: 'amount' }, settleSome: 'always' },
  },
  'gift-cards': {
    see: ['payment.see', 'money.see'],
    create: refunding,
    // Whoever has the code pays with it.
    actions: { pdf: refunding, block: ['payment.change', 'money.see'], unblock: refunding, replace: refunding },
    values: {
      tail: 'see',
      state: 'see',
      balance: 'money.see',
      movements: 'money.see',
      recipientName: 'contact.see',
      buyerName: 'contact.see',
      message: 'contact.see',
      note: 'contact.see',
    },
    proofs: { exports: 'always', new: 'always', replace: { above: 'balance' } },
  },
  mails: { see: ['mail.see', 'contact.see'], actions: { resend: 'mail.write', mailTexts: 'mail.write' } },
  followers: { see: ['mail.see', 'contact.see'], remove: 'mail.write', proofs: { exports: 'always' } },
};
