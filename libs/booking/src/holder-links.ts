import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import type { PaymentSubject } from '#payments';

/** Pages that only who holds the link sees: a reservation with its tickets, a membership with its card. */
@Injectable()
export class HolderLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The path of the page; the same one for each version of the links to it. */
  pathTo(subject: PaymentSubject, version = 0): string {
    const [kind, id] = named(subject);
    return `/${kind}/${id}/${this.links.markOf(what(kind, id, version))}`;
  }

  /** Its address on the current tenant's primary domain. */
  urlTo(subject: PaymentSubject, version = 0): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(subject, version));
  }

  /** Whether somebody was given this mark for this version of the links to a reservation or a membership. */
  opens(subject: PaymentSubject, mark: string, version: number): boolean {
    return this.links.isMarkOf(mark, what(...named(subject), version));
  }
}

function named(subject: PaymentSubject): ['reservation' | 'membership', string] {
  return 'reservationId' in subject ? ['reservation', subject.reservationId] : ['membership', subject.membershipId];
}

/** Of one tenant alone. */
function what(kind: string, id: string, version: number): string {
  const first = `${kind}:${currentTenant().id}:${id}`;
  return version === 0 ? first : `${first}:${version}`;
}
