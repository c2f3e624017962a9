import { RefusedInput, type Text } from '#kernel';

/** What is left of a price, for the event it was asked for; null: no limit. */
export interface Remaining {
  readonly priceId: string;
  readonly name: string;
  readonly remaining: number | null;
}

/** Why something cannot be booked although each field is fit. */
export type BookingConflict =
  'sold_out' | 'limit_per_user' | 'membership_required' | 'event_not_published' | 'event_over' | 'price_not_published';

const conflicts: Readonly<Record<BookingConflict, Text>> = {
  sold_out: {
    en: 'There are not as many places left.',
    fr: 'Il ne reste pas autant de places.',
  },
  limit_per_user: {
    en: 'That is more than one person may book.',
    fr: "C'est plus que ce qu'une personne peut réserver.",
  },
  membership_required: {
    en: 'This price is for members; no valid membership has this e-mail address.',
    fr: "Ce tarif est réservé aux adhérents ; aucune adhésion valide n'a cette adresse e-mail.",
  },
  event_not_published: {
    en: 'This event is not published.',
    fr: "Cet événement n'est pas publié.",
  },
  event_over: { en: 'This event is over.', fr: 'Cet événement est terminé.' },
  price_not_published: { en: 'This price is not for sale.', fr: "Ce tarif n'est pas en vente." },
};

/** A refusal that depends on what is stored. `field` is the one a form shows it beside. */
export class RefusedBooking extends RefusedInput {
  constructor(
    readonly reason: BookingConflict,
    field: string,
    readonly facts: {
      /** What is left, price by price. */
      readonly remaining?: readonly Remaining[];
      /** How many more this person may book. */
      readonly mayBook?: number;
    } = {},
  ) {
    super(field, conflicts[reason]);
  }
}

/** A state does not lead where somebody wants it, or a scanned ticket stands in the way. */
export class RefusedTransition extends RefusedInput {
  constructor(
    readonly reason: 'transition' | 'scanned' | 'fulfilled',
    readonly from: string,
  ) {
    super('status', refusals[reason]);
  }
}

const refusals: Readonly<Record<'transition' | 'scanned' | 'fulfilled', Text>> = {
  transition: {
    en: 'The state it is in does not allow that.',
    fr: 'Son état actuel ne le permet pas.',
  },
  scanned: {
    en: 'A ticket of it is scanned already: take the scan back first.',
    fr: "Un de ses billets est déjà scanné : annulez d'abord le scan.",
  },
  fulfilled: {
    en: 'Something of it is handed out already: take that back first.',
    fr: "Un de ses articles est déjà remis : annulez d'abord la remise.",
  },
};

export interface UsedTicket {
  readonly status: string;
  readonly fulfilledAt: Date | null;
}

/** What was used is not cancelled: somebody is inside with it, or has the goods. @throws RefusedTransition */
export function refuseUsed({ status, fulfilledAt }: UsedTicket, from: string): void {
  if (status === 'S') throw new RefusedTransition('scanned', from);
  if (fulfilledAt) throw new RefusedTransition('fulfilled', from);
}
