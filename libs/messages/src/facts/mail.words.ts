import type { Language } from '#kernel';

/** What mails and tickets say. Plain text; whoever shows it escapes it. */
export interface MailWords {
  readonly hello: (name: string) => string;
  readonly free: string;
  readonly when: string;
  readonly where: string;
  readonly reference: string;
  readonly total: string;
  readonly tickets: string;
  readonly seeEvent: string;
  readonly fromVenue: string;
  readonly footer: (venue: string) => string;
  readonly unasked: string;
  /** What was paid online. */
  readonly refund: (amount: string) => string;
  readonly refundOf: Readonly<Record<'cash' | 'card' | 'processing', (amount: string) => string>>;
  readonly refundNone: string;
  readonly confirm: {
    readonly subject: (event: string) => string;
    readonly lead: (count: number, event: string) => string;
    readonly button: string;
    readonly until: (duration: string) => string;
    readonly link: string;
  };
  readonly yourTickets: {
    readonly subject: (count: number, event: string) => string;
    readonly lead: (count: number, event: string) => string;
    readonly door: (count: number) => string;
    readonly file: (reference: string) => string;
  };
  /** The codes of the first ones count no more. */
  readonly newTickets: {
    readonly subject: (count: number, event: string) => string;
    readonly lead: (count: number, event: string) => string;
  };
  readonly cancelled: { readonly subject: (event: string) => string; readonly lead: (event: string) => string };
  readonly eventCancelled: { readonly subject: (event: string) => string; readonly lead: (event: string) => string };
  readonly late: {
    readonly subject: (event: string) => string;
    readonly lead: (event: string) => string;
    /** It was paid for twice. */
    readonly twice: (event: string) => string;
  };
  readonly membership: {
    readonly subject: (venue: string) => string;
    readonly lead: string;
    readonly replacedLead: string;
    readonly footer: (venue: string) => string;
    readonly member: string;
    readonly kind: string;
    readonly from: string;
    readonly until: string;
    readonly unlimited: string;
    readonly paid: string;
    readonly picture: string;
    readonly door: string;
    readonly file: (reference: string) => string;
  };
  readonly paper: {
    readonly number: (number: number, count: number) => string;
    readonly show: string;
    /** Of goods. */
    readonly showAtCounter: string;
    /** What the picture of a ticket's QR code shows, for those who cannot see it. */
    readonly picture: (number: number, count: number) => string;
  };
}

