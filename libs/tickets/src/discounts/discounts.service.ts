import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ProductCopiesService, type ProductCopy } from '#catalogue';
import type { Page } from '#http';
import { retryOnDeadlock } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { Discount } from '../entities/discount.entity.js';
import {
  checkedDiscount,
  discountLimits,
  refusedDiscount,
  writableDiscount,
  type DiscountChange,
  type NewDiscount,
} from './new-discount.js';

/** A discount with what it was given for until now. */
export type CountedDiscount = Discount & {
  /** Tickets that it reduces, also those that are only held. */
  readonly uses: number;
  /** Decimal text. */
  readonly spent: string;
};

/**
 * SQL, a query: the tickets that a discount reduces. Cancelled tickets and holds that have ended do not count.
 * @param columns of `used` (`DiscountUse`), `ticket` and `reservation`
 */
export const usesOfDiscountSql = (columns: string, discountId: string): string => `select ${columns} from discount_use used
  join reservation on reservation.id = used.reservation_id and reservation.released_at is null
    and (reservation.expires_at is null or reservation.expires_at > statement_timestamp())
  join ticket on ticket.reservation_id = used.reservation_id and ticket.line_id = used.line_id and ticket.status <> 'R'
  where used.discount_id = ${discountId}`;

/** Manages the discounts without a code of the current tenant. Sales read them with the offer of an event. */
@Injectable()
export class DiscountsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly copies: ProductCopiesService,
  ) {}

  onModuleInit(): void {
    this.copies.follow(copyDiscounts);
  }

  /** Newest first. @returns also the total number */
  list(page?: Page): Promise<{ discounts: CountedDiscount[]; total: number }> {
    return this.db.transaction(async (tx) => {
      const discounts = await tx.find(Discount, { order: { createdAt: 'DESC', id: 'ASC' }, ...page });
      return { discounts: await counted(tx, discounts), total: page ? await tx.count(Discount) : discounts.length };
    });
  }

  /** @returns undefined when there is none */
  find(id: string): Promise<CountedDiscount | undefined> {
    return this.db.transaction((tx) => found(tx, id));
  }

  /** Makes a discount. @throws RefusedInput on the first member that does not fit */
  create(input: NewDiscount): Promise<CountedDiscount> {
    const discount = checkedDiscount(input);
    return this.db.transactionOnce(async (tx) => {
      if (!discount.disabled) await refuseFull(tx);
      await refuseUnknown(tx, discount);
      const { identifiers } = await tx.insert(Discount, discount);
      return (await found(tx, identifiers[0]?.['id'] as string)) as CountedDiscount;
    });
  }

  /**
   * Changes a discount. What was bought or is held with it keeps its price.
   * @param underLock sees the discount while it is locked; an error that it throws cancels the change
   * @returns undefined when there is none
   * @throws RefusedInput as `create`; what `underLock` throws
   */
  update(id: string, change: DiscountChange, underLock?: (current: CountedDiscount) => void): Promise<CountedDiscount | undefined> {
    const changing = async (tx: Tx): Promise<CountedDiscount | undefined> => {
      const current = await tx.findOne(Discount, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!current) return undefined;
      if (underLock) for (const one of await counted(tx, [current])) underLock(one);
      const checked = checkedDiscount({ ...writableDiscount(current), ...change }, current);
      if (current.disabled && !checked.disabled) await refuseFull(tx);
      await refuseUnknown(tx, checked, current);
      await tx.update(Discount, { id }, { ...checked, version: current.version + 1, updatedAt: () => 'now()' });
      return found(tx, id);
    };
    return retryOnDeadlock(() => this.db.transaction(changing));
  }
}

/** A copy of a product has the discounts that name the original, so that no buyer notices the copy. */
async function copyDiscounts(tx: Tx, { originalId, id, priceIds }: ProductCopy): Promise<void> {
  const copiesOf = (ids: readonly string[]): string[] => ids.flatMap((one) => priceIds.get(one) ?? []);
  const named = await tx.query<{ id: string }[]>(
    `select id from discount where $1 = any(product_ids) or price_ids && $2::uuid[] or parts <> '[]' order by id for no key update`,
    [originalId, [...priceIds.keys()]],
  );
  for (const { id: discountId } of named) {
    const discount = await tx.findOneByOrFail(Discount, { id: discountId });
    const parts = discount.parts.map((part) => ({ ...part, priceIds: [...part.priceIds, ...copiesOf(part.priceIds)] }));
    const productIds = discount.productIds.includes(originalId) ? [...discount.productIds, id] : discount.productIds;
    const change = { parts, productIds, priceIds: [...discount.priceIds, ...copiesOf(discount.priceIds)] };
    await tx.update(Discount, { id: discountId }, { ...change, version: discount.version + 1, updatedAt: () => 'now()' });
  }
}

/** @throws RefusedInput when no further discount can be in use */
async function refuseFull(tx: Tx): Promise<void> {
  if ((await tx.countBy(Discount, { disabled: false })) >= discountLimits.discounts) throw refusedDiscount('name', 'full');
}

/** @throws RefusedInput when a discount names something that does not exist; what the former one named may have been deleted */
async function refuseUnknown(tx: Tx, discount: NewDiscount, former?: Discount): Promise<void> {
  const pricesOf = (parts: Discount['parts'] = []): string[] => parts.flatMap(({ priceIds }) => priceIds);
  const lists = [
    ['priceIds', 'price', discount.priceIds, former?.priceIds],
    ['productIds', 'product', discount.productIds, former?.productIds],
    ['eventIds', 'event', discount.eventIds, former?.eventIds],
    ['parts', 'price', pricesOf(discount.parts), pricesOf(former?.parts)],
    ['membershipId', 'product', discount.membershipId ? [discount.membershipId] : [], former?.membershipId ? [former.membershipId] : []],
  ] as const;
  for (const [field, table, ids = [], known = []] of lists) {
    const asked = [...new Set(ids)].filter((id) => !known.includes(id));
    if (asked.length === 0) continue;
    const rows = await tx.query<unknown[]>(`select 1 from ${table} where id = any($1)`, [asked]);
    if (rows.length < asked.length) throw refusedDiscount(field, 'unknown');
  }
}

const found = async (tx: Tx, id: string): Promise<CountedDiscount | undefined> =>
  (await counted(tx, await tx.find(Discount, { where: { id } })))[0];

async function counted(tx: Tx, discounts: readonly Discount[]): Promise<CountedDiscount[]> {
  const rows = await tx.query<{ id: string; uses: number; spent: string }[]>(
    `select discount.id, used.uses, used.spent from discount cross join lateral (
       ${usesOfDiscountSql('count(*)::int as uses, coalesce(sum(used.saved), 0)::numeric(10, 2)::text as spent', 'discount.id')}) used
     where discount.id = any($1)`,
    [discounts.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return discounts.map((one) => ({ ...one, uses: byId.get(one.id)?.uses ?? 0, spent: byId.get(one.id)?.spent ?? '0.00' }));
}
