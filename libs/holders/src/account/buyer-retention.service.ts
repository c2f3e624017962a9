import { eventEndSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { emailKey } from '#tickets';
import { ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { erasePayersWithoutOrder } from '#transfers';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountErasureService } from './account-erasure.service.js';
import type { AccountPerson } from './account-person.js';

/** People who are read at a time. */
const step = 100;

/**
 * Erases people some months after the last event, offered ticket, membership, waiting list or gift card that they had at a venue, as if
 * they had asked for it, and verified addresses that nothing belongs to any more. Who follows the venue goes on to do so. Does nothing
 * without `ERASE_BUYERS_MONTHS`.
 */
@Injectable()
export class BuyerRetentionService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
    private readonly erasure: AccountErasureService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    if (this.settings.eraseBuyersMonths > 0) this.tasks.add('erase former buyers', () => this.run());
  }

  /** Erases who is due at the current tenant. Who awaits a refund follows in a later run. */
  async run(): Promise<void> {
    const { eraseBuyersMonths: months } = this.settings;
    for (let after = '', isMore = true; isMore;) {
      const people = await this.db.transaction((tx) => this.due(tx, months, after));
      for (const person of people) if (!(await this.erasure.obstacle(person))) await this.erasure.erase(person, { following: true });
      after = people.at(-1)?.email ?? '';
      isMore = people.length === step;
    }
    await this.db.transaction((tx) => erasePayersWithoutOrder(tx, months));
    await this.db.transaction((tx) =>
      tx.query(
        `delete from verified_email known where verified_at < (select now()) - make_interval(months => $1)
           and not exists (select 1 from reservation where reservation.email_key = known.email_key)
           and not exists (select 1 from ticket where ticket.holder_key = known.email_key)
           and not exists (select 1 from membership where membership.email_key = known.email_key)
           and not exists (select 1 from waiting_entry where waiting_entry.email_key = known.email_key)
           and not exists (select 1 from follower where follower.email_key = known.email_key)`,
        [months],
      ),
    );
  }

  /** People whose last thing is older, in the order of their addresses. Raw SQL, because it joins tables by address. */
  private async due(tx: Tx, months: number, after: string): Promise<AccountPerson[]> {
    const end = eventEndSql('event', this.settings);
    // A card that somebody has bought is theirs and that of its receiver, and is still to be mailed, maybe.
    const lastOfCard = `case when mailed_at is null and recipient_email is not null and gift_card_state(gift_card) in ('usable', 'blocked')
      then 'infinity' else greatest(created_at, issued_at, send_on::timestamptz,
        (select max(moved.created_at) from gift_card_movement moved where moved.gift_card_id = gift_card.id)) end`;
    const rows = await tx.query<{ known: string | null; email: string }[]>(
      `select max(email_key) as known, email from (
         select email_key, lower(email) as email, ${end} as last
           from reservation join event on event.id = reservation.event_id where not is_draft
         union all select holder_key, lower(holder_email), ${end} from ticket join event on event.id = ticket.event_id
           where holder_email is not null
         union all select to_key, lower(to_email), ${end} from ticket_transfer join ticket on ticket.id = ticket_id
           join event on event.id = ticket.event_id where to_key is not null
         union all select email_key, lower(email), case when status = 'cancelled' then created_at
           when status = 'pending' then 'infinity' else coalesce(valid_until, 'infinity') end from membership
         union all select null, lower(buyer_email), ${lastOfCard} from gift_card
         union all select null, lower(recipient_email), ${lastOfCard} from gift_card
         union all select email_key, lower(email), coalesce(ended_at, 'infinity') from waiting_entry) thing
       where email <> '' and email > $2 group by email having max(last) < (select now()) - make_interval(months => $1)
       order by email limit ${step}`,
      [months, after],
    );
    return rows.map(({ known, email }) => ({ email, emailKey: known ?? emailKey(email) }));
  }
}
