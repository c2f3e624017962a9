import { actorColumns } from '#kernel';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import type { NewLine } from './new-lines.js';
import { lineRows, orderSql, placedSql } from './order-sql.js';
import type { OrderChannel } from './order.entity.js';
import { vatOfLines } from './vat.js';

/** What lines belong to. */
export type LinesOf = { readonly reservationId: string } | { readonly membershipId: string };

const columnOf = (of: LinesOf): readonly [column: 'reservation_id' | 'membership_id', id: string] =>
  'reservationId' in of ? ['reservation_id', of.reservationId] : ['membership_id', of.membershipId];

const membershipStatement: PreparedStatement = {
  name: 'order-of-membership',
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

/** Writes the line of a new membership, which exists, and its order if that is a new one. */
export async function orderMembership(
  tx: Tx,
  membershipId: string,
  how: {
    readonly orderId: string;
    /** Its order has other parts, and is placed later. */
    readonly isOpen: boolean;
    readonly channel: OrderChannel;
    readonly isEffective: boolean;
    readonly lines: readonly NewLine[];
  },
): Promise<void> {
  const values = [how.orderId, how.channel, ...actorColumns(), how.isEffective, membershipId, lineRows(how.lines), how.isOpen];
  await queryPrepared(tx, membershipStatement, values);
}

/** The lines were sold: paid, confirmed or given away. Those that were sold before stay unchanged. */
export async function sellLines(tx: Tx, of: LinesOf): Promise<void> {
  const [column, id] = columnOf(of);
  await tx.query(`update order_line set effective_at = (select now()) where ${column} = $1 and effective_at is null`, [id]);
}

/** SQL: how many pieces of `line` were taken back. */
export const takenBackSql = `coalesce((select -sum(quantity) from order_line back where back.of_line = line.id), 0)`;

/**
 * Takes back pieces of lines, each with a line of its own: of lines that were sold it counts at once, of others when they are sold. An
 * order of which nothing was sold and nothing is left is void.
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
       and (select sum(quantity) from order_line where order_id = orders.id) = 0`,
    [[...back.keys()]],
  );
}

/** Takes back all that is left of the lines of a reservation or a membership. */
export async function takeBackAll(tx: Tx, of: LinesOf): Promise<void> {
  const [column, id] = columnOf(of);
  const lines = await tx.query<{ id: string; left: number }[]>(
    `select line.id, (line.quantity - ${takenBackSql})::int as left
     from order_line line where ${column} = $1 and of_line is null`,
    [id],
  );
  await takeBackPieces(tx, new Map(lines.flatMap((line) => (line.left > 0 ? [[line.id, line.left] as const] : []))));
}

/** Forgets the lines of a hold that is changed or ends. Nothing points to them any more. */
export async function forgetLines(tx: Tx, reservationId: string): Promise<void> {
  await tx.query('delete from order_line where reservation_id = $1', [reservationId]);
}

/** Deletes an open order without lines. */
export async function forgetEmptyOrder(tx: Tx, id: string): Promise<void> {
  await tx.query(`delete from orders where id = $1 and state = 'open' and not exists (select from order_line where order_id = $1)`, [id]);
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
