import { Inject, Injectable } from '@nestjs/common';
import { fromCents, RefusedInput, RefusedInputs, SETTINGS, sumOf, toCents, type Settings } from '#kernel';
import { inside, TenantDb, type Tx } from '#tenancy';
import { Discount, loadOffer } from '#tickets';
import { membershipsFor } from '../discounts/memberships-for.js';
import { judge } from '../rules/index.js';
import type { CounterSale } from './counter-sales.service.js';

/** What the tickets of one event of a sale cost. */
export interface QuotedPart {
  readonly eventId: string;
  /** Decimal texts; `saved` by its code and by discounts. */
  readonly total: string;
  readonly saved: string;
  /** The discounts, each once. */
  readonly discounts: readonly string[];
}

/** Says what a sale at the box office costs with its discounts, before it is sold. */
@Injectable()
export class CounterQuotesService {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether the venue has discounts that are not switched off. */
  areUsed(): Promise<boolean> {
    return this.db.transaction((tx) => tx.existsBy(Discount, { disabled: false }));
  }

  /** @returns the parts that can be sold; what is refused is left to the sale */
  quote({ reservations, memberships }: CounterQuote): Promise<QuotedPart[]> {
    return this.db.transaction(async (tx) => {
      const bought = await productsOf(tx, memberships);
      const eventIds = reservations.map(({ eventId }) => eventId);
      const parts: QuotedPart[] = [];
      for (const wanted of reservations) {
        try {
          parts.push(await this.quotePart(tx, wanted, { eventIds, memberships: bought }));
        } catch (error) {
          if (!(error instanceof RefusedInput || error instanceof RefusedInputs)) throw error;
        }
      }
      return parts;
    });
  }

  private async quotePart(
    tx: Tx,
    { eventId, tickets, code, email = '' }: CounterQuote['reservations'][number],
    { eventIds, memberships }: { readonly eventIds: readonly string[]; readonly memberships: readonly string[] },
  ): Promise<QuotedPart> {
    const items = tickets.flatMap(({ priceId, ...item }) => (priceId === undefined ? [] : [{ ...item, priceId }]));
    const offer = await loadOffer(tx, { eventId, priceIds: [...new Set(items.map(({ priceId }) => priceId))], code }, this.settings);
    const held = await membershipsFor(offer, email, inside(tx));
    const buying = { eventIds, memberships: [...memberships, ...(held ?? [])] };
    // The form asks questions and options later.
    const asked = { ...offer, options: [], questions: [] };
    const { lines } = judge({ items, options: [], code, decides: true, buying, offer: asked });
    const pieces = lines.flatMap((line) => line.pieces);
    const saved = pieces.reduce((sum, piece) => sum + toCents(piece.saved ?? '0') + toCents(piece.discount?.saved ?? '0'), 0);
    const discounts = [...new Set(pieces.flatMap(({ discount }) => discount?.name ?? []))];
    return { eventId, total: sumOf(pieces), saved: fromCents(saved), discounts };
  }
}

/** What of a sale decides about its discounts. */
interface CounterQuote {
  readonly reservations: readonly Pick<CounterSale['reservations'][number], 'eventId' | 'tickets' | 'code' | 'email'>[];
  readonly memberships: readonly Pick<CounterSale['memberships'][number], 'priceId'>[];
}

/** The products of memberships. */
async function productsOf(tx: Tx, memberships: CounterQuote['memberships']): Promise<string[]> {
  if (memberships.length === 0) return [];
  const ids = memberships.map(({ priceId }) => priceId);
  const rows = await tx.query<{ id: string }[]>('select distinct product_id as id from price where id = any($1)', [ids]);
  return rows.map(({ id }) => id);
}
