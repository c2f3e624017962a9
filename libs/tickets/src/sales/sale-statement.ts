import { actorColumns } from '#kernel';
import { lineRows, orderSql } from '#orders';
import type { SentStatement } from '#tenancy';
import { exceededMaximumSql, networkFitsSql, type NetworkLimit } from '../holds/network-limits.js';
import { discountsVersionSql } from '../discounts/offered-discounts.js';
import { somebodyQueuesSql } from '../inventory/waiting.js';
import { followUpsSql, followUpValues } from '../reservations/reservation-follow-ups.js';
import { currentKeySql } from '../signing/signing-keys.service.js';
import type { Claim } from './claim.js';
import {
  askedSql,
  claimFailures,
  claimLocks,
  claimParameters,
  lockAll,
  lockEventStatement,
  lockStatement,
  takingSql,
  usedCodeSql,
} from './claim-statement.js';
import { numbered, type Parameters } from './parameters.js';
import type { NewHold, PlannedSale } from './planned-sale.js';
import { failuresSql, statementByReasons, type RefusalReason, type RefusalReasons } from './refusal-reasons.js';

/** How far the clock of the database may be from the time that a sale was planned with. */
const clockTolerance = `interval '5 seconds'`;

type Parameter = Parameters<PlannedSale>[string];
type Ticket = PlannedSale['reservation']['tickets'][number];

const ofClaim = ([type, value]: readonly [string, (claim: Claim) => unknown]): Parameter => [type, ({ claim }) => value(claim)];
const ofReservation = (type: string, value: (reservation: PlannedSale['reservation']) => unknown): Parameter => [
  type,
  ({ reservation }) => value(reservation),
];
const ofTickets = (type: string, value: (ticket: Ticket) => unknown): Parameter => [
  `${type}[]`,
  ({ reservation }) => reservation.tickets.map((ticket) => value(ticket)),
];
const ofHold = (type: string, value: (hold: NewHold) => unknown): Parameter => [type, ({ hold }) => hold && value(hold)];
const ofNetwork = (type: string, value: (network: NetworkLimit) => unknown): Parameter =>
  ofHold(type, ({ network }) => network && value(network));

/** The parameters in their order; those of the claim come first. The follow-ups expect the id of the reservation as the first one. */
const {
  sql: p,
  given,
  values,
} = numbered({
  ...(Object.fromEntries(Object.entries(claimParameters).map(([name, parameter]) => [name, ofClaim(parameter)])) as Record<
    keyof typeof claimParameters,
    Parameter
  >),
  eventVersion: ['int', ({ versions }) => versions.event],
  products: ['uuid[]', ({ versions }) => [...versions.products.keys()]],
  productVersions: ['int[]', ({ versions }) => [...versions.products.values()]],
  discountsVersion: ['int', ({ versions }) => versions.discounts],
  email: ofReservation('text', ({ email }) => email),
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
  ticketLines: ofTickets('uuid', ({ lineId }) => lineId),
  ticketPrices: ofTickets('uuid', ({ priceId }) => priceId),
  amounts: ofTickets('numeric', ({ amount }) => amount),
  firstNames: ofTickets('text', ({ firstName }) => firstName),
  lastNames: ofTickets('text', ({ lastName }) => lastName),
  admissions: ofTickets('boolean', ({ admission }) => admission),
  vatRates: ofTickets('numeric', ({ vatRate }) => vatRate),
  orderId: ['uuid', ({ order }) => order.id],
  orderIsOpen: ['boolean', ({ order }) => order.isOpen],
  lines: ['jsonb', ({ lines }) => lineRows(lines)],
  codeVersion: ['int', ({ code }) => code?.version],
  optionIds: ofReservation('uuid[]', ({ options }) => options.map(({ optionId }) => optionId)),
  optionNames: ofReservation('text[]', ({ options }) => options.map(({ name }) => name)),
  sequence: ofReservation('int', ({ sequence }) => sequence),
  isDraft: ['boolean', ({ hold }) => hold !== undefined],
  cartId: ofHold('uuid', ({ cartId }) => cartId),
  network: ofNetwork('text', ({ network }) => network),
  networkSite: ofNetwork('text', ({ networkSite }) => networkSite),
  ofNetwork: ofNetwork('int', ({ maximum }) => maximum),
  ofSite: ofNetwork('int', ({ siteMaximum }) => siteMaximum),
  ofEvent: ofNetwork('int', ({ ofEvent }) => ofEvent),
  holdMinutes: ofNetwork('int', ({ holdMinutes }) => holdMinutes),
} satisfies Parameters<PlannedSale>);

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

const { person, ...ofCounters } = Object.fromEntries(
  Object.entries<RefusalReason<Claim>>(claimFailures).map(([kind, { rows, asked }]) => [
    kind,
    { rows, ...(asked && { asked: ({ claim }: PlannedSale) => asked(claim) }) },
  ]),
) as Record<keyof typeof claimFailures, RefusalReason<PlannedSale>>;

