import { isUuid, SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';

/** Signed links to an order that is being made. The link is the only credential, so that orders need no cookie. */
@Injectable()
export class OrderLinks {
  constructor(private readonly links: SignedLinks) {}

  pathTo(id: string): string {
    return `/order/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** The page of a place in the booking queue of an event. Its id becomes that of the order. */
  queuePathTo(slug: string, id: string): string {
    return `/event/${encodeURIComponent(slug)}/queue/${id}/${this.links.markOf(signedText(id))}`;
  }

  /** Value of the cookie that remembers an order or a place in a queue. */
  cookieOf(id: string): string {
    return `${id}.${this.links.markOf(signedText(id))}`;
  }

  /** The order or place of a cookie; undefined when the value is not genuine. */
  orderOf(cookie: string): string | undefined {
    const [id = '', mark = ''] = cookie.split('.', 2);
    return isUuid(id) && this.opens(id, mark) ? id : undefined;
  }

  /** Whether a mark (the path segment behind the id) is valid for this order. */
  opens(id: string, mark: string): boolean {
    return this.links.isMarkOf(mark, signedText(id));
  }
}

/** Contains the tenant's id, so that a mark is valid in one tenant only. */
function signedText(id: string): string {
  return `order:${currentTenant().id}:${id}`;
}
