import { loadAnswers, type WholeAnswer } from '#tickets';
import { saleStateSql, vatRateSql, type SaleState } from '#catalogue';
import { grouped, inOrderOf } from '#kernel';
import { anyOf, type Tx } from '#tenancy';
import { Payment } from '#payments';
import { Membership } from './membership.entity.js';

/** A membership with its product, price, payments and answers. */
export type WholeMembership = Membership & {
  /** The oldest first. */
  readonly payments: readonly Payment[];
  /** In the order of the questions. */
  readonly answers: readonly WholeAnswer[];
};

/** The price of a membership at the time of the sale. */
export interface SoldPrice {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  /** Name of the product. */
  readonly product: string;
  readonly amount: string;
  readonly freeAmount: boolean;
  /** VAT in percent, decimal text. */
  readonly vatRate: string;
  readonly published: boolean;
  /** Only staff sell it. */
  readonly hidden: boolean;
  readonly category: string;
  readonly maxPerUser: number | null;
  readonly stock: number | null;
  readonly subscriptionType: 'Y' | 'M' | null;
  readonly requiredMembershipId: string | null;
  readonly sale: SaleState;
  readonly salesFrom: Date | null;
}

/** A membership whose price and row are locked. */
export interface LockedMembership {
  readonly id: string;
  readonly price: SoldPrice;
  readonly emailKey: string;
  /** Start of its validity if it is paid now. */
  readonly validFrom: Date;
  readonly status: Membership['status'];
  /** Its time to pay has expired. */
  readonly lapsed: boolean;
  readonly released: boolean;
  /** It counts for the network of a buyer on the pages. */
  readonly counted: boolean;
  /** A buyer on the pages ordered it. */
  readonly isOnline: boolean;
}

/** Locks the price, then the membership. @returns undefined when the membership does not exist */
export async function lockMembership(tx: Tx, id: string): Promise<LockedMembership | undefined> {
  const known = await tx.findOne(Membership, { select: { id: true, priceId: true }, where: { id } });
  const price = known && (await lockPrice(tx, known.priceId));
  if (!price) return undefined;
  const [membership] = await tx.query<Omit<LockedMembership, 'price'>[]>(
    `select id, email_key as "emailKey", greatest(valid_from, statement_timestamp()) as "validFrom", status,
       coalesce(expires_at <= statement_timestamp(), false) as lapsed, released_at is not null as released,
       network is not null as counted, by_user_id is null and by_key_id is null as "isOnline"
     from membership where id = $1 for no key update`,
    [id],
  );
  return membership && { ...membership, price };
}

/** Locks the price of a membership, which serialises its sales. @returns undefined when it does not exist */
export async function lockPrice(tx: Tx, id: string): Promise<SoldPrice | undefined> {
  const [price] = await tx.query<SoldPrice[]>(
    `select price.id, price.product_id as "productId", price.name, product.name as product, price.amount, price.free_amount as "freeAmount",
       ${vatRateSql('price.vat')} as "vatRate", price.published and product.published as published,
       price.hidden, product.category, price.max_per_user as "maxPerUser", price.stock, price.subscription_type as "subscriptionType",
       price.required_membership_id as "requiredMembershipId", ${saleStateSql('price')} as sale, price.sales_from as "salesFrom"
     from price join product on product.id = price.product_id where price.id = $1 for no key update of price`,
    [id],
  );
  return price;
}

/** @returns undefined when it does not exist */
export async function loadMembership(tx: Tx, id: string): Promise<WholeMembership | undefined> {
  return (await loadMemberships(tx, [id]))[0];
}

/** Loads memberships with a fixed number of statements. @returns the existing ones, in the order of `ids` */
export async function loadMemberships(tx: Tx, ids: readonly string[]): Promise<WholeMembership[]> {
  const memberships = await tx.find(Membership, {
    where: { id: anyOf(ids) },
    relations: { product: true, price: true },
  });
  const payments = await tx.find(Payment, { where: { membershipId: anyOf(ids) }, order: { createdAt: 'ASC' } });
  const paymentsOf = grouped(payments, ({ membershipId }) => membershipId);
  const answersOf = await loadAnswers(tx, 'membershipId', ids);
  return inOrderOf(ids, memberships).map((membership) =>
    Object.assign(membership, {
      payments: paymentsOf.get(membership.id) ?? [],
      answers: answersOf.get(membership.id) ?? [],
    }),
  );
}
