import type { JobsService } from '#jobs';
import type { Tx } from '#tenancy';

/** Releases the stock of a membership that was not paid in time; its subject is the membership. */
export const membershipExpiryJob = 'membership-expiry';
/** Cancels a membership that is still unpaid a day after it expired; its subject is the membership. */
export const membershipTidyJob = 'membership-tidy';

/** Cancels the jobs that end a membership which was not paid or confirmed in time. */
export async function forgetExpiry(jobs: JobsService, tx: Tx, id: string): Promise<void> {
  for (const kind of [membershipExpiryJob, membershipTidyJob]) await jobs.cancel(tx, kind, id);
}
