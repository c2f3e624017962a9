import { askedBy } from '#tickets';
import { isShownSql, isKindSql, saleStateSql, vatRateSql, type Image, type Question, type SaleState } from '#catalogue';
import { costsNothing } from '#kernel';
import type { Tx } from '#tenancy';

/** A price at which people can join. */
export interface MembershipOffer {
  readonly priceId: string;
  readonly productId: string;
  readonly product: string;
  readonly name: string;
  /** Of the product; null: none. */
  readonly description: string | null;
  readonly image: Pick<Image, 'id' | 'width' | 'height'> | null;
  /** Decimal text. */
  readonly amount: `${number}`;
  /** In percent, decimal text. */
  readonly vatRate: string;
  /** The member chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
  /** A year, a month; null: no end. */
  readonly period: 'Y' | 'M' | null;
  /** The venue allows members to have it renewed by itself. */
  readonly autoRenewal: boolean;
  readonly soldOut: boolean;
  readonly published: boolean;
  /** Whether the time of its sale has come, for buyers on the pages. */
  readonly sale: SaleState;
  /** null: at once. */
  readonly salesFrom: Date | null;
  /** null: without an end. */
  readonly salesUntil: Date | null;
  /** Name of the membership that one must have already; null: none. */
  readonly required: string | null;
}

/** What members pay less for. */
export interface MemberBenefit {
  /** The membership. */
  readonly membershipId: string;
  readonly product: string;
  /** The lowest price for members, decimal text. */
  readonly amount: `${number}`;
  /** The lowest price without a membership, decimal text; null: it is for members only. */
  readonly full: `${number}` | null;
}

/** SQL: the lowest of the published prices that pass a condition. */
const lowestSql = (condition: string): string =>
  `(select min(price.amount)::text from price where price.product_id = product.id and ${isShownSql('price')} and not price.free_amount
     and ${condition})`;

/** The first of the products of coming public events that have prices for members. */
export function memberBenefits(tx: Tx): Promise<MemberBenefit[]> {
  return tx.query<MemberBenefit[]>(
    `select * from (
       select member."membershipId", product.name as product,
         ${lowestSql('price.required_membership_id = member."membershipId"')} as amount,
         ${lowestSql('price.required_membership_id is null')} as "full",
         row_number() over (partition by member."membershipId" order by product.name) as place
       from (select distinct product_id, required_membership_id as "membershipId" from price
           where required_membership_id is not null and ${isShownSql('price')} and not free_amount) member
       join product on product.id = member.product_id and product.published
       where exists (select from event_product sold join event on event.id = sold.event_id where sold.product_id = product.id
         and event.published and not event.is_private and event.starts_at > now())) found
     where place <= 6 order by "membershipId", place`,
  );
}

/** An offer with the questions of its product. */
export interface AskedMembershipOffer extends MembershipOffer {
  readonly questions: readonly Question[];
}

/** SQL: the prices of memberships, also those that are not published; columns of MembershipOffer. */
export const membershipOffersSql = `select price.id as "priceId", product.id as "productId", product.name as product, price.name,
    left(product.short_description, 500) as description,
    (select json_build_object('id', image.id, 'width', image.width, 'height', image.height) from image where image.id = product.image_id)
      as image, price.amount::text as amount, price.free_amount as "freeAmount",
    ${vatRateSql('price.vat')} as "vatRate", price.subscription_type as period,
    product.auto_renewal and price.subscription_type is not null as "autoRenewal", required.name as required,
    product.published and price.published as published, ${saleStateSql('price')} as sale,
    price.sales_from as "salesFrom", price.sales_until as "salesUntil",
    price.stock is not null and price.sold - (select count(*) from membership held where held.price_id = price.id
      and held.status = 'pending' and held.expires_at <= statement_timestamp() and held.released_at is null) >= price.stock as "soldOut"
  from price join product on product.id = price.product_id left join product required on required.id = price.required_membership_id
  where ${isKindSql('product.category', 'membership')}`;

const publishedSql = `${membershipOffersSql} and product.published and ${isShownSql('price')}`;

/** Whether an offer costs nothing, whoever joins. */
export const isFreeOffer = ({ amount, freeAmount }: Pick<MembershipOffer, 'amount' | 'freeAmount'>): boolean =>
  costsNothing(amount) && !freeAmount;

/**
 * Whether an offer can be bought in a cart now: it has a fixed amount, which is paid with the rest. Free ones are confirmed by mail, and
 * for others the member chooses the amount in the form of the membership.
 */
export function isForCart({ published, soldOut, sale, amount, freeAmount }: MembershipOffer): boolean {
  return published && !soldOut && sale === 'open' && !freeAmount && !costsNothing(amount);
}

/**
 * Whether an offer can be bought now in its own form alone: it is free, or the member chooses the amount.
 * @param canPayOnline whether what costs something can be paid
 */
export function isForOwnForm(offer: MembershipOffer, canPayOnline: boolean): boolean {
  const { published, soldOut, sale, freeAmount } = offer;
  return published && !soldOut && sale === 'open' && (isFreeOffer(offer) || (freeAmount && canPayOnline));
}

/** Published prices of published memberships, at most 100, by product. */
export function membershipOffers(tx: Tx): Promise<MembershipOffer[]> {
  return tx.query<MembershipOffer[]>(
    `${publishedSql} order by product.name, product.id, price.amount desc, price.created_at, price.id limit 100`,
  );
}

/** Like `membershipOffers`, with the questions of their products. */
export async function askedMembershipOffers(tx: Tx): Promise<AskedMembershipOffer[]> {
  return withQuestions(tx, await membershipOffers(tx));
}

/** @returns undefined when there is no such published price */
export async function membershipOffer(tx: Tx, priceId: string): Promise<AskedMembershipOffer | undefined> {
  const offers = await tx.query<MembershipOffer[]>(`${publishedSql} and price.id = $1`, [priceId]);
  return (await withQuestions(tx, offers))[0];
}

async function withQuestions(tx: Tx, offers: readonly MembershipOffer[]): Promise<AskedMembershipOffer[]> {
  const asked = offers.length === 0 ? [] : await askedBy(tx, [...new Set(offers.map(({ productId }) => productId))]);
  // Every question of a membership is asked once.
  const questions = asked.map((one) => ({ ...one, scope: 'reservation' as const }));
  return offers.map((offer) => ({ ...offer, questions: questions.filter(({ productId }) => productId === offer.productId) }));
}
