import { databaseNow, Kept, SETTINGS, type Settings } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { limits } from '../limits.js';
import { offerOf, offerStatement, type Offer, type WantedOffer } from './offers.js';

/**
 * Reads what events sell, and keeps it for two seconds: in a rush almost all sales are of the same few offers. A sale that was planned with
 * a kept offer is not written when the versions of the offer have changed since.
 */
@Injectable()
export class OffersService {
  private readonly kept = new Kept<Offer>(limits.offers.kept);

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** An offer that this process has read at most two seconds ago; undefined: none, or a sale has begun or ended since. */
  recent(wanted: WantedOffer): Offer | undefined {
    const offer = this.kept.get(keyOf(wanted));
    return offer && (offer.changesAt === null || offer.changesAt > databaseNow()) ? offer : undefined;
  }

  /** Reads an offer as it is now, in one round trip. @throws RefusedInput on `eventId` when the event does not exist */
  async read(wanted: WantedOffer): Promise<Offer> {
    const key = keyOf(wanted);
    const start = performance.now();
    this.kept.delete(key);
    const offer = offerOf(await this.db.atOnce([offerStatement(wanted, this.settings)]));
    this.kept.set(key, offer, { start });
    return offer;
  }
}

const keyOf = ({ eventId, priceIds, code = '' }: WantedOffer): string =>
  [currentTenant().id, eventId, code, ...priceIds.toSorted()].join(' ');
