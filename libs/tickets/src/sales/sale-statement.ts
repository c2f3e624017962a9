import { actorColumns } from '#kernel';
import type { PreparedStatement, SentStatement } from '#tenancy';
import { quantityOf, total } from '../inventory/inventory.js';
import { exceededMaximumSql, networkFitsSql } from '../holds/network-limits.js';
import { heldBySql, limitsOf, type PersonLimit } from '../inventory/limits.js';
import { anybodyWaitsSql, somebodyQueuesSql, waitedForSql } from '../inventory/waiting.js';
import { validMembershipSql } from '../people/valid-membership.js';
import { followUpsSql, followUpValues } from '../reservations/reservation-follow-ups.js';
import { currentKeySql } from '../signing/signing-keys.service.js';
import type { NewHold, PlannedSale } from './planned-sale.js';

/** How far the clock of the database may be from the time that a sale was planned with. */
const clockTolerance = `interval '5 seconds'`;

const pricesOf = ({ claim: { lines } }: PlannedSale): string[] => [...lines.admission.keys(), ...lines.goods.keys()];
const membershipsOf = ({ claim: { prices } }: PlannedSale): string[] => [
  ...new Set(prices.flatMap(({ requiredMembershipId: id }) => id ?? [])),
];

type Parameter = readonly [type: string, value: (sale: PlannedSale) => unknown];
type Ticket = PlannedSale['reservation']['tickets'][number];

const ofReservation = (type: string, value: (reservation: PlannedSale['reservation']) => unknown): Parameter => [
  type,
  ({ reservation }) => value(reservation),
];
const ofTickets = (type: string, value: (ticket: Ticket) => unknown): Parameter => [
  `${type}[]`,
  ({ reservation }) => reservation.tickets.map((ticket) => value(ticket)),
];
const ofLimits = (type: string, value: (limit: PersonLimit) => unknown): Parameter => [
  `${type}[]`,
  ({ claim, maximum }) => (claim.isOnly ? [] : limitsOf(claim, maximum).map((limit) => value(limit))),
];
const ofHold = (type: string, value: (hold: NewHold) => unknown): Parameter => [type, ({ hold }) => hold && value(hold)];

/** The parameters in their order, with their types and values. The follow-ups expect the id of the reservation as the first one. */
const parameters = {
  id: ofReservation('uuid', ({ id }) => id),
  eventId: ofReservation('uuid', ({ eventId }) => eventId),
  eventVersion: ['int', ({ versions }) => versions.event],
  products: ['uuid[]', ({ versions }) => [...versions.products.keys()]],
  productVersions: ['int[]', ({ versions }) => [...versions.products.values()]],
  seats: ['int', ({ claim }) => total(claim.lines.admission)],
  passesList: ['boolean', ({ claim }) => claim.passesList ?? false],
  prices: ['uuid[]', pricesOf],
  counts: ['int[]', (sale) => pricesOf(sale).map((id) => quantityOf(sale.claim.lines, id))],
  admits: ['boolean[]', (sale) => pricesOf(sale).map((id) => sale.claim.lines.admission.has(id))],
  limitedPrices: ofLimits('uuid', ({ priceId }) => priceId),
  limitedCounts: ofLimits('int', ({ count }) => count),
  maxima: ofLimits('int', ({ maximum }) => maximum),
  memberships: ['uuid[]', membershipsOf],
  email: ofReservation('text', ({ email }) => email),
  emailKey: ofReservation('text', ({ emailKey }) => emailKey),
  firstName: ofReservation('text', ({ firstName }) => firstName),
  lastName: ofReservation('text', ({ lastName }) => lastName),
  language: ofReservation('text', ({ language }) => language),
  status: ofReservation('text', ({ status }) => status),
  amount: ofReservation('numeric', ({ amount }) => amount),
  origin: ofReservation('text', ({ origin }) => origin),
  userId: ['uuid', () => actorColumns()[0]],
  keyId: ['text', () => actorColumns()[1]],
  createdAt: ofReservation('timestamptz', ({ createdAt }) => createdAt),
  expiresAt: ofReservation('timestamptz', ({ expiresAt }) => expiresAt),
  ticketStatus: ofReservation('text', ({ tickets }) => tickets[0]?.status),
  signingKeyId: ofReservation('smallint', ({ tickets }) => tickets[0]?.signingKeyId),
  ticketIds: ofTickets('uuid', ({ id }) => id),
  ticketPrices: ofTickets('uuid', ({ priceId }) => priceId),
  amounts: ofTickets('numeric', ({ amount }) => amount),
  firstNames: ofTickets('text', ({ firstName }) => firstName),
  lastNames: ofTickets('text', ({ lastName }) => lastName),
  admissions: ofTickets('boolean', ({ admission }) => admission),
  vatRates: ofTickets('numeric', ({ vatRate }) => vatRate),
  optionIds: ofReservation('uuid[]', ({ options }) => options.map(({ optionId }) => optionId)),
  optionNames: ofReservation('text[]', ({ options }) => options.map(({ name }) => name)),
  sequence: ofReservation('int', ({ sequence }) => sequence),
  isDraft: ['boolean', ({ hold }) => hold !== undefined],
  cartId: ofHold('uuid', ({ cartId }) => cartId),
  passesQueue: ofHold('boolean', ({ passesQueue }) => passesQueue),
  network: ofHold('text', ({ network }) => network),
  networkSite: ofHold('text', ({ networkSite }) => networkSite),
  ofNetwork: ofHold('int', ({ maximum }) => maximum),
  ofSite: ofHold('int', ({ siteMaximum }) => siteMaximum),
  ofEvent: ofHold('int', ({ ofEvent }) => ofEvent),
  holdMinutes: ofHold('int', ({ holdMinutes }) => holdMinutes),
} as const satisfies Readonly<Record<string, Parameter>>;

