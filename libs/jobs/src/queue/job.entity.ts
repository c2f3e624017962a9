import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Tenant } from '#tenancy';

/** Work that waits or is under way; the row is gone once it is done. Of each kind there is one for a subject. */
@Entity({ schema: 'shared', name: 'job' })
@Unique(['tenantId', 'kind', 'subjectId'])
// On an expression, which only the migration can say.
@Index('job_claim_idx', { synchronize: false })
export class Job {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('text')
  kind!: string;

  /** What it is about, in the tenant's tables. */
  @Column('uuid')
  subjectId!: string;

  /** null: a worker has it, and nobody added it anew meanwhile. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** Begun so often since it was last added. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Grows whenever it is added anew, so that who ends it knows whether it was. */
  @Column('integer', { default: 1 })
  revision!: number;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  leaseOwner!: string | null;

  /** Kind of the last failure; never its message, which may hold names and addresses. */
  @Column('text', { nullable: true })
  lastError!: string | null;
}
