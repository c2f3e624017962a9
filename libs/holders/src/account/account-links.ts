import { SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** Signed links that open a person's account once. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  pathTo(id: string): string {
    return `/account/open/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** The absolute URL of the page, on the current tenant's primary domain. */
  urlTo(id: string): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(id));
  }

  /** Whether a mark (the last path segment) is valid for this link. */
  opens(id: string, mark: string): boolean {
    return this.links.isMarkOf(mark, signedText(id));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string): string {
  return `account:${currentTenant().id}:${id}`;
}
