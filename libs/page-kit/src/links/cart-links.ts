import { isUuid, SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** Signed links to a cart. The link is the only credential; a cookie only remembers it. */
@Injectable()
export class CartLinks {
  constructor(private readonly links: SignedLinks) {}

  pathTo(id: string): string {
    return `/cart/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** Path of the page about a donation without a cart. */
  donationPathTo(id: string): string {
    return `/donate/${id}/${this.links.markOf(donationText(id))}`;
  }

  /** Value of the cookie that remembers a cart. */
  cookieOf(id: string): string {
    return `${id}.${this.links.markOf(signedText(id))}`;
  }

  /** The cart of a cookie; undefined when the value is not genuine. */
  cartOf(cookie: string): string | undefined {
    const [id = '', mark = ''] = cookie.split('.', 2);
    return this.opens(id, mark) ? id : undefined;
  }

  /** Whether a mark is valid for the page about this donation, which does not open the cart of the same id. */
  opensDonation(id: string, mark: string): boolean {
    return isUuid(id) && this.links.isMarkOf(mark, donationText(id));
  }

  /** Whether a mark (the path segment behind the id) is valid for this cart. */
  opens(id: string, mark: string): boolean {
    return isUuid(id) && this.links.isMarkOf(mark, signedText(id));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string): string {
  return `cart:${currentTenant().id}:${id}`;
}

function donationText(id: string): string {
  return `donation:${currentTenant().id}:${id}`;
}
