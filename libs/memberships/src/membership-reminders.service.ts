import { MailsService } from '#tickets';
import { hasModule, ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { isWantedSql } from './rows/renewal-rows.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Mails of one transaction. */
const step = 200;

/**
 * Memberships whose end is near and that are not renewed, with the reminder that is due: a month before the end (1) for periods of more
 * than two months, a week before (2) for periods of more than two weeks.
 */
const dueSql = `select id, email, case when valid_until <= now() + interval '7 days' then 2 else 1 end as stage
  from membership where status = 'active' and email <> '' and valid_until > now() and valid_until <= now() + interval '30 days'
  and case when valid_until <= now() + interval '7 days' then reminder < 2 and valid_until - valid_from > interval '14 days'
    else reminder < 1 and valid_until - valid_from > interval '60 days' end
  and not ${isWantedSql('membership.id')}
  and not exists (select 1 from membership later where later.product_id = membership.product_id
    and later.email_key = membership.email_key and later.id <> membership.id and later.status = 'active'
    and (later.valid_until is null or later.valid_until > membership.valid_until))
  order by valid_until, id limit ${step} for no key update of membership skip locked`;

/** Reminds members of the end of their membership, once a month and once a week before it. The tenant can switch it off. */
@Injectable()
export class MembershipRemindersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('membership reminders', () => this.remind());
  }

  /** Adds the mails that are due in the current tenant. */
  async remind(): Promise<void> {
    if (!hasModule('membership')) return;
    for (let sent = step; sent === step;) sent = await this.db.transaction((tx) => this.remindSome(tx));
  }

  private async remindSome(tx: Tx): Promise<number> {
    const [setting] = await tx.query<{ isOn: boolean }[]>('select membership_reminders as "isOn" from configuration');
    if (setting?.isOn === false) return 0;
    const due = await tx.query<{ id: string; email: string; stage: number }[]>(dueSql);
    for (const { id, email: recipient, stage } of due) {
      await tx.query('update membership set reminder = $2 where id = $1', [id, stage]);
      await this.mails.add(tx, 'membership-reminder', { membershipId: id, recipient });
    }
    return due.length;
  }
}
