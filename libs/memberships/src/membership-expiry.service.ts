import { giveStockBack } from '#tickets';
import { JobsService } from '#jobs';
import { TenantDb } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { membershipTidyJob, membershipExpiryJob } from './membership-jobs.js';
import { lockMembership } from './rows/membership-rows.js';
import { MembershipsService } from './memberships.service.js';

/** Ends memberships that nobody paid or confirmed: frees their stock, and cancels them a day later. */
@Injectable()
export class MembershipExpiryService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly memberships: MembershipsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(membershipExpiryJob, (id) => this.expire(id));
    this.jobs.handle(membershipTidyJob, (id) => this.tidy(id));
  }

  /** Returns the stock of an expired unpaid membership and schedules its cancellation a day later. */
  private expire(id: string): Promise<void> {
    return this.db.transaction(async (tx) => {
      const locked = await lockMembership(tx, id);
      if (!locked?.lapsed) return;
      await this.jobs.add(tx, membershipTidyJob, id, { afterSeconds: 24 * 3600 });
      if (locked.released) return;
      await tx.query('update membership set released_at = now() where id = $1', [id]);
      await giveStockBack(tx, new Map([[locked.price.id, 1]]));
    });
  }

  /** Cancels an expired unpaid membership, and forgets for which network it counted. */
  private tidy(id: string): Promise<void> {
    return this.db.transaction(async (tx) => {
      const locked = await lockMembership(tx, id);
      if (!locked) return;
      await tx.query('update membership set network = null where id = $1 and network is not null', [id]);
      if (locked.lapsed) await this.memberships.cancelIn(tx, { ...locked, counted: false });
    });
  }
}
