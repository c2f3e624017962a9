import type { BookingMailFacts, MailLine, MembershipMailFacts } from './mail-facts.js';
import type { MembershipNoticeFacts } from './membership-facts.js';

const noName = { firstName: '', lastName: '' } as const;

type Typed = Partial<Record<'tickets' | 'lines' | 'cancelled', readonly MailLine[]>> & {
  readonly ticketName?: string;
  readonly newHolder?: string;
  readonly others?: readonly BookingMailFacts[];
};

/**
 * The facts without the texts that the person who booked typed, unless the recipient confirmed the address: otherwise everybody could write
 * to every mailbox in the name of the venue.
 */
export function toldInBooking<Facts extends BookingMailFacts>(facts: Facts): Facts {
  if (facts.isConfirmed) return facts;
  const { tickets, lines, cancelled, ticketName, newHolder, others }: Typed = facts as Typed;
  return {
    ...facts,
    reservation: { ...facts.reservation, ...noName },
    ...(tickets && { tickets: tickets.map(nameless) }),
    ...(lines && { lines: lines.map(nameless) }),
    ...(cancelled && { cancelled: cancelled.map(nameless) }),
    ...(ticketName !== undefined && { ticketName: '' }),
    ...(newHolder !== undefined && { newHolder: '' }),
    ...(others && { others: others.map((other) => toldInBooking({ ...other, isConfirmed: false })) }),
  };
}

/** Like `toldInBooking`, of a membership card. */
export function toldInCard(facts: MembershipMailFacts): MembershipMailFacts {
  return facts.isConfirmed ? facts : { ...facts, membership: { ...facts.membership, ...noName } };
}

/** Like `toldInBooking`, of a notice to a member. */
export function toldInNotice(facts: MembershipNoticeFacts): MembershipNoticeFacts {
  return facts.isConfirmed ? facts : { ...facts, ...noName };
}

const nameless = <Line extends MailLine>(line: Line): Line => ({ ...line, holder: '' });