const en: MailWords = {
  hello: (name) => (name ? `Hello ${name},` : 'Hello,'),
  free: 'Free',
  when: 'When',
  where: 'Where',
  reference: 'Reference',
  total: 'Total',
  tickets: 'Tickets',
  seeEvent: 'See the event',
  fromVenue: 'A word from the venue',
  footer: (venue) => `${venue} writes to you because of your booking.`,
  unasked: 'You did not ask for this? Then do nothing: without your confirmation nothing is booked.',
  refund: (amount) => `We are sending ${amount} back the way you paid. Depending on your bank, it arrives within about ten days.`,
  refundOf: {
    cash: (amount) => `You paid ${amount} in cash: you get it back at the venue. Please bring this message.`,
    card: (amount) => `You paid ${amount} by card at the venue: you get it back there. Please bring this message.`,
    processing: (amount) => `Your bank is still sending ${amount}: once it has arrived, it goes back by itself.`,
  },
  refundNone: 'You paid nothing, so nothing is to be given back.',
  confirm: {
    subject: (event) => `Please confirm: ${event}`,
    lead: (count, event) =>
      `${count === 1 ? 'One place' : `${count} places`} for “${event}” ${count === 1 ? 'is' : 'are'} kept for you. Please confirm that this address is yours; your tickets follow at once.`,
    button: 'Confirm my booking',
    until: (duration) => `The link works for ${duration}. After that the places are free for others again.`,
    link: 'The button does not work? Copy this address into your browser:',
  },
  yourTickets: {
    subject: (count, event) => `${count === 1 ? 'Your ticket' : 'Your tickets'}: ${event}`,
    lead: (count, event) => `It’s settled: here ${count === 1 ? 'is your ticket' : `are your ${count} tickets`} for “${event}”.`,
    door: (count) =>
      `${count === 1 ? 'Your ticket is in the attached PDF' : 'Your tickets are in the attached PDF, one on each page'}. At the door, show the QR code on your phone or on paper.`,
    file: (reference) => `tickets-${reference}.pdf`,
  },
  newTickets: {
    subject: (count, event) => `${count === 1 ? 'Your new ticket' : 'Your new tickets'}: ${event}`,
    lead: (count, event) =>
      count === 1
        ? `We replaced the code of your ticket for “${event}”. The one you have does not work any more: please use this one.`
        : `We replaced the codes of your ${count} tickets for “${event}”. Those you have do not work any more: please use these.`,
  },
  cancelled: {
    subject: (event) => `Booking cancelled: ${event}`,
    lead: (event) => `Your booking for “${event}” is cancelled. Its tickets are no longer valid.`,
  },
  eventCancelled: {
    subject: (event) => `Cancelled: ${event}`,
    lead: (event) => `“${event}” will not take place. We are sorry. Your tickets are no longer valid.`,
  },
  late: {
    subject: (event) => `Your money comes back: ${event}`,
    lead: (event) =>
      `Your payment for “${event}” reached us after the time for it had passed, when the places were no longer kept for you. No ticket was issued.`,
    twice: (event) =>
      `Your booking for “${event}” was settled already when another payment for it reached us. Your tickets stay valid; the second payment goes back.`,
  },
  membership: {
    subject: (venue) => `Your membership card: ${venue}`,
    lead: 'Thank you for being a member. Here is your card.',
    replacedLead: 'We replaced the code of your membership card. The card you have does not work any more: please use this one.',
    footer: (venue) => `${venue} writes to you because of your membership.`,
    member: 'Member',
    kind: 'Membership',
    from: 'Valid from',
    until: 'Valid until',
    unlimited: 'without end',
    paid: 'Contribution',
    picture: 'QR code of your membership card',
    door: 'Keep this mail: the code shows that you are a member. The card is attached as a PDF, too.',
    file: (reference) => `membership-${reference}.pdf`,
  },
  paper: {
    number: (number, count) => `Ticket ${number} of ${count}`,
    show: 'Show this code at the door, on your phone or on paper.',
    showAtCounter: 'Show this code where goods are handed out. It lets nobody in.',
    picture: (number, count) => `QR code of ticket ${number} of ${count}`,
  },
};

