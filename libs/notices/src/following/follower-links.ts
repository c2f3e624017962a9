import { SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** Signed links to the page of a follower: to confirm, and to leave. The link is the only credential. */
@Injectable()
export class FollowerLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  pathTo(id: string): string {
    return `/follow/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** The absolute URL of the page, on the current tenant's primary domain. */
  urlTo(id: string): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(id));
  }

  /** Whether a mark (the last path segment) is valid for this follower. */
  opens(id: string, mark: string): boolean {
    return this.links.isMarkOf(mark, signedText(id));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string): string {
  return `follower:${currentTenant().id}:${id}`;
}
