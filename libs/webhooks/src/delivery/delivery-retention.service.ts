import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Chores, TenantDb } from '#tenancy';

/** How long events, deliveries and attempts are kept. */
export const keptDays = 30;
const chore = 'prune webhook events';

/** Forgets what is older than 30 days. */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly chores: Chores,
  ) {}

  onModuleInit(): void {
    this.chores.add(chore, () => this.pruneTenant());
  }

  /** For every tenant, now. */
  prune(): Promise<void> {
    return this.chores.run(chore);
  }

  /** In small steps, because each takes its deliveries and attempts with it. */
  private async pruneTenant(): Promise<void> {
    for (let pruned = 1; pruned > 0;) {
      pruned = await this.db.transaction(async (tx) => {
        const [row] = await tx.query<{ count: number }[]>(
          `with old as (
             delete from webhook_event where id in (
               select id from webhook_event where occurred_at < now() - make_interval(days => ${keptDays}) order by occurred_at limit 1000)
             returning position),
           feed as (
             update webhook_feed set pruned_position = greatest(pruned_position, (select max(position) from old)) where exists (select 1 from old))
           select count(*)::int as count from old`,
        );
        return row?.count ?? 0;
      });
    }
    await this.db.transaction((tx) =>
      tx.query(
        `update webhook_endpoint set sealed_previous_secret = null, previous_secret_expires_at = null where previous_secret_expires_at <= now()`,
      ),
    );
  }
}
