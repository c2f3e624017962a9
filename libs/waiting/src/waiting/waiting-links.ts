import { SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** Signed links to the page of an entry of a waiting list. The link is the only credential. */
@Injectable()
export class WaitingLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  pathTo(id: string): string {
    return `/waiting/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** The absolute URL of the page, on the current tenant's primary domain. */
  urlTo(id: string): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(id));
  }

  /** Whether a mark (the last path segment) is valid for this entry. */
  opens(id: string, mark: string): boolean {
    return this.links.isMarkOf(mark, signedText(id));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string): string {
  return `waiting:${currentTenant().id}:${id}`;
}