/** Each reason for which the sale is not written. */
const failures: RefusalReasons<PlannedSale> = {
  offer: {
    rows: `null::int, null::int where now() not between ${p.createdAt} - ${clockTolerance} and ${p.createdAt} + ${clockTolerance}
    or not exists (select from event where id = ${p.eventId} and sale_version = ${p.eventVersion})
    or not exists (select from ${currentKeySql} where key.id = ${p.signingKeyId})
    or exists (select from unnest(${p.products}, ${p.productVersions}) as sold (id, version) left join product on product.id = sold.id
      where product.sale_version is distinct from sold.version)
    or ${discountsVersionSql} <> ${p.discountsVersion}
    or ${p.codeId} is not null and not exists (select from code where id = ${p.codeId} and version = ${p.codeVersion})`,
  },
  person,
  queue: {
    asked: ({ hold }) => hold?.passesQueue === false,
    rows: `null, null where ${somebodyQueuesSql(p.eventId)}`,
  },
  network: {
    asked: ({ hold }) => (hold?.network ?? null) !== null,
    rows: `${exceededMaximumSql(networkSql)}, null where not ${networkFitsSql(networkSql)}`,
  },
  ...ofCounters,
};

/** SQL: the lines that use the code, as `line`. */
const usedLinesSql = `jsonb_to_recordset(${p.lines}) as line (id uuid, quantity int, saved numeric) where line.saved is not null`;

// One statement for all rows, because each further statement costs the server about as much as its work in the database. Nothing of it is
// written when a row is in `failed`, so it may be committed at once.
const writeStatement = statementByReasons<PlannedSale>(
  'sale-write',
  failures,
  (failed) => `with ${given}, ${askedSql},
    coded (uses, saved) as (select coalesce(sum(quantity), 0)::int, coalesce(sum(quantity * line.saved), 0)
      from ${usedLinesSql}),
    ${usedCodeSql},
    ${failed},
    ${takingSql},
    made as (
      insert into reservation (id, event_id, email, email_key, first_name, last_name, language, status, amount, origin, sequence,
        by_user_id, by_key_id, created_at, expires_at, confirmed_at, is_draft, cart_id, network, network_site)
      select ${p.id}, ${p.eventId}, ${p.email}, ${p.emailKey}, ${p.firstName}, ${p.lastName}, ${p.language}, ${p.status}, ${p.amount},
        ${p.origin}, ${p.sequence}, ${p.userId}, ${p.keyId}, ${p.createdAt}, ${p.expiresAt},
        case when ${p.expiresAt} is null then ${p.createdAt} end, ${p.isDraft}, ${p.cartId}, ${p.network}, ${p.networkSite}
      from allowed
      -- A changed hold.
      on conflict (id) do update set amount = excluded.amount, expires_at = excluded.expires_at, released_at = null
        where reservation.is_draft),
    ticketed as (
      insert into ticket (id, line_id, reservation_id, event_id, price_id, amount, first_name, last_name, admission, vat_rate,
        status, signing_key_id, position, sequence)
      select id, line_id, ${p.id}, ${p.eventId}, price_id, amount, first_name, last_name, admission, vat_rate, ${p.ticketStatus},
        ${p.signingKeyId}, position - 1, ${p.sequence}
      from allowed, unnest(${p.ticketIds}, ${p.ticketLines}, ${p.ticketPrices}, ${p.amounts}, ${p.firstNames}, ${p.lastNames},
          ${p.admissions}, ${p.vatRates})
        with ordinality as given (id, line_id, price_id, amount, first_name, last_name, admission, vat_rate, position)),
    ${orderSql(
      {
        orderId: p.orderId,
        isOpen: p.orderIsOpen,
        channel: p.origin,
        userId: p.userId,
        keyId: p.keyId,
        createdAt: p.createdAt,
        effectiveAt: `case when ${p.expiresAt} is null then ${p.createdAt} end`,
        eventId: p.eventId,
        reservationId: p.id,
        membershipId: 'null::uuid',
        lines: p.lines,
      },
      'allowed',
    )},
    used as (
      insert into code_use (line_id, reservation_id, code_id, saved)
      select line.id, ${p.id}, ${p.codeId}, line.saved from allowed, ${usedLinesSql} and ${p.codeId} is not null),
    discounted as (
      insert into discount_use (line_id, reservation_id, discount_id, name, saved, membership_id)
      select line.id, ${p.id}, (line.discount->>'id')::uuid, line.discount->>'name', (line.discount->>'saved')::numeric,
        (line.discount->>'membershipId')::uuid
      from allowed, jsonb_to_recordset(${p.lines}) as line (id uuid, discount jsonb) where line.discount->>'id' is not null),
    chosen as (
      insert into reservation_option (reservation_id, option_id, name)
      select ${p.id}, id, name from allowed, unnest(${p.optionIds}, ${p.optionNames}) as given (id, name)),
    ${followUpsSql(Object.keys(p).length + 1, p.email, 'allowed')}
    ${failuresSql}`,
);

const questionsStatement = lockStatement('questions', 'select 1 from question where id = any($1) order by id for key share');
const optionsStatement = lockStatement('options', 'select 1 from event_option where id = any($1) order by id for key share');

/**
 * The statements of a sale: locks in the order that all transactions keep, then the one that writes. The rows that it counts are those
 * committed before the locks, because each statement sees what was committed before it began.
 */
export function saleStatements(sale: PlannedSale): SentStatement[] {
  const { answers, options, eventId } = sale.reservation;
  const questionIds = answers.map(({ questionId }) => questionId);
  const optionIds = options.map(({ optionId }) => optionId);
  return [
    ...lockAll(questionsStatement, questionIds),
    lockEventStatement(eventId),
    ...lockAll(optionsStatement, optionIds),
    ...claimLocks(sale.claim),
    { statement: writeStatement(sale), values: [...values(sale), ...followUpValues(answers, sale)] },
  ];
}
