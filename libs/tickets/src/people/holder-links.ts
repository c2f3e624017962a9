import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';

/**
 * What a link opens: a reservation (tickets), a membership (card), a ticket that was given to somebody else than the buyer, or one that is
 * offered to somebody.
 */
export type LinkSubject =
  | { readonly reservationId: string }
  | { readonly membershipId: string }
  | { readonly ticketId: string }
  | { readonly giftId: string };

/** Signed links to the holder's pages. The link is the only credential. */
@Injectable()
export class HolderLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The path of the page; deterministic for a subject and link version. */
  pathTo(subject: LinkSubject, version = 0): string {
    const [kind, id] = kindAndId(subject);
    return `/${kind}/${id}/${this.links.markOf(signedText(kind, id, version))}`;
  }

  /** The absolute URL of the page, on the current tenant's primary domain. */
  urlTo(subject: LinkSubject, version = 0): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(subject, version));
  }

  /** Whether a mark (the last path segment) is valid for this subject and link version. */
  opens(subject: LinkSubject, mark: string, version: number): boolean {
    return this.links.isMarkOf(mark, signedText(...kindAndId(subject), version));
  }
}

function kindAndId(subject: LinkSubject): ['reservation' | 'membership' | 'ticket' | 'gift', string] {
  if ('giftId' in subject) return ['gift', subject.giftId];
  if ('ticketId' in subject) return ['ticket', subject.ticketId];
  return 'reservationId' in subject ? ['reservation', subject.reservationId] : ['membership', subject.membershipId];
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(kind: string, id: string, version: number): string {
  const first = `${kind}:${currentTenant().id}:${id}`;
  return version === 0 ? first : `${first}:${version}`;
}
