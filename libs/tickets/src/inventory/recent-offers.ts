import { Injectable } from '@nestjs/common';
import { currentTenant } from '#tenancy';
import { LRUCache } from 'lru-cache';
import type { Offer } from './offers.js';

/** What can tell two offers of a tenant apart. */
interface Wanted {
  readonly eventId: string;
  readonly priceIds: readonly string[];
}

/** So few that a process keeps little, and enough for a rush. */
const keptMs = 10_000;

/**
 * Offers with which this process has booked, read some seconds ago at most. A booking that begins with one needs a single round trip: it
 * sends its rows without reading, behind a statement that fails when the offer has changed (`demandSameOffer`). In a rush almost all
 * bookings are of the same few offers.
 */
@Injectable()
export class RecentOffers {
  private readonly offers = new LRUCache<string, Offer>({ max: 2000, ttl: keptMs });

  find(wanted: Wanted): Offer | undefined {
    return this.offers.get(keyOf(wanted));
  }

  /** Keeps an offer for some seconds from its reading on, so that its age is bounded. */
  keep(wanted: Wanted, offer: Offer): void {
    this.offers.set(keyOf(wanted), offer, { start: offer.readAt });
  }

  forget(wanted: Wanted): void {
    this.offers.delete(keyOf(wanted));
  }
}

const keyOf = ({ eventId, priceIds }: Wanted): string => [currentTenant().id, eventId, ...priceIds.toSorted()].join(' ');
