import { noteEnded, AvailabilityService, linesOfReservation, proposalLost } from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { retryOnDeadlock } from '#kernel';
import { JobsService } from '#jobs';
import { forgetEmptyOrder } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { draftExpiryJob } from './draft-jobs.js';
import { forgetChoice, lockDraft, type LockedDraft } from './draft-rows.js';

/** Seconds after the end of its hold for which a draft is kept: the buyer may still complete it if places remain. Then it is deleted. */
const draftKeepSeconds = 3600;

interface DraftAge {
  readonly eventId: string;
  readonly expiresAt: Date;
  readonly lapsed: boolean;
  /** The time in which it can still be completed is over. */
  readonly isOld: boolean;
}

/** Ends drafts that nobody completed: frees their places, and deletes them an hour later without a trace. */
@Injectable()
export class DraftExpiryService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(draftExpiryJob, (id) => this.expire(id));
  }

  private async expire(id: string): Promise<void> {
    const age = await this.db.transaction((tx) => this.plan(tx, id));
    if (!age?.lapsed) return;
    if (age.isOld) await retryOnDeadlock(() => this.db.transaction((tx) => this.removeOld(tx, id)));
    else await this.availability.release([age.eventId]);
  }

  /** Adds the job's next run, before the work: the hold may have begun anew since this run was planned. */
  private async plan(tx: Tx, id: string): Promise<DraftAge | undefined> {
    const [age] = await tx.query<DraftAge[]>(
      `select event_id as "eventId", expires_at as "expiresAt", expires_at <= statement_timestamp() as lapsed,
         expires_at <= statement_timestamp() - make_interval(secs => $2) as "isOld"
       from reservation where id = $1 and is_draft`,
      [id, draftKeepSeconds],
    );
    if (age && !age.lapsed) await this.jobs.add(tx, draftExpiryJob, id, { dueAt: age.expiresAt });
    if (age?.lapsed && !age.isOld) await this.jobs.add(tx, draftExpiryJob, id, { afterSeconds: draftKeepSeconds });
    return age;
  }

  /** Deletes a draft that cannot be completed any more. */
  private async removeOld(tx: Tx, id: string): Promise<void> {
    const draft = await lockDraft(tx, id);
    if (draft?.lapsed) await this.remove(tx, draft);
  }

  /** Deletes a locked draft, and frees its places. */
  async remove(tx: Tx, { id, eventId, released, cartId }: LockedDraft): Promise<void> {
    await noteEnded(tx, id);
    if (!released) await this.availability.giveBack(tx, eventId, await linesOfReservation(tx, id));
    await proposalLost(tx, id);
    await forgetChoice(tx, id);
    await tx.query('delete from reservation where id = $1 and is_draft', [id]);
    await forgetEmptyOrder(tx, cartId ?? id);
    await this.jobs.cancel(tx, draftExpiryJob, id);
  }
}
