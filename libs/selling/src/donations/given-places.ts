import { RefusedInput } from '#kernel';
import { addLines, linesOfSold, lockOrder, nameLine, ownLinesOf, removeLines, type OwnLine } from '#orders';
import { currentTenant, type Tx } from '#tenancy';
import { givenPlacesSql, isLiveSql, promisedPlacesSql } from '#tickets';
import { texts } from '../locales/selling.texts.js';
import { inCart } from './donation.js';

/** An event for which places can be given, with what one costs. */
export interface OfferedPlaces {
  readonly eventId: string;
  /** Of the event. */
  readonly name: string;
  /** Decimal text. */
  readonly amount: string;
  /** That one order can give. */
  readonly most: number;
}

/** Places that one order can give for an event. */
const mostPlaces = 20;

/** The events for which places can be given now: a code gives them away, now and as often as it can be used. */
export function offeredPlaces(tx: Tx, eventIds: readonly string[]): Promise<OfferedPlaces[]> {
  return tx.query<OfferedPlaces[]>(
    `select event.id as "eventId", event.name, code.place_amount::text as amount, least(left_over, $2)::int as most
     from code join event on event.id = code.event_ids[1]
     -- Null without a limit, which \`least\` passes over.
     cross join lateral (
       select code.max_uses - ${givenPlacesSql('code')} - ${promisedPlacesSql('code')} as left_over) as pot
     where code.place_amount is not null and ${isLiveSql('code')} and coalesce(left_over > 0, true) and event.id = any($1)
     order by event.starts_at, event.id`,
    [eventIds, mostPlaces],
  );
}

/**
 * The places of a locked cart that nobody could get: other orders, paid or not yet, took the last ones, or the code has ended. It locks the
 * codes until the cart is placed.
 * @param own what the cart itself sells, read under its lock
 */
export async function lostPlaces(tx: Tx, own: readonly OwnLine[]): Promise<OwnLine[]> {
  const given = own.filter(({ kind }) => kind === 'place');
  const eventIds = given.flatMap(({ eventId }) => eventId ?? []);
  if (given.length === 0) return [];
  await tx.query('select 1 from code where place_amount is not null and event_ids[1] = any($1) order by id for no key update', [eventIds]);
  const offered = new Map<string | null, number>((await offeredPlaces(tx, eventIds)).map(({ eventId, most }) => [eventId, most]));
  return given.filter(({ eventId, pieces }) => pieces > (offered.get(eventId) ?? 0));
}

/** Removes the places that a cart cannot give any more. */
export async function forgetLostPlaces(tx: Tx, cartId: string): Promise<void> {
  if (!(await lockOrder(tx, cartId))) return;
  const lost = await lostPlaces(tx, await ownLinesOf(tx, cartId));
  await removeLines(
    tx,
    cartId,
    lost.map(({ id }) => id),
  );
}

/** @param typed a number; nothing and `0` remove them @throws RefusedInput on `places` */
export function placesOf(typed: string): number {
  const text = typed.trim() || '0';
  return atMost(/^\d{1,3}$/.test(text) ? Number(text) : Infinity, mostPlaces);
}

function atMost(quantity: number, most: number): number {
  if (quantity > most) throw new RefusedInput('places', texts.localized('givenPlaces.number', { most }));
  return quantity;
}

/**
 * Changes the places that a locked cart gives at an event of which it has tickets.
 * @throws RefusedInput on `places` when none, or not so many, can be given (any more)
 */
export async function choosePlaces(tx: Tx, cartId: string, eventId: string, quantity: number): Promise<void> {
  const before = (await ownLinesOf(tx, cartId)).filter((one) => one.eventId === eventId);
  await removeLines(
    tx,
    cartId,
    before.map(({ id }) => id),
  );
  if (quantity === 0) return;
  const inThisCart = await tx.query<{ eventId: string }[]>(
    'select event_id as "eventId" from reservation where cart_id = $1 and event_id = $2 and released_at is null limit 1',
    [cartId, eventId],
  );
  const [offered] = await offeredPlaces(
    tx,
    inThisCart.map((part) => part.eventId),
  );
  if (!offered) throw new RefusedInput('places', texts.localized('givenPlaces.none'));
  atMost(quantity, offered.most);
  const name = texts.translate(currentTenant().language, 'givenPlaces.name', { event: offered.name });
  const place = { kind: 'donation', priceId: null, productId: null, name, amount: offered.amount, vatRate: '0.00' } as const;
  const { lines } = linesOfSold(Array.from({ length: quantity }, () => place));
  await addLines(tx, lines, inCart(cartId));
  for (const { id } of lines) await nameLine(tx, id, { eventId });
}
