import {
  ReservationPublisherService,
  emailFault,
  emailKey,
  type Ticket,
  refuseUnfitName,
  MailsService,
  lockReservation,
  type LockedReservation,
} from '#tickets';
import { eventIsOverSql } from '#catalogue';
import { databaseNow, isVisible, RefusedInput, RefusedInputs, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { texts } from '../locales/holders.texts.js';
import { TicketTransfer } from './ticket-transfer.entity.js';

/** The name on a ticket. */
export interface TicketName {
  readonly firstName: string;
  readonly lastName: string;
}

/** The person who gets a ticket. */
export interface NewHolder extends TicketName {
  readonly email: string;
}

/** A ticket as its holder saw it. Another code version means that it was given to somebody else since. */
export type SeenTicket = Pick<Ticket, 'id' | 'reservationId' | 'codeVersion' | 'holderEmail'>;

/** Transfers of one ticket, and those to one person within a day, because each one sends a mail. */
const mostTransfers = { perHour: 3, perDay: 5, inAll: 20, toOnePerson: 20 } as const;

/** Changes of the name on one ticket within a day, because each one is published. */
const mostRenames = 10;
const dayMs = 86_400_000;

const refusals = {
  sameHolder: texts.localized('transfers.sameHolder'),
  tooOften: texts.localized('transfers.tooOften'),
  tooOftenToday: texts.localized('transfers.tooOftenToday'),
  renamedTooOften: texts.localized('transfers.renamedTooOften'),
};

const goodsRefusals: typeof refusals = {
  sameHolder: texts.localized('goodsTransfers.sameHolder'),
  tooOften: texts.localized('goodsTransfers.tooOften'),
  tooOftenToday: texts.localized('goodsTransfers.tooOftenToday'),
  renamedTooOften: texts.localized('goodsTransfers.renamedTooOften'),
};

interface TransferredTicket {
  readonly holderEmail: string | null;
  readonly holderKey: string | null;
  /** Name on it. */
  readonly name: string;
  readonly admission: boolean;
  /** Transfers within the last hour. */
  readonly recently: number;
  /** Transfers within the last 24 hours. */
  readonly today: number;
}

/** SQL: a ticket ($1) of a reservation ($2) whose holder ($3: version of the code) may change the name. */
const isRenamable = `reservation_id = $2 and code_version = $3 and status in ('C', 'N', 'K') and fulfilled_at is null`;

/** Changes that the holder of a ticket makes on the public pages. Each locks the event, then the reservation, then the ticket. */
@Injectable()
export class HolderTicketsService {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: ReservationPublisherService,
    private readonly mails: MailsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Changes the name on a ticket until it is scanned, handed out or cancelled, ten times a day. One conditional update decides.
   * @returns false when the ticket can no longer be changed
   * @throws RefusedInput on `firstName`, `lastName`; on `firstName` when the name was changed too often
   */
  async rename({ id, reservationId, codeVersion, holderEmail }: SeenTicket, name: TicketName): Promise<boolean> {
    const { firstName, lastName } = checkedName(name, holderEmail !== null);
    return this.changing(reservationId, async (tx) => {
      const now = databaseNow();
      const [renamed] = await tx.query<[unknown[], number]>(
        `update ticket set first_name = $4, last_name = $5, sequence = sequence + 1,
           renames = case when renamed_since > $6 then renames + 1 else 1 end,
           renamed_since = case when renamed_since > $6 then renamed_since else $7 end
         where id = $1 and ${isRenamable} and not (renames >= ${mostRenames} and coalesce(renamed_since > $6, false)) returning id`,
        [id, reservationId, codeVersion, firstName, lastName, new Date(now.getTime() - dayMs), now],
      );
      if (renamed.length > 0) return true;
      const [open] = await tx.query<{ admission: boolean }[]>(`select admission from ticket where id = $1 and ${isRenamable}`, [
        id,
        reservationId,
        codeVersion,
      ]);
      if (open) throw new RefusedInput('firstName', (open.admission ? refusals : goodsRefusals).renamedTooOften);
      return false;
    });
  }

  /**
   * Gives a valid ticket to another person: its code and links are invalid from the commit on, and the new holder gets a mail with new
   * ones; whoever gave it gets a mail about it. Nothing is looked up about the typed address: limits per person and required memberships
   * are those of the buyer, who may get the ticket back in the same way. One conditional update decides against scans and other transfers.
   * @returns false when the ticket cannot be given away: not valid, scanned, handed out, already given away, or its event is over
   * @throws RefusedInput on `firstName`, `lastName`; on `email` when it is invalid, the holder's own, the ticket was given too
   *   often, or the new holder got too many tickets today
   */
  async transfer(seen: SeenTicket, to: NewHolder): Promise<boolean> {
    const { name, email } = checkedHolder(to);
    return this.changing(seen.reservationId, async (tx, reservation) => {
      const ticket = await this.transferable(tx, seen);
      if (!ticket) return false;
      const key = emailKey(email);
      const say = ticket.admission ? refusals : goodsRefusals;
      if (key === (ticket.holderKey ?? reservation.emailKey)) throw new RefusedInput('email', say.sameHolder);
      const { perHour, perDay, inAll } = mostTransfers;
      if (ticket.recently >= perHour) throw new RefusedInput('email', say.tooOften);
      if (ticket.today >= perDay || seen.codeVersion >= inAll) throw new RefusedInput('email', say.tooOftenToday);
      await refuseTooMany(tx, key);
      const isBuyer = key === reservation.emailKey;
      const holder = isBuyer ? null : { email, key };
      if (!(await give(tx, seen, name, holder))) return false;
      const fromEmail = ticket.holderEmail ?? reservation.email;
      const toName = `${name.firstName} ${name.lastName}`.trim();
      await tx.insert(TicketTransfer, { ticketId: seen.id, fromEmail, fromName: ticket.name, toEmail: email, toKey: key, toName });
      const about = { reservationId: reservation.id, ticketId: seen.id };
      await this.mails.add(tx, 'ticket-given', { ...about, recipient: fromEmail });
      if (isBuyer) await this.mails.add(tx, 'tickets', { reservationId: reservation.id, recipient: reservation.email });
      else await this.mails.add(tx, 'ticket-transferred', { ...about, recipient: email });
      return true;
    });
  }

  /** The ticket, when it can be given away. */
  private async transferable(tx: Tx, { id, reservationId, codeVersion }: SeenTicket): Promise<TransferredTicket | undefined> {
    const [ticket] = await tx.query<TransferredTicket[]>(
      `select ticket.holder_email as "holderEmail", ticket.holder_key as "holderKey", ticket.admission,
         trim(ticket.first_name || ' ' || ticket.last_name) as name,
         (select count(*)::int from ticket_transfer where ticket_id = ticket.id and created_at > now() - interval '1 hour') as recently,
         (select count(*)::int from ticket_transfer where ticket_id = ticket.id and created_at > now() - interval '1 day') as today
       from ticket join event on event.id = ticket.event_id
       where ticket.id = $1 and ticket.reservation_id = $2 and ticket.code_version = $3 and ticket.status = 'K'
         and ticket.fulfilled_at is null and not ${eventIsOverSql('event', this.settings)}`,
      [id, reservationId, codeVersion],
    );
    return ticket;
  }

  /** @param work returns whether it changed the ticket */
  private changing(reservationId: string, work: (tx: Tx, reservation: LockedReservation) => Promise<boolean>): Promise<boolean> {
    const change = async (tx: Tx): Promise<boolean> => {
      const reservation = await lockReservation(tx, reservationId);
      if (!reservation || !(await work(tx, reservation))) return false;
      await tx.query('update reservation set sequence = sequence + 1 where id = $1', [reservationId]);
      await this.publisher.publish(tx, 'reservation.updated', reservationId);
      return true;
    };
    return retryOnDeadlock(() => this.db.transaction(change));
  }
}

/** Refuses one more ticket to a person who got too many within a day. Transfers of different events count one after another. */
async function refuseTooMany(tx: Tx, key: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} transfers to ${key}`]);
  const [got] = await tx.query<{ count: number }[]>(
    `select count(*)::int as count from ticket_transfer where to_key = $1 and created_at > now() - interval '1 day'`,
    [key],
  );
  if ((got?.count ?? 0) >= mostTransfers.toOnePerson) throw new RefusedInput('email', texts.localized('transfers.tooMany'));
}

/** Writes the new holder; scans and other transfers are decided here. @param holder null: the buyer @returns whether it was written */
async function give(
  tx: Tx,
  { id, codeVersion }: SeenTicket,
  { firstName, lastName }: TicketName,
  holder: { readonly email: string; readonly key: string } | null,
): Promise<boolean> {
  const [given] = await tx.query<[unknown[], number]>(
    `update ticket set holder_email = $3, holder_key = $4, first_name = $5, last_name = $6, code_version = code_version + 1,
       sequence = sequence + 1
     where id = $1 and code_version = $2 and status = 'K' and fulfilled_at is null returning id`,
    [id, codeVersion, holder?.email ?? null, holder?.key ?? null, firstName, lastName],
  );
  return given.length > 0;
}

/** @param isRequired without a name, the ticket would show that of the buyer @throws RefusedInput on `firstName`, `lastName` */
/** @throws RefusedInputs with every fault, so that a form shows all of them at once */
function checkedHolder({ email: typed, ...to }: NewHolder): { readonly name: TicketName; readonly email: string } {
  const email = typed.trim();
  const invalid = emailFault(email);
  if (!invalid) return { name: checkedName(to, true), email };
  try {
    checkedName(to, true);
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    throw new RefusedInputs([invalid, ...error.faults]);
  }
  throw invalid;
}

function checkedName(name: TicketName, isRequired: boolean): TicketName {
  const [firstName, lastName] = [name.firstName.trim(), name.lastName.trim()];
  refuseUnfitName({ firstName, lastName });
  if (isRequired && !isVisible(firstName + lastName)) throw new RefusedInput('firstName', texts.localized('transfers.nameMissing'));
  return { firstName, lastName };
}
