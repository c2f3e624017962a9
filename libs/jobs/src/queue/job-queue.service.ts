import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { pausedTenantSql, pausedTenantsStatement, sameNode, TenantDb, TenantsService, type SameNode, type TenantIdentity } from '#tenancy';

/** A job that this process has leased. */
export interface ClaimedJob {
  readonly id: string;
  readonly tenantId: string;
  /** As it was at the time of the claim. */
  readonly tenant: TenantIdentity;
  readonly kind: string;
  readonly subjectId: string;
  /** From 1. */
  readonly attempt: number;
  readonly revision: number;
  readonly owner: string;
  /** The database server whose queue has it. */
  readonly inQueue: SameNode;
}

type ClaimedRow = Omit<ClaimedJob, 'tenant' | 'owner' | 'inQueue'>;

/** Duration of a lease. When it expires without renewal, the worker counts as dead. */
export const leaseSeconds = 30;
export const renewEveryMs = 10_000;

/** The job queue of all tenants. Any number of runners claim jobs concurrently with SKIP LOCKED. */
@Injectable()
export class JobQueueService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
  ) {}

  /**
   * Claims due jobs, at most one per tenant.
   * @param without tenants that have reached their limit in this process
   * @param served tenants served by this process, least recently served first; tenants not listed come before them
   */
  async claim(options: {
    kinds: readonly string[];
    limit: number;
    without: readonly string[];
    served: readonly string[];
  }): Promise<ClaimedJob[]> {
    // A new owner id for each claim: a process that lost its lease cannot end the job under a later lease of its own.
    const owner = randomUUID();
    const { kinds, limit, without, served } = options;
    const rows = await this.db.collect(limit, async (left) => {
      const inQueue = sameNode();
      const paused = await this.db.sharedStatement<{ id: string }>(pausedTenantsStatement, []);
      const values = [owner, kinds, left, [...without, ...paused.map(({ id }) => id)], served];
      const claimed = await this.db.sharedStatement<ClaimedRow & Record<string, unknown>>(claimStatement, values);
      return claimed.map((row) => ({ ...row, owner, inQueue }));
    });
    if (rows.length === 0) return [];
    try {
      const found = await this.tenants.byIds(rows.map(({ tenantId }) => tenantId));
      const tenants = new Map(found.map((tenant) => [tenant.id, tenant]));
      // Older programs delete tenants without their jobs.
      for (const row of rows) if (!tenants.has(row.tenantId)) await this.end(row);
      return rows.flatMap((row) => {
        const tenant = tenants.get(row.tenantId);
        return tenant ? [{ ...row, tenant }] : [];
      });
    } catch (error) {
      // Otherwise the jobs would wait until their leases expire, and count an attempt that nobody made.
      await Promise.allSettled(rows.map((row) => this.giveBack(row, 1)));
      throw error;
    }
  }

  /** Renews the leases of these jobs. */
  async renew(jobs: readonly ClaimedJob[]): Promise<void> {
    const values = [jobs.map(({ id }) => id), jobs.map(({ owner }) => owner)];
    await this.db.onEachNode(() => this.db.sharedStatement(renewStatement, values));
  }

  /** Deletes a finished job, or makes it due again if it was added again meanwhile. */
  end({ id, owner, revision, inQueue }: Omit<ClaimedJob, 'tenant'>): Promise<void> {
    return inQueue(async () => {
      const ended = await this.db.sharedStatement(endStatement, [id, owner, revision]);
      // A second statement, because only it sees the change that the first one waited for.
      if (ended.length === 0) await this.db.sharedStatement(againStatement, [id, owner]);
    });
  }

  /** Releases a failed job for another attempt after `seconds`. @param failure class and code of the error */
  async postpone({ id, owner, inQueue }: ClaimedJob, seconds: number, failure: string): Promise<void> {
    await inQueue(() => this.db.sharedStatement(postponeStatement, [id, owner, seconds, failure]));
  }

  /** Releases a job that was not attempted, without counting an attempt; it is due after `seconds`. */
  async giveBack({ id, owner, inQueue }: Omit<ClaimedJob, 'tenant'>, seconds: number): Promise<void> {
    await inQueue(() => this.db.sharedStatement(giveBackStatement, [id, owner, seconds]));
  }

  /** Seconds by which the oldest due job is overdue; 0 when none is due. */
  async lagSeconds(): Promise<number> {
    const rows = await this.db.onEachNode(() => this.db.sharedStatement<{ seconds: number | null }>(lagStatement, []));
    return Math.max(0, ...rows.flat().map(({ seconds }) => seconds ?? 0));
  }
}

// coalesce(leased_until, due_at): a leased job is due again when its lease expires, any other job at due_at. The update
// checks again that the lease has ended: of several processes that found the same row, one gets it.
const claimStatement = {
  name: 'job-claim',
  text: `with due as materialized (
      select found.id from (
        select tenant_id from shared.job
        where coalesce(leased_until, due_at) <= now() and kind = any($2::text[]) and tenant_id <> all($4::uuid[])
        group by tenant_id
        order by array_position($5::uuid[], tenant_id) nulls first, min(coalesce(leased_until, due_at)) limit $3) turn
      cross join lateral (
        select id from shared.job
        where tenant_id = turn.tenant_id and kind = any($2::text[]) and coalesce(leased_until, due_at) <= now()
        order by coalesce(leased_until, due_at), id limit 1 for update skip locked) found)
    update shared.job j set attempts = attempts + 1, due_at = null, lease_owner = $1,
      leased_until = now() + make_interval(secs => ${leaseSeconds})
    from due where j.id = due.id and coalesce(j.leased_until, j.due_at) <= (select now())
    returning j.id, j.tenant_id as "tenantId", j.kind, j.subject_id as "subjectId", j.attempts as attempt, j.revision`,
};

const renewStatement = {
  name: 'job-renew',
  text: `update shared.job j set leased_until = now() + make_interval(secs => ${leaseSeconds})
    from unnest($1::bigint[], $2::uuid[]) as held(id, owner) where j.id = held.id and j.lease_owner = held.owner`,
};

const endStatement = {
  name: 'job-end',
  text: 'delete from shared.job where id = $1 and lease_owner = $2 and revision = $3 returning id',
};

const againStatement = {
  name: 'job-again',
  text: `update shared.job set due_at = coalesce(due_at, (select now())), leased_until = null, lease_owner = null
    where id = $1 and lease_owner = $2`,
};

const postponeStatement = {
  name: 'job-postpone',
  text: `update shared.job set due_at = least(due_at, (select now() + make_interval(secs => $3::float8))),
      leased_until = null, lease_owner = null, last_error = $4
    where id = $1 and lease_owner = $2`,
};

const giveBackStatement = {
  name: 'job-give-back',
  text: `update shared.job set attempts = attempts - 1, leased_until = null, lease_owner = null,
      due_at = least(due_at, (select now() + make_interval(secs => $3::float8)))
    where id = $1 and lease_owner = $2`,
};

const lagStatement = {
  name: 'job-lag',
  text: `select extract(epoch from clock_timestamp() - min(coalesce(leased_until, due_at)))::float8 as seconds
    from shared.job where not ${pausedTenantSql('job.tenant_id')}`,
};
