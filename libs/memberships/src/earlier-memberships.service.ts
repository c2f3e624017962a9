import { retryOnDeadlock } from '#kernel';
import { catchUpMemberships, orderEarlierMemberships } from '#orders';
import { ScheduledTasks, TenantDb } from '#tenancy';
import { soldVatRateSql, vatInSql } from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';

/** Memberships of one transaction. */
const step = 500;

const vatRate = soldVatRateSql('membership');
const membershipSql = { vatRate, vat: vatInSql('membership.amount', vatRate) };

/** Writes the orders of memberships that were made before orders were written, imported, or made by an older program during a rollout. */
@Injectable()
export class EarlierMembershipsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('write orders of earlier memberships', () => this.run());
  }

  /** Writes those of the current tenant, in small transactions. */
  async run(): Promise<void> {
    await retryOnDeadlock(() => this.db.transaction((tx) => catchUpMemberships(tx)));
    while ((await retryOnDeadlock(() => this.db.transaction((tx) => orderEarlierMemberships(tx, step, membershipSql)))) === step);
  }
}
