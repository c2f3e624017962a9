import { payersSql } from '#transfers';
import { ofPersonSql } from './account-person.js';

/** Rows of one section; the newest are exported. */
export const mostExported = 5000;

const answersSql = (column: string, row: string): string => `(select coalesce(json_agg(json_build_object('question', answer.label,
  'answer', answer.value, 'ticket', answer.ticket_id) order by answer.created_at, answer.id), '[]')
  from answer where answer.${column} = ${row}.id)`;

const paymentsSql = (column: string, row: string): string => `(select coalesce(json_agg(json_build_object('kind', payment.kind,
  'method', payment.method, 'status', payment.status, 'amount', payment.amount::text, 'currency', payment.currency,
  'createdAt', payment.created_at, 'paidAt', payment.paid_at, 'refundedAt', payment.refunded_at)
  order by payment.created_at, payment.id), '[]') from payment where payment.${column} = ${row}.id)`;

const correctionsSql = (column: string, row: string): string => `(select coalesce(json_agg(json_build_object('from', change.old_email,
  'to', change.new_email, 'at', change.created_at) order by change.created_at, change.id), '[]')
  from email_correction change where change.${column} = ${row}.id)`;

/** A column with an address of the person $2; null where it is somebody else's. */
const ownSql = (column: string): string => `case when lower(${column}) = lower($2) then ${column} end`;

/** A ticket that the buyer gave away is the other person's: without names and code. */
const ticketSql = `json_build_object('id', ticket.id, 'product', product.name, 'price', price.name, 'amount', ticket.amount::text,
  'status', ticket.status, 'firstName', case when ticket.holder_email is null then ticket.first_name end,
  'lastName', case when ticket.holder_email is null then ticket.last_name end, 'givenAway', ticket.holder_email is not null,
  'checkedInAt', ticket.scanned_at, 'handedOutAt', ticket.fulfilled_at,
  'withdrawnAt', ticket.withdrawn_at)`;

const eventSql = `json_build_object('id', event.id, 'name', event.name, 'startDate', event.starts_at)`;

const mailColumns = `'kind', mail.kind, 'recipient', mail.recipient, 'status', mail.status, 'createdAt', mail.created_at,
  'sentAt', mail.sent_at`;

/**
 * The sections of an export, each as SQL of rows with a JSON object (`data`) and the time by which they are ordered (`at`). Parameters: key
 * and address of the person.
 */
