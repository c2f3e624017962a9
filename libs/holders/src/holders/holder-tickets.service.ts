import { databaseNow, RefusedInput } from '#kernel';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/holders.texts.js';
import { HolderChanges, type SeenTicket } from './holder-changes.js';
import { checkedName, type TicketName } from './new-holder.js';

/** Changes of the name on one ticket within a day, because each one is published. */
const mostRenames = 10;
const dayMs = 86_400_000;

/** SQL: a ticket ($1) of a reservation ($2) whose holder ($3: version of the code) may change the name. */
const isRenamable = `reservation_id = $2 and code_version = $3 and status in ('C', 'N', 'K') and fulfilled_at is null`;

/** Changes that the holder of a ticket makes on the public pages, besides giving it to somebody else (`TicketOffersService`). */
@Injectable()
export class HolderTicketsService {
  constructor(private readonly changes: HolderChanges) {}

  /**
   * Changes the name on a ticket until it is scanned, handed out or cancelled, ten times a day. One conditional update decides.
   * @returns false when the ticket can no longer be changed
   * @throws RefusedInput on `firstName`, `lastName`; on `firstName` when the name was changed too often
   */
  async rename({ id, reservationId, codeVersion, holderEmail }: SeenTicket, name: TicketName): Promise<boolean> {
    const { firstName, lastName } = checkedName(name, holderEmail !== null);
    return this.changes.change(reservationId, async (tx) => {
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
      if (open) throw new RefusedInput('firstName', tooOften[open.admission ? 'tickets' : 'goods']);
      return false;
    });
  }
}

const tooOften = {
  tickets: texts.localized('transfers.renamedTooOften'),
  goods: texts.localized('goodsTransfers.renamedTooOften'),
};
