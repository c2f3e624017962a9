import { isUuid, SETTINGS, SignedLinks, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** Addresses of the pages of gift cards. The link to a purchase is the only credential for it. */
@Injectable()
export class GiftCardLinks {
  constructor(
    private readonly links: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Path of the page about a purchase, by its order. */
  pathTo(orderId: string): string {
    return `/gift-card/${orderId}/${this.links.markOf(signedText(orderId))}`;
  }

  urlTo(orderId: string): string {
    return tenantUrl(this.settings, currentTenant(), this.pathTo(orderId));
  }

  /** Address of the page with the balance of a card, which has the code in its field. */
  balanceUrl(code: string): string {
    return tenantUrl(this.settings, currentTenant(), `/gift-card/balance?code=${encodeURIComponent(code)}`);
  }

  /** Whether a mark (the path segment behind the id) is valid for this purchase. */
  opens(orderId: string, mark: string): boolean {
    return isUuid(orderId) && this.links.isMarkOf(mark, signedText(orderId));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
const signedText = (orderId: string): string => `gift-card:${currentTenant().id}:${orderId}`;