export const exportSections: Readonly<Record<string, string>> = {
  reservations: `select reservation.created_at as at, json_build_object('id', reservation.id, 'event', ${eventSql},
      'createdAt', reservation.created_at, 'status', reservation.status, 'email', reservation.email,
      'firstName', reservation.first_name, 'lastName', reservation.last_name, 'language', reservation.language,
      'amount', reservation.amount::text, 'bookedOver', reservation.origin, 'termsAcceptedAt', reservation.terms_accepted_at,
      'confirmedAt', reservation.confirmed_at, 'cancelledAt', reservation.cancelled_at,
      'options', (select coalesce(json_agg(chosen.name order by chosen.name), '[]') from reservation_option chosen
        where chosen.reservation_id = reservation.id),
      'tickets', (select coalesce(json_agg(${ticketSql} order by ticket.position, ticket.id), '[]')
        from ticket join price on price.id = ticket.price_id join product on product.id = price.product_id
        where ticket.reservation_id = reservation.id),
      'answers', ${answersSql('reservation_id', 'reservation')}, 'payments', ${paymentsSql('reservation_id', 'reservation')},
      'addressChanges', ${correctionsSql('reservation_id', 'reservation')}) as data
    from reservation join event on event.id = reservation.event_id where ${ofPersonSql('reservation.')} and not reservation.is_draft`,
  ticketsGivenToYou: `select ticket.created_at as at, json_build_object('id', ticket.id, 'event', ${eventSql}, 'product', product.name,
      'price', price.name, 'status', ticket.status, 'email', ticket.holder_email, 'firstName', ticket.first_name,
      'lastName', ticket.last_name, 'checkedInAt', ticket.scanned_at, 'handedOutAt', ticket.fulfilled_at) as data
    from ticket join event on event.id = ticket.event_id join price on price.id = ticket.price_id
    join product on product.id = price.product_id where ${ofPersonSql('ticket.', 'holder_key', 'holder_email')}`,
  memberships: `select membership.created_at as at, json_build_object('id', membership.id, 'product', product.name, 'price', price.name,
      'createdAt', membership.created_at, 'status', membership.status, 'email', membership.email, 'firstName', membership.first_name,
      'lastName', membership.last_name, 'language', membership.language, 'amount', membership.amount::text,
      'validFrom', membership.valid_from, 'validUntil', membership.valid_until, 'termsAcceptedAt', membership.terms_accepted_at,
      'withdrawnAt', membership.withdrawn_at,
      'answers', ${answersSql('membership_id', 'membership')}, 'payments', ${paymentsSql('membership_id', 'membership')},
      'automaticRenewal', (select json_build_object('askedForAt', renewal.created_at, 'announcedAt', renewal.announced_at,
        'amount', renewal.amount::text, 'chargedOn', renewal.due_at, 'ended', renewal.ended, 'endedAt', renewal.ended_at)
        from membership_renewal renewal where renewal.membership_id = membership.id),
      'addressChanges', ${correctionsSql('membership_id', 'membership')}) as data
    from membership join product on product.id = membership.product_id join price on price.id = membership.price_id
    where ${ofPersonSql('membership.')}`,
  giftCards: `select card.created_at as at, json_build_object('id', card.id, 'amount', card.amount::text, 'createdAt', card.created_at,
      'paidAt', card.issued_at, 'validUntil', card.expires_at, 'message', card.message, 'sendOn', card.send_on, 'mailedAt', card.mailed_at,
      'from', case when lower(card.buyer_email) = lower($2) then card.buyer_name end, 'buyer', ${ownSql('card.buyer_email')},
      'for', case when lower(card.recipient_email) = lower($2) then card.recipient_name end, 'receiver', ${ownSql('card.recipient_email')},
      'withdrawnAt', card.withdrawn_at) as data
    from gift_card card where $1::text is not null and (lower(card.buyer_email) = lower($2)
      or lower(card.recipient_email) = lower($2) and card.mailed_at is not null)`,
  donations: `select line.created_at as at, json_build_object('name', line.name, 'amount', line.amount::text, 'createdAt', line.created_at,
      'paidAt', line.effective_at, 'taxReceipt', (select json_build_object('number', receipt.number, 'name', receipt.donor_name,
        'address', receipt.donor_address, 'issuedAt', receipt.issued_at, 'endedAt', receipt.ended_at)
        from tax_receipt receipt where receipt.line_id = line.id)) as data
    from order_line line where line.reservation_id is null and line.membership_id is null and line.kind = 'donation'
      and (exists (select from reservation where reservation.cart_id = line.order_id and ${ofPersonSql('reservation.')}
          and not reservation.is_draft)
        or exists (select from membership where membership.cart_id = line.order_id and ${ofPersonSql('membership.')}))`,
  customers: `select customer.created_at as at, json_build_object('name', customer.name, 'email', customer.email,
      'address', customer.address, 'taxNumber', customer.tax_number, 'createdAt', customer.created_at) as data
    from customer where $1::text is not null and lower(customer.email) = lower($2)`,
  bankTransfers: payersSql(ofPersonSql('reservation.')),
  waitingLists: `select entry.created_at as at, json_build_object('event', ${eventSql}, 'createdAt', entry.created_at,
      'status', entry.status, 'email', entry.email, 'language', entry.language, 'places', entry.quantity,
      'confirmedAt', entry.confirmed_at, 'endedAt', entry.ended_at) as data
    from waiting_entry entry join event on event.id = entry.event_id where ${ofPersonSql('entry.')}`,
  following: `select follower.created_at as at, json_build_object('email', follower.email,
      'saleOf', (select event.name from event where event.id = follower.event_id), 'language', follower.language,
      'createdAt', follower.created_at, 'confirmedAt', follower.confirmed_at) as data
    from follower where ${ofPersonSql('follower.')}`,
  ticketTransfers: `select given.created_at as at, json_build_object('ticket', given.ticket_id, 'event', ${eventSql},
      'at', given.created_at, 'state', given.state, 'decidedAt', given.decided_at, 'message', given.message,
      'from', ${ownSql('given.from_email')},
      'fromName', case when lower(given.from_email) = lower($2) then given.from_name end,
      'to', ${ownSql('given.to_email')}, 'toName', case when lower(given.to_email) = lower($2) then given.to_name end) as data
    from ticket_transfer given join ticket on ticket.id = given.ticket_id join event on event.id = ticket.event_id
    where lower(given.from_email) = lower($2) or (lower(given.to_email) = lower($2) and coalesce(given.to_key, $1) = $1)`,
  otherAddressChanges: `select change.created_at as at, json_build_object('reservation', change.reservation_id,
      'membership', change.membership_id, 'from', ${ownSql('change.old_email')}, 'to', ${ownSql('change.new_email')},
      'at', change.created_at) as data
    from email_correction change where (lower(change.old_email) = lower($2) or lower(change.new_email) = lower($2))
      and not exists (select 1 from reservation where reservation.id = change.reservation_id and ${ofPersonSql('reservation.')})
      and not exists (select 1 from membership where membership.id = change.membership_id and ${ofPersonSql('membership.')})`,
  mails: `select mail.created_at as at, json_build_object(${mailColumns}) as data from mail where lower(mail.recipient) = lower($2) and (
      mail.reservation_id in (select id from reservation where email_key = $1)
      or mail.ticket_id in (select id from ticket where holder_key = $1)
      or mail.ticket_id in (select ticket_id from ticket_transfer where to_key = $1)
      or mail.membership_id in (select id from membership where email_key = $1)
      or mail.waiting_entry_id in (select id from waiting_entry where email_key = $1)
      or mail.follower_id in (select id from follower where email_key = $1)
      or mail.gift_card_id is not null or mail.kind = 'on-account')`,
  verifiedAddress: `select verified_at as at, json_build_object('email', $2::text, 'verifiedAt', verified_at) as data
    from verified_email where email_key = $1 and $2::text is not null`,
  accountLinks: `select account.created_at as at, json_build_object('askedAt', account.created_at, 'openedAt', account.opened_at,
      'language', account.language, 'returnTo', account.return_to) as data from account_session account where ${ofPersonSql('account.')}`,
};
