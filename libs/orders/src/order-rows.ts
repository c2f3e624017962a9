import { actorColumns } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import type { NewLine } from './new-lines.js';
import { ownSql, partSql, type OrderPart } from './order-part.js';
import { lineRows, orderSql, placedSql } from './order-sql.js';
import type { OrderChannel, OrderState } from './order.entity.js';
import { vatOfLines } from './vat.js';

const linesStatement: PreparedStatement = {
  name: 'order-lines',
  text: `with allowed as (select), ${orderSql(
    {
      orderId: '$1::uuid',
      isOpen: '$8::boolean',
      channel: '$2::text',
      userId: '$3::uuid',
      keyId: '$4::text',
      createdAt: '(select now())',
      effectiveAt: 'case when $5::boolean then (select now()) end',
      eventId: 'null::uuid',
      reservationId: 'null::uuid',
      membershipId: '$6::uuid',
      lines: '$7::jsonb',
    },
    'allowed',
  )} select 1`,
};

/** Writes lines of a membership, which exists, or of the order itself, and the order if that is a new one. */
export async function addLines(
  tx: Tx,
  lines: readonly NewLine[],
  how: {
    readonly orderId: string;
    /** null: they belong to the order itself. */
    readonly membershipId: string | null;
    /** The order is a cart yet, or has other parts, and is placed later. */
    readonly isOpen: boolean;
    readonly channel: OrderChannel;
    readonly isEffective: boolean;
  },
): Promise<void> {
  const values = [how.orderId, how.channel, ...actorColumns(), how.isEffective, how.membershipId, lineRows(lines), how.isOpen];
  await queryPrepared(tx, linesStatement, values);
}

/** Says what a donation of an open order is given for. */
export async function nameLine(
  tx: Tx,
  lineId: string,
  { campaignId = null, eventId = null }: { readonly campaignId?: string | null; readonly eventId?: string | null },
): Promise<void> {
  await tx.query('update order_line set campaign_id = $2, event_id = $3 where id = $1', [lineId, campaignId, eventId]);
}

/** Removes lines of an open order that belong to the order itself. */
export async function removeLines(tx: Tx, orderId: string, ids: readonly string[]): Promise<void> {
  await tx.query(`delete from order_line where order_id = $1 and id = any($2) and ${ownSql}`, [orderId, ids]);
}

/**
 * Locks an open order until the transaction ends, so that nothing is added to it meanwhile; begins it when there is none. Call it before
 * anything else is locked.
 * @returns false when it is not open any more
 */
export async function beginOrder(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    `insert into orders (id, channel) values ($1, 'page') on conflict (id) do update set version = orders.version + 1
     where orders.state = 'open' returning id`,
    [id],
  );
  return rows.length > 0;
}

/** Locks an order until the transaction ends. @returns whether it is open; false also when there is none */
export async function lockOrder(tx: Tx, id: string): Promise<boolean> {
  const [order] = await tx.query<{ state: OrderState }[]>('select state from orders where id = $1 for no key update', [id]);
  return order?.state === 'open';
}

/** The lines were sold: paid, confirmed or given away. Those that were sold before stay unchanged. */
export async function sellLines(tx: Tx, part: OrderPart): Promise<void> {
  const [condition, id] = partSql(part);
  await tx.query(`update order_line set effective_at = (select now()) where ${condition} and effective_at is null`, [id]);
}

/** Makes an order one of a customer, who pays it later. @returns false: it has one, or does not exist */
export async function putOnAccount(tx: Tx, id: string, customerId: string): Promise<boolean> {
  const [rows] = await tx.query<[unknown[], number]>(
    'update orders set customer_id = $2, version = version + 1 where id = $1 and customer_id is null returning id',
    [id, customerId],
  );
  return rows.length > 0;
}

/** SQL: how many pieces of `line` were taken back. */
export const takenBackSql = `coalesce((select -sum(quantity) from order_line back where back.of_line = line.id), 0)`;

/**
 * Takes back pieces of lines, each with a line of its own: of lines that were sold it counts at once, of others when they are sold. An
 * order of which nothing was sold is void when nothing is left of its reservations and memberships: what it sells itself ends with them.
 * @param back number of pieces by line
 */
