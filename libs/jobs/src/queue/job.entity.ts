import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A waiting or running job; the row is deleted when it is done. There is at most one job per tenant, kind and subject. */
@Entity({ schema: 'shared', name: 'job' })
@Unique(['tenantId', 'kind', 'subjectId'])
// On an expression, which only the migration can define.
@Index('job_claim_idx', { synchronize: false })
export class Job {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  tenantId!: string;

  @Column('text')
  kind!: string;

  /** Id of the row that the job is about, in the tenant's tables. */
  @Column('uuid')
  subjectId!: string;

  /** null: a worker has leased it, and it was not added again since. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** Number of attempts since it was last added. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Increases whenever it is added again; the worker that ends it compares it with the claimed value. */
  @Column('integer', { default: 1 })
  revision!: number;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  leaseOwner!: string | null;

  /** Class and code of the last error; never its message, which may contain personal data. */
  @Column('text', { nullable: true })
  lastError!: string | null;
}