const fr: MailWords = {
  hello: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  free: 'Gratuit',
  when: 'Quand',
  where: 'Où',
  reference: 'Référence',
  total: 'Total',
  tickets: 'Billets',
  seeEvent: 'Voir l’événement',
  fromVenue: 'Un mot du lieu',
  footer: (venue) => `${venue} vous écrit au sujet de votre réservation.`,
  unasked: 'Vous n’avez rien demandé\u00a0? Ne faites rien\u00a0: sans votre confirmation, rien n’est réservé.',
  refund: (amount) => `Nous vous remboursons ${amount} par le moyen de paiement utilisé. Selon votre banque, comptez une dizaine de jours.`,
  refundOf: {
    cash: (amount) => `Vous avez payé ${amount} en espèces\u00a0: ils vous seront rendus sur place. Présentez ce message.`,
    card: (amount) => `Vous avez payé ${amount} par carte sur place\u00a0: ils vous y seront rendus. Présentez ce message.`,
    processing: (amount) => `Votre banque envoie encore ${amount}\u00a0: une fois arrivés, ils vous seront remboursés automatiquement.`,
  },
  refundNone: 'Vous n’avez rien payé\u00a0: il n’y a rien à rembourser.',
  confirm: {
    subject: (event) => `À confirmer\u00a0: ${event}`,
    lead: (count, event) =>
      `${count === 1 ? 'Une place est gardée' : `${count} places sont gardées`} pour vous\u00a0: «\u00a0${event}\u00a0». Confirmez que cette adresse est bien la vôtre\u00a0; vos billets suivent aussitôt.`,
    button: 'Confirmer ma réservation',
    until: (duration) => `Le lien est valable ${duration}. Ensuite, les places sont rendues aux autres.`,
    link: 'Le bouton ne marche pas\u00a0? Copiez cette adresse dans votre navigateur\u00a0:',
  },
  yourTickets: {
    subject: (count, event) => `${count === 1 ? 'Votre billet' : 'Vos billets'}\u00a0: ${event}`,
    lead: (count, event) =>
      `C’est réservé\u00a0: voici ${count === 1 ? 'votre billet' : `vos ${count} billets`} pour «\u00a0${event}\u00a0».`,
    door: (count) =>
      `${count === 1 ? 'Votre billet est dans le PDF joint' : 'Vos billets sont dans le PDF joint, un par page'}. À l’entrée, présentez le code QR sur votre téléphone ou sur papier.`,
    file: (reference) => `billets-${reference}.pdf`,
  },
  newTickets: {
    subject: (count, event) => `${count === 1 ? 'Votre nouveau billet' : 'Vos nouveaux billets'}\u00a0: ${event}`,
    lead: (count, event) =>
      count === 1
        ? `Nous avons remplacé le code de votre billet pour «\u00a0${event}\u00a0». Celui que vous avez ne fonctionne plus\u00a0: utilisez celui-ci.`
        : `Nous avons remplacé les codes de vos ${count} billets pour «\u00a0${event}\u00a0». Ceux que vous avez ne fonctionnent plus\u00a0: utilisez ceux-ci.`,
  },
  cancelled: {
    subject: (event) => `Réservation annulée\u00a0: ${event}`,
    lead: (event) => `Votre réservation pour «\u00a0${event}\u00a0» est annulée. Ses billets ne sont plus valables.`,
  },
  eventCancelled: {
    subject: (event) => `Annulé\u00a0: ${event}`,
    lead: (event) => `«\u00a0${event}\u00a0» n’aura pas lieu. Nous en sommes désolés. Vos billets ne sont plus valables.`,
  },
  late: {
    subject: (event) => `Vous êtes remboursé·e\u00a0: ${event}`,
    lead: (event) =>
      `Votre paiement pour «\u00a0${event}\u00a0» nous est parvenu trop tard, alors que les places ne vous étaient plus gardées. Aucun billet n’a été émis.`,
    twice: (event) =>
      `Votre réservation pour «\u00a0${event}\u00a0» était déjà réglée quand un autre paiement nous est parvenu. Vos billets restent valables\u00a0; le second paiement vous est rendu.`,
  },
  membership: {
    subject: (venue) => `Votre carte d’adhésion\u00a0: ${venue}`,
    lead: 'Merci pour votre adhésion. Voici votre carte.',
    replacedLead:
      'Nous avons remplacé le code de votre carte d’adhésion. La carte que vous avez ne fonctionne plus\u00a0: utilisez celle-ci.',
    footer: (venue) => `${venue} vous écrit au sujet de votre adhésion.`,
    member: 'Membre',
    kind: 'Adhésion',
    from: 'Valable du',
    until: 'Jusqu’au',
    unlimited: 'sans limite',
    paid: 'Cotisation',
    picture: 'Code QR de votre carte d’adhésion',
    door: 'Gardez ce message\u00a0: le code montre que vous êtes membre. La carte est aussi jointe en PDF.',
    file: (reference) => `adhesion-${reference}.pdf`,
  },
  paper: {
    number: (number, count) => `Billet ${number} sur ${count}`,
    show: 'Présentez ce code à l’entrée, sur votre téléphone ou sur papier.',
    showAtCounter: 'Montrez ce code là où les articles sont remis. Il ne donne pas accès.',
    picture: (number, count) => `Code QR du billet ${number} sur ${count}`,
  },
};

/** French has a space that does not break before its double signs and inside its quotes. */
export const mailWords: Readonly<Record<Language, MailWords>> = { en, fr };