export async function takeBackPieces(tx: Tx, back: ReadonlyMap<string, number>): Promise<void> {
  if (back.size === 0) return;
  const share = (count: string): string => `round(line.vat_amount * 100 * (${count}) / line.quantity) / 100`;
  const [byUserId, byKeyId] = actorColumns();
  await tx.query(
    `with given as (
       select line.*, back, ${takenBackSql} as before
       from unnest($1::uuid[], $2::int[]) as given (line_id, back) join order_line line on line.id = line_id)
     insert into order_line (id, order_id, position, kind, price_id, product_id, event_id, reservation_id, membership_id, of_line, name,
       quantity, unit_amount, amount, vat_rate, vat_amount, effective_at, by_user_id, by_key_id)
     select gen_random_uuid(), order_id, position, kind, price_id, product_id, event_id, reservation_id, membership_id, id, name,
       -back, unit_amount, -back * unit_amount, vat_rate, ${share('before')} - ${share('before + back')},
       case when effective_at is not null then now() end, $3, $4
     from given as line`,
    [[...back.keys()], [...back.values()], byUserId, byKeyId],
  );
  await tx.query(
    `update orders set state = 'void', void_at = now(), version = version + 1
     where id in (select order_id from order_line where id = any($1)) and state = 'placed'
       and not exists (select from order_line where order_id = orders.id and effective_at is not null)
       and (select coalesce(sum(quantity), 0) from order_line where order_id = orders.id and not (${ownSql})) = 0`,
    [[...back.keys()]],
  );
}

/**
 * Locks a placed order.
 * @returns the sum of what belongs to the order itself and was not sold yet, decimal text
 */
export async function lockOwnLines(tx: Tx, id: string): Promise<string> {
  await tx.query('select 1 from orders where id = $1 for no key update', [id]);
  const [row] = await tx.query<{ due: string }[]>(
    `select coalesce(sum(amount) filter (where effective_at is null), 0)::text as due
     from order_line where order_id = $1 and ${ownSql} and exists (select from orders where id = $1 and state = 'placed')`,
    [id],
  );
  return row?.due ?? '0';
}

/** Takes back all that is left of lines. */
export async function takeBackAll(tx: Tx, part: OrderPart): Promise<void> {
  const [condition, id] = partSql(part);
  const lines = await tx.query<{ id: string; left: number }[]>(
    `select line.id, (line.quantity - ${takenBackSql})::int as left
     from order_line line where ${condition} and of_line is null`,
    [id],
  );
  await takeBackPieces(tx, new Map(lines.flatMap((line) => (line.left > 0 ? [[line.id, line.left] as const] : []))));
}

/** Forgets the lines of a hold that is changed or ends. Nothing points to them any more. */
export async function forgetLines(tx: Tx, reservationId: string): Promise<void> {
  await tx.query('delete from order_line where reservation_id = $1', [reservationId]);
}

/** Deletes an open order without lines. A cart that is being changed stays: it is locked before what it contains. */
export async function forgetEmptyOrder(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `delete from orders where id = (select id from orders where id = $1 and state = 'open' for update skip locked)
       and not exists (select from order_line where order_id = $1)`,
    [id],
  );
}

/**
 * Places an open order, which may have several parts: its lines do not change any more, and the VAT is spread over all of them. The rows of
 * its reservations are locked.
 */
export async function placeOrder(tx: Tx, id: string): Promise<void> {
  await spreadVat(tx, id);
  await tx.query(placedSql('$1'), [id]);
}

async function spreadVat(tx: Tx, id: string): Promise<void> {
  const lines = await tx.query<{ id: string; amount: string; vatRate: string; vatAmount: string }[]>(
    `select line.id, line.amount, line.vat_rate as "vatRate", line.vat_amount as "vatAmount" from order_line line
     join orders on orders.id = order_id where order_id = $1 and state = 'open' order by line.created_at, reservation_id, position`,
    [id],
  );
  const vat = vatOfLines(lines);
  const changed = lines.flatMap((line, index) => (line.vatAmount === vat[index] ? [] : [{ id: line.id, vat: vat[index] }]));
  if (changed.length === 0) return;
  await tx.query(
    'update order_line set vat_amount = given.vat from unnest($1::uuid[], $2::numeric[]) as given (line_id, vat) where id = line_id',
    [changed.map((line) => line.id), changed.map((line) => line.vat)],
  );
}

/**
 * Counts one more code that is tried to confirm an order, while fewer than `most` were tried.
 * @returns how many were tried with this one; undefined: too many before
 */
export async function countCodeAttempt(tx: Tx, id: string, most: number): Promise<number | undefined> {
  const [rows] = await tx.query<[{ attempts: number }[], number]>(
    'update orders set code_attempts = code_attempts + 1 where id = $1 and code_attempts < $2 returning code_attempts as attempts',
    [id, most],
  );
  return rows[0]?.attempts;
}

/** Forgets the codes that were tried, because another one is valid from now on. */
export async function forgetCodeAttempts(tx: Tx, id: string): Promise<void> {
  await tx.query('update orders set code_attempts = 0 where id = $1', [id]);
}