/** SQL of each parameter. */
const p = Object.fromEntries(Object.entries(parameters).map(([name, [type]], index) => [name, `$${index + 1}::${type}`])) as Record<
  keyof typeof parameters,
  string
>;
const values = Object.values(parameters).map(([, value]) => value);

const networkSql = {
  id: p.id,
  event: p.eventId,
  tickets: `cardinality(${p.ticketIds})`,
  admission: p.seats,
  minutes: p.holdMinutes,
  network: p.network,
  maximum: p.ofNetwork,
  site: p.networkSite,
  siteMaximum: p.ofSite,
  ofEvent: p.ofEvent,
};

/** Each reason for which the sale is not written; the first one is what its refusal says. */
const failures = {
  offer: `where now() not between ${p.createdAt} - ${clockTolerance} and ${p.createdAt} + ${clockTolerance}
    or not exists (select from event where id = ${p.eventId} and sale_version = ${p.eventVersion})
    or not exists (select from ${currentKeySql} where key.id = ${p.signingKeyId})
    or exists (select from unnest(${p.products}, ${p.productVersions}) as sold (id, version) left join product on product.id = sold.id
      where product.sale_version is distinct from sold.version)`,
  queue: `where ${p.isDraft} and not ${p.passesQueue} and ${somebodyQueuesSql(p.eventId)}`,
  network: `where ${p.isDraft} and not ${networkFitsSql(networkSql)}`,
  places: `from event where id = ${p.eventId} and ${p.seats} > 0 and booked + ${p.seats} > capacity`,
  list: `from event where id = ${p.eventId} and ${p.seats} > 0 and not ${p.passesList} and ${anybodyWaitsSql('event.id')}
    and exists (select from asked where admits and ${waitedForSql('event', 'asked.price_id')})`,
  person: `from unnest(${p.limitedPrices}, ${p.limitedCounts}, ${p.maxima}) as wanted (price_id, count, maximum)
    cross join lateral (select count(*)::int as held from (${heldBySql(p.eventId, p.emailKey, p.id)}) as mine
      where case when wanted.price_id is null then mine.admission else mine.price_id = wanted.price_id end) as has
    where held + wanted.count > wanted.maximum`,
  stock: `from asked join price on price.id = asked.price_id
    left join event_price counter on counter.event_id = ${p.eventId} and counter.price_id = asked.price_id
    where case when admits then coalesce(counter.sold, 0) else price.sold end + asked.count > price.stock`,
  membership: `from unnest(${p.memberships}) as required (id) where not exists (select 1 from membership
    where product_id = required.id and email_key = ${p.emailKey} and ${validMembershipSql()})`,
};

const facts: Partial<Record<keyof typeof failures, string>> = {
  network: `${exceededMaximumSql(networkSql)}, null::int`,
  person: 'maximum, held',
};

const failed = Object.entries(failures).map(
  ([kind, rows], index) => `select ${index}, '${kind}', ${facts[kind as keyof typeof failures] ?? 'null::int, null::int'} ${rows}`,
);

