import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { ScheduledTasks, RetentionService, TenantDb, TenantHoldings } from '#tenancy';
import { texts } from '../locales/webhooks.texts.js';

/** Deletes old events with their deliveries and attempts, and expired previous secrets of endpoints. */
@Injectable()
export class DeliveryRetentionService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly retention: RetentionService,
    private readonly tasks: ScheduledTasks,
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.retention.add({
      name: 'webhook events',
      days: this.settings.webhookDays,
      table: 'webhook_event',
      key: 'id',
      time: 'occurred_at',
      // Retries continue for three days, even when WEBHOOK_DAYS is shorter.
      condition: `not exists (select 1 from webhook_delivery where webhook_delivery.event_id = webhook_event.id
        and webhook_delivery.status = 'waiting')`,
      // Stores the last deleted position, so that a feed reader who asks for an older one gets 410.
      afterStep: {
        returning: 'position',
        work: (tx, rows) =>
          tx.query('update webhook_feed set pruned_position = greatest(pruned_position, $1::bigint)', [
            rows.map((row) => BigInt((row as { position: string | null }).position ?? 0)).reduce((a, b) => (a > b ? a : b)),
          ]),
      },
    });
    this.holdings.add({
      module: 'events',
      name: texts.localized('deliveryRetention.webhookEndpoints'),
      from: 'from webhook_endpoint where disabled_at is null',
    });
    this.tasks.add('forget previous webhook secrets', () => this.forgetPreviousSecrets());
  }

  private async forgetPreviousSecrets(): Promise<void> {
    await this.db.transaction((tx) =>
      tx.query(
        `update webhook_endpoint set sealed_previous_secret = null, previous_secret_expires_at = null
         where previous_secret_expires_at <= (select now())`,
      ),
    );
  }
}
