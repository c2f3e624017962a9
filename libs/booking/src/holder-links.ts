import { Injectable } from '@nestjs/common';
import { SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';
import type { PaymentSubject } from './payments/payments.service.js';

/** Pages that only who holds the link sees: a reservation with its tickets, a membership with its card. */
@Injectable()
export class HolderLinks {
  constructor(private readonly links: SignedLinks) {}

  /** The path of the page; always the same one. */
  pathTo(subject: PaymentSubject): string {
    const [kind, id] = named(subject);
    return `/${kind}/${id}/${this.links.markOf(what(kind, id))}`;
  }

  /** Whether somebody was given this mark for this reservation or membership. */
  opens(subject: PaymentSubject, mark: string): boolean {
    return this.links.isMarkOf(mark, what(...named(subject)));
  }
}

function named(subject: PaymentSubject): ['reservation' | 'membership', string] {
  return 'reservationId' in subject ? ['reservation', subject.reservationId] : ['membership', subject.membershipId];
}

/** Of one tenant alone. */
function what(kind: string, id: string): string {
  return `${kind}:${currentTenant().id}:${id}`;
}