// One statement for all rows, because each further statement costs the server about as much as its work in the database. Nothing of it is
// written when a row is in `failed`, so COMMIT may be sent behind it.
const writeStatement: PreparedStatement = {
  name: 'sale-write',
  text: `with
    asked as (select * from unnest(${p.prices}, ${p.counts}, ${p.admits}) as asked (price_id, count, admits)),
    failed (position, kind, maximum, held) as (${failed.join('\n union all ')}),
    allowed as (select where not exists (select from failed)),
    seated as (update event set booked = booked + ${p.seats} from allowed where id = ${p.eventId} and ${p.seats} > 0),
    counted as (
      insert into event_price as counter (event_id, price_id, sold)
      select ${p.eventId}, price_id, count from allowed, asked where admits
      on conflict (event_id, price_id) do update set sold = counter.sold + excluded.sold),
    handed as (update price set sold = sold + asked.count from allowed, asked where price.id = asked.price_id and not admits),
    made as (
      insert into reservation (id, event_id, email, email_key, first_name, last_name, language, status, amount, origin, sequence,
        by_user_id, by_key_id, created_at, expires_at, confirmed_at, is_draft, cart_id, network, network_site)
      select ${p.id}, ${p.eventId}, ${p.email}, ${p.emailKey}, ${p.firstName}, ${p.lastName}, ${p.language}, ${p.status}, ${p.amount},
        ${p.origin}, ${p.sequence}, ${p.userId}, ${p.keyId}, ${p.createdAt}, ${p.expiresAt},
        case when ${p.expiresAt} is null then ${p.createdAt} end, ${p.isDraft}, ${p.cartId}, ${p.network}, ${p.networkSite}
      from allowed),
    ticketed as (
      insert into ticket (id, reservation_id, event_id, price_id, amount, first_name, last_name, admission, vat_rate,
        status, signing_key_id, position, sequence)
      select id, ${p.id}, ${p.eventId}, price_id, amount, first_name, last_name, admission, vat_rate, ${p.ticketStatus}, ${p.signingKeyId},
        position - 1, ${p.sequence}
      from allowed, unnest(${p.ticketIds}, ${p.ticketPrices}, ${p.amounts}, ${p.firstNames}, ${p.lastNames}, ${p.admissions},
          ${p.vatRates})
        with ordinality as given (id, price_id, amount, first_name, last_name, admission, vat_rate, position)),
    chosen as (
      insert into reservation_option (reservation_id, option_id, name)
      select ${p.id}, id, name from allowed, unnest(${p.optionIds}, ${p.optionNames}) as given (id, name)),
    ${followUpsSql(values.length + 1, p.email, 'allowed')}
    select kind, maximum, held from failed order by position`,
};

/** A statement that locks, in the order of their ids, rows that a sale reads or counts in and others may change. */
const lock = (name: string, text: string) => ({ name: `sale-lock-${name}`, text });
const locks = {
  questions: lock('questions', 'select 1 from question where id = any($1) order by id for key share'),
  options: lock('options', 'select 1 from event_option where id = any($1) order by id for key share'),
  // PostgreSQL expects ten elements in each array, so it would plan the statements behind this one at each execution, for few elements.
  event: lock('event', `select set_config('plan_cache_mode', 'force_generic_plan', true) from event where id = $1 for no key update`),
  prices: lock('prices', 'select 1 from price where id = any($1) order by id for share'),
  goods: lock('goods', 'select 1 from price where id = any($1) order by id for no key update'),
  memberships: lock(
    'memberships',
    `select 1 from membership where product_id = any($1) and email_key = $2 and ${validMembershipSql()} order by id for share`,
  ),
};

/**
 * The statements of a sale: locks in the order that all transactions keep, then the one that writes. The rows that it counts are those
 * committed before the locks, because each statement sees what was committed before it began.
 */
export function saleStatements(sale: PlannedSale): SentStatement[] {
  const { reservation, claim } = sale;
  const { answers, options, eventId, emailKey } = reservation;
  const lockAll = (statement: PreparedStatement, ids: readonly string[], ...more: unknown[]): SentStatement[] =>
    ids.length === 0 ? [] : [{ statement, values: [ids, ...more] }];
  return [
    ...lockAll(
      locks.questions,
      answers.map(({ questionId }) => questionId),
    ),
    { statement: locks.event, values: [eventId] },
    ...lockAll(
      locks.options,
      options.map(({ optionId }) => optionId),
    ),
    ...lockAll(locks.prices, [...claim.lines.admission.keys()]),
    ...lockAll(locks.goods, [...claim.lines.goods.keys()]),
    ...lockAll(locks.memberships, membershipsOf(sale), emailKey),
    { statement: writeStatement, values: [...values.map((value) => value(sale)), ...followUpValues(answers, sale)] },
  ];
}
