import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ScheduledTasks, TenantDb } from '#tenancy';
import { countsAtOnceSql, isAtOnceSql } from '../entities/reservation-states.js';

/** Forgets the networks of tickets that were given at once, when they count no more. */
@Injectable()
export class AtOnceNetworksService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget networks of bookings', () => this.forget());
  }

  private forget(): Promise<void> {
    return this.db.transaction(async (tx) => {
      await tx.query(
        `update reservation set network = null, network_site = null
         where network is not null and ${isAtOnceSql} and not is_draft and not ${countsAtOnceSql('reservation', '(select now())')}`,
      );
    });
  }
}
