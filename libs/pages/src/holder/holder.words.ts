import type { Language } from '#kernel';

/** Texts of the holder's pages. Plain text, not escaped. */
export interface HolderWords {
  reservation: string;
  membership: string;
  reference: string;
  tickets: string;
  total: string;
  pay: string;
  /** @param mailed whether the tickets are also sent by mail */
  payUntil: (time: string, mailed: boolean) => string;
  confirm: string;
  confirmHint: (time: string, mailed: boolean) => string;
  confirmed: string;
  /** When they are also sent by mail. */
  confirmedMailed: string;
  cancelled: string;
  lapsed: string;
  lapsedUnpaid: string;
  atTheVenue: (time: string) => string;
  showAtDoor: string;
  showAtCounter: string;
  handedOut: string;
  scanned: string;
  ticketCancelled: string;
  download: string;
  downloadCard: string;
  validFrom: string;
  validUntil: string;
  noEnd: string;
  /** A bank debit was ordered and is not settled yet. */
  processing: string;
  waiting: string;
  ended: string;
}

export const holderWords: Readonly<Record<Language, HolderWords>> = {
  en: {
    reservation: 'Your reservation',
    membership: 'Your membership',
    reference: 'Reference',
    tickets: 'Tickets',
    total: 'Total',
    pay: 'Pay now',
    payUntil: (time, mailed) =>
      `Your places are kept until ${time}. Pay, and your tickets ${mailed ? 'are on their way' : 'are on this page'}.`,
    confirm: 'Yes, these places are for me',
    confirmHint: (time, mailed) =>
      `One more step: confirm your reservation before ${time}, and your tickets ${mailed ? 'are on their way' : 'are on this page'}.`,
    confirmed: 'Confirmed. Your tickets are below.',
    confirmedMailed: 'Confirmed. Your tickets are below; they come by mail, too.',
    cancelled: 'This reservation is cancelled.',
    lapsed: 'The time to confirm is over. If there are still places you can have them:',
    lapsedUnpaid: 'The time to pay is over, and the places are free for others.',
    atTheVenue: (time) => `Your places are kept until ${time}.`,
    showAtDoor: 'Show this code at the door.',
    showAtCounter: 'Show this code where goods are handed out. It lets nobody in.',
    handedOut: 'Handed out',
    scanned: 'Scanned at the door',
    ticketCancelled: 'Cancelled',
    download: 'All tickets as a PDF',
    downloadCard: 'Your card as a PDF',
    validFrom: 'Valid from',
    validUntil: 'Valid until',
    noEnd: 'without end',
    processing: 'Your bank is sending your payment, which may take some days. Come back to this page to see how it went.',
    waiting: 'This membership waits for its payment.',
    ended: 'This membership is not valid any more.',
  },
  fr: {
    reservation: 'Votre réservation',
    membership: 'Votre adhésion',
    reference: 'Référence',
    tickets: 'Billets',
    total: 'Total',
    pay: 'Payer maintenant',
    payUntil: (time, mailed) =>
      `Vos places sont gardées jusqu'à ${time}. Payez, et vos billets ${mailed ? 'partent aussitôt' : 'seront sur cette page'}.`,
    confirm: 'Oui, ces places sont pour moi',
    confirmHint: (time, mailed) =>
      `Encore une étape : confirmez votre réservation avant ${time}, et vos billets ${mailed ? 'partent aussitôt' : 'seront sur cette page'}.`,
    confirmed: 'Confirmée. Vos billets sont ci-dessous.',
    confirmedMailed: 'Confirmée. Vos billets sont ci-dessous ; ils arrivent aussi par e-mail.',
    cancelled: 'Cette réservation est annulée.',
    lapsed: "Le délai pour confirmer est passé. S'il reste des places, elles peuvent être à vous :",
    lapsedUnpaid: 'Le délai pour payer est passé, les places sont libres pour d’autres.',
    atTheVenue: (time) => `Vos places sont gardées jusqu'à ${time}.`,
    showAtDoor: "Présentez ce code à l'entrée.",
    showAtCounter: 'Montrez ce code là où les articles sont remis. Il ne donne pas accès.',
    handedOut: 'Remis',
    scanned: "Scanné à l'entrée",
    ticketCancelled: 'Annulé',
    download: 'Tous les billets en PDF',
    downloadCard: 'Votre carte en PDF',
    validFrom: 'Valable du',
    validUntil: "Valable jusqu'au",
    noEnd: 'sans fin',
    processing: 'Votre banque envoie votre paiement, ce qui peut prendre quelques jours. Revenez sur cette page pour voir où il en est.',
    waiting: 'Cette adhésion attend son paiement.',
    ended: "Cette adhésion n'est plus valable.",
  },
};
