import { validMembershipSql } from '#tickets';
import { utcSql } from '#kernel';
import type { PreparedStatement } from '#tenancy';
import { doorSql, loggedFacts, priorSql } from './scan-statement.js';

/**
 * One attempt with a code that is not a ticket: reads and logs the membership's card in one statement; nothing else changes.
 *
 * $1 key of the membership · $2 device · $3 key · $4 action (check, scan or fulfil) · $5 attempt id or null · $6 request hash · $7 device
 * time or null · $8 language, time zone and request id as JSON. No row and null facts mean the same as in `attemptStatement`.
 */
const statementFor = (name: string, which: string): PreparedStatement => ({
  name,
  text: `
with ${priorSql('$5', '$6', '$4')}, ${doorSql}, found as (
    select m.id, m.status, m.first_name, m.last_name, m.valid_from, m.valid_until, p.name as price_name, pr.name as product_name
    from {tenant}.membership m
    join {tenant}.price p on p.id = m.price_id
    join {tenant}.product pr on pr.id = m.product_id
    where ${which}
  ), rated as (
    select found.*, case
      when found.status = 'cancelled' then 'cancelled'
      when found.status = 'pending' then 'not_paid'
      when now() < found.valid_from then 'not_yet_valid'
      when now() >= found.valid_until then 'expired'
      else 'valid' end as validity
    from found
  ), judged as (
    select rated.*, case
      when rated.id is null then 'unknown'
      when $4 <> 'check' then 'membership'
      when rated.validity = 'valid' then 'accepted'
      else rated.validity end as verdict
    from door left join rated on true
    where not exists (select 1 from prior)
  ), answered as (
    select j.verdict, j.id as membership_id, json_build_object(
      'outcome', j.verdict, 'language', $8::json ->> 'language', 'timeZone', $8::json ->> 'timeZone', 'requestId', $8::json ->> 'requestId',
      'membership', case when j.id is not null then json_build_object(
        'uuid', j.id, 'status', j.status, 'firstName', j.first_name, 'lastName', j.last_name, 'price', j.price_name,
        'product', j.product_name, 'validFrom', ${utcSql('j.valid_from')}, 'validUntil', ${utcSql('j.valid_until')},
        'validity', j.validity) end) as facts
    from judged j
  ), logged as (
    insert into {tenant}.scan_log (action, outcome, device_id, membership_id, scan_id, device_time, request_hash, facts)
    select $4, verdict, $2, membership_id, $5, $7::timestamptz,
      case when $5::uuid is not null then $6::bytea end, ${loggedFacts('$5')}
    from answered
  )
select coalesce(prior.facts, answered.facts) as facts, prior.holder, prior.facts is not null as replayed,
  coalesce(prior.same, true) as same, false as unknown
from door left join prior on true left join answered on true`,
});

/** $1 the membership id in a code. Runs only when `attemptStatement` found no ticket, so that tickets do not wait for it. */
export const cardStatement = statementFor('card', 'm.id = $1::uuid');

/** $1 the owner of an NFC card, or null: finds the membership that is valid now, or else the last one. */
export const ownerCardStatement = statementFor(
  'card-of-owner',
  `m.email_key = $1::text
    order by ${validMembershipSql('m')} desc,
      m.status = 'active' desc, m.valid_until desc nulls first, m.id limit 1`,
);
