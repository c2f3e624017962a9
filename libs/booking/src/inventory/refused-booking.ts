import { RefusedInput, type Text } from '#kernel';

/** Remaining quantity of a price for the requested event; null: no limit. */
export interface Remaining {
  readonly priceId: string;
  readonly name: string;
  readonly remaining: number | null;
}

/** Why a valid booking request conflicts with the stored state. */
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

/** A refusal that depends on the stored state. A form shows it beside `field`. */
export class RefusedBooking extends RefusedInput {
  constructor(
    readonly reason: BookingConflict,
    field: string,
    readonly facts: {
      /** Remaining quantities by price. */
      readonly remaining?: readonly Remaining[];
      /** Number of tickets that this person may still book. */
      readonly mayBook?: number;
    } = {},
  ) {
    super(field, conflicts[reason]);
  }
}

/** The current state does not allow the change, or a ticket is already scanned or handed out. */
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

/** Refuses to cancel a ticket that was scanned or whose goods were handed out. @throws RefusedTransition */
export function refuseUsed({ status, fulfilledAt }: UsedTicket, from: string): void {
  if (status === 'S') throw new RefusedTransition('scanned', from);
  if (fulfilledAt) throw new RefusedTransition('fulfilled', from);
}
