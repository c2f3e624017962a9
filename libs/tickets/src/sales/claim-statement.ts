import type { PreparedStatement, SentStatement } from '#tenancy';
import { isLiveSql, keptPlacesSql, mostUsesSql, usesByOthersSql } from '../places/code-uses.js';
import { lockEventsSql, openPlacesSql } from '../places/free-places.js';
import { quantityOf, total, type Lines } from '../inventory/inventory.js';
import { heldBySql } from '../inventory/limits.js';
import { anybodyWaitsSql, waitedForSql } from '../inventory/waiting.js';
import { countsAsMemberSql } from '../people/valid-membership.js';
import type { Claim, KeptCode } from './claim.js';
import { numbered, type Parameters } from './parameters.js';
import { failuresSql, statementByReasons, type RefusalReasons } from './refusal-reasons.js';

const pricesOf = ({ lines: { admission, goods } }: Claim): string[] => [...admission.keys(), ...goods.keys()];
const countsOf = (claim: Claim, lines: Lines | undefined): number[] => pricesOf(claim).map((id) => (lines ? quantityOf(lines, id) : 0));
const nothing: Lines = { admission: new Map(), goods: new Map() };
/** The uses of its code that a claim need not take; null: all of them. */
const keptUsesOf = ({ isHeld = false, hasLapsed = false, codeId, keptCode }: Claim): Pick<KeptCode, 'uses' | 'saved'> | null => {
  if (isHeld && !hasLapsed) return null;
  return keptCode && keptCode.id === codeId ? keptCode : { uses: 0, saved: '0' };
};
const takenOf = ({ lines, isHeld = false }: Claim): Lines => (isHeld ? nothing : lines);

/** What a statement gets of a claim, in the order of its first parameters. */
export const claimParameters = {
  id: ['uuid', ({ reservationId }) => reservationId],
  eventId: ['uuid', ({ eventId }) => eventId],
  emailKey: ['text', ({ emailKey }) => emailKey],
  isOnly: ['boolean', ({ isOnly = false }) => isOnly],
  defaultMaximum: ['int', ({ defaultMaximum = null }) => defaultMaximum],
  seats: ['int', (claim) => total(takenOf(claim).admission)],
  prices: ['uuid[]', pricesOf],
  counts: ['int[]', (claim) => countsOf(claim, claim.lines)],
  taken: ['int[]', (claim) => countsOf(claim, takenOf(claim))],
  kept: ['int[]', (claim) => countsOf(claim, claim.kept)],
  admits: ['boolean[]', (claim) => pricesOf(claim).map((id) => claim.lines.admission.has(id))],
  memberships: ['uuid[]', ({ memberships }) => memberships],
  codeId: ['uuid', ({ codeId = null }) => codeId],
  codedSeats: ['int', ({ codedSeats = 0 }) => codedSeats],
  keptUses: ['int', (claim) => keptUsesOf(claim)?.uses],
  keptSaved: ['numeric', (claim) => keptUsesOf(claim)?.saved],
} as const satisfies Parameters<Claim>;

const { sql: p, given, values } = numbered(claimParameters);

/** CTE `asked`: the prices of the claim, each once. */
export const askedSql = `asked as (select * from unnest(${p.prices}, ${p.counts}, ${p.taken}, ${p.kept}, ${p.admits})
  as asked (price_id, count, taken, kept, admits))`;

/**
 * CTE `used_code`: the code, with its places that nobody has and with its uses by others: in all, and by the person. No row without a code.
 * Uses are counted only for a limit that is asked.
 */
export const usedCodeSql = `used_code as (
    select ${mostUsesSql('code')} as max_uses, code.budget, code.max_per_person, ${isLiveSql('code')} as is_live, others.*,
      ${keptPlacesSql('code', p.eventId, `reservation.id <> ${p.id}`)} as kept
    from code cross join lateral (${usesByOthersSql(
      'code.id',
      { self: p.id, isPerson: (row) => `not ${p.isOnly} and ${row}.email_key = ${p.emailKey}` },
      `(code.max_per_person is not null and not ${p.isOnly}
        or ${p.keptUses} is not null and (code.max_uses is not null or code.budget is not null or code.place_amount is not null))`,
    )}) others
    where code.id = ${p.codeId})`;

/** CTE `coded`: how many tickets of the reservation use the code, and what it saves at them. It has the rows of the reservation. */
const codedSql = `coded (uses, saved) as (select count(*)::int, coalesce(sum(used.saved), 0) from ticket
  join code_use used on used.line_id = ticket.line_id
  where ticket.reservation_id = ${p.id} and ticket.status <> 'R' and ${p.codeId} is not null)`;

const takesSeats = (claim: Claim): boolean => total(takenOf(claim).admission) > 0;
const usesCode = ({ codeId }: Claim): boolean => (codeId ?? null) !== null;

