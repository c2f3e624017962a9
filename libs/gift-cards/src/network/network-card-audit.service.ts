import { Injectable } from '@nestjs/common';
import { fromCents, toCents } from '#kernel';
import type { LedgerDrift } from '#tickets';
import { currentTenant, TenantDb, TenantsService, type Tx } from '#tenancy';
import { inPlace, isSilence } from './other-venue.js';

interface Transfer {
  readonly id: string;
  /** Decimal text. */
  readonly amount: string;
  readonly peerId: string;
  /** Whether the card is one of the own venue. */
  readonly isOwn: boolean;
}

/** Compares what passed between the current venue and others with gift cards: both venues have a movement for each transfer. */
@Injectable()
export class NetworkCardAuditService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
  ) {}

  /**
   * Transfers of the last year that the other venue does not have, or has with another amount; those of the last hour may be on their way.
   * Venues that do not exist any more, or do not answer, are not compared. Each difference is found at one of both venues.
   */
  async drifts(): Promise<LedgerDrift[]> {
    const { id: ownId } = currentTenant();
    const own = await this.db.transaction((tx) => transfersOf(tx, undefined));
    const peers = await this.tenants.byIds([...new Set(own.map(({ peerId }) => peerId))]);
    const found: LedgerDrift[] = [];
    for (const peer of peers) {
      const theirs = await inPlace(peer, () => this.db.transaction((tx) => transfersOf(tx, ownId))).catch((error: unknown) => {
        if (!isSilence(error)) throw error;
      });
      if (!theirs) continue;
      const amounts = new Map(theirs.map(({ id, amount }) => [id, amount]));
      for (const { id, amount, isOwn } of own.filter(({ peerId }) => peerId === peer.id)) {
        const other = amounts.get(id);
        const isRight = other === undefined ? false : !isOwn || toCents(other) === -toCents(amount);
        if (!isRight)
          found.push({ kind: 'network card', id, name: peer.name, expected: fromCents(-toCents(amount)), ledger: other ?? '0.00' });
      }
    }
    return found;
  }
}

/** @param peerId all with this venue; undefined: those with any venue that are an hour old */
function transfersOf(tx: Tx, peerId: string | undefined): Promise<Transfer[]> {
  return tx.query(
    `select transfer_id as id, movement.amount::text as amount, peer_id as "peerId", card.issuer_id is null as "isOwn"
     from gift_card_movement movement join gift_card card on card.id = movement.gift_card_id
     where transfer_id is not null and movement.created_at > statement_timestamp() - interval '13 months'
       and case when $1::uuid is null then movement.created_at between statement_timestamp() - interval '12 months'
         and statement_timestamp() - interval '1 hour' else peer_id = $1 end
     order by movement.created_at, transfer_id`,
    [peerId ?? null],
  );
}