/** Each reason for which a claim cannot be fulfilled. */
export const claimFailures = {
  person: {
    rows: `maximum, held from (
      select null::uuid as price_id, sum(count)::int as count, coalesce(max_per_user, ${p.defaultMaximum}) as maximum
      from event left join asked on admits where id = ${p.eventId} group by event.id
      union all select price_id, count, max_per_user from asked join price on price.id = price_id) as wanted
    cross join lateral (select case when ${p.isOnly} then 0 else
      (select count(*)::int from (${heldBySql(p.eventId, p.emailKey, p.id)}) as mine
        where case when wanted.price_id is null then mine.admission else mine.price_id = wanted.price_id end) end as held) as has
    where wanted.maximum is not null and wanted.count > 0 and held + wanted.count > maximum`,
  },
  places: {
    asked: takesSeats,
    rows: `null, null from event where id = ${p.eventId}
    -- What a code keeps is for the tickets that use it.
    and ${p.seats} > ${openPlacesSql('event', '', p.codeId)} - coalesce((select greatest(0, kept - ${p.codedSeats}) from used_code), 0)`,
  },
  list: {
    asked: (claim) => takesSeats(claim) && claim.passesList !== true,
    rows: `null, null from event where id = ${p.eventId}
    and (${anybodyWaitsSql('event.id')} or series_id is not null)
    and exists (select from asked where admits and taken > kept and ${waitedForSql('event', 'asked.price_id')})
    -- The places that a code keeps are not those of the list.
    and not exists (select from used_code where least(kept, ${p.codedSeats}) >= ${p.seats})`,
  },
  stock: {
    rows: `null, null from asked join price on price.id = asked.price_id
    left join event_price counter on counter.event_id = ${p.eventId} and counter.price_id = asked.price_id
    where taken > 0 and case when admits then coalesce(counter.sold, 0) else price.sold end + taken > price.stock`,
  },
  membership: {
    asked: ({ memberships }) => memberships.length > 0,
    rows: `null, null from unnest(${p.memberships}) as required (id) where not exists (select 1 from membership
    where product_id = required.id and email_key = ${p.emailKey} and ${countsAsMemberSql(p.id)})`,
  },
  code: {
    asked: usesCode,
    rows: `max_uses, used_code.uses from coded, used_code
    where coded.uses > ${p.keptUses} and (used_code.uses + coded.uses > max_uses or not is_live)
      or coded.saved > ${p.keptSaved} and used_code.saved + coded.saved > budget`,
  },
  code_person: {
    asked: usesCode,
    rows: `max_per_person, of_person from coded, used_code where of_person + coded.uses > max_per_person`,
  },
} satisfies RefusalReasons<Claim>;

/** CTEs that raise the counters of the event and the prices by what an allowed claim takes. */
export const takingSql = `seated as (
    update event set booked = booked + ${p.seats} from allowed where id = ${p.eventId} and ${p.seats} > 0),
  counted as (
    insert into event_price as counter (event_id, price_id, sold)
    select ${p.eventId}, price_id, taken from allowed, asked where admits and taken > 0
    on conflict (event_id, price_id) do update set sold = counter.sold + excluded.sold),
  handed as (update price set sold = sold + taken from allowed, asked where price.id = asked.price_id and not admits and taken > 0)`;

/** A statement that locks, in the order of their ids, rows that a sale reads or counts in and others may change. */
export const lockStatement = (name: string, text: string): PreparedStatement => ({ name: `sale-lock-${name}`, text });
const locks = {
  // PostgreSQL expects ten elements in each array, so it would plan the statements behind this one at each execution, for few elements.
  event: lockStatement('event', lockEventsSql('id = $1', `set_config('plan_cache_mode', 'force_generic_plan', true)`)),
  prices: lockStatement('prices', 'select 1 from price where id = any($1) order by id for share'),
  goods: lockStatement('goods', 'select 1 from price where id = any($1) order by id for no key update'),
  codes: lockStatement('codes', 'select 1 from code where id = any($1) for no key update'),
  memberships: lockStatement(
    'memberships',
    `select 1 from membership where product_id = any($1) and email_key = $2 and ${countsAsMemberSql('$3')} order by id for share`,
  ),
};

/** Locks rows by their ids. @returns nothing for no ids */
export const lockAll = (statement: PreparedStatement, ids: readonly string[], ...more: unknown[]): SentStatement[] =>
  ids.length === 0 ? [] : [{ statement, values: [ids, ...more] }];

export const lockEventStatement = (eventId: string): SentStatement => ({ statement: locks.event, values: [eventId] });

/** Locks what a claim counts in after its event, in the order that all transactions keep. */
export function claimLocks(claim: Claim): SentStatement[] {
  const { admission, goods } = takenOf(claim);
  return [
    ...lockAll(locks.prices, [...admission.keys()]),
    ...lockAll(locks.goods, [...goods.keys()]),
    ...lockAll(locks.memberships, claim.memberships, claim.emailKey, claim.reservationId),
    ...lockAll(locks.codes, claim.codeId ? [claim.codeId] : []),
  ];
}

const takeStatement = statementByReasons<Claim>(
  'sale-take',
  claimFailures,
  (failed) => `with ${given}, ${askedSql}, ${codedSql}, ${usedCodeSql}, ${failed}, ${takingSql} ${failuresSql}`,
);

/** The statements that take what a claim needs, or say why not: locks, then the one that takes. */
export const takeStatements = (claim: Claim): SentStatement[] => [
  lockEventStatement(claim.eventId),
  ...claimLocks(claim),
  { statement: takeStatement(claim), values: values(claim) },
];
