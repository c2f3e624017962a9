import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An operator's visit to a tenant's panel. */
@Entity({ schema: 'shared', name: 'support_visit' })
@Unique('support_visit_token_hash_key', ['tokenHash'])
@Index(['tenantId', 'enteredAt'])
export class SupportVisit {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  tenantId!: string;

  @Column('uuid', { nullable: true })
  @Index()
  userId!: string | null;

  /** Name and address at the time of the request. */
  @Column('text')
  operator!: string;

  @Column('text')
  reason!: string;

  /** SHA-256 of the token; null after its use. */
  @Column('bytea', { nullable: true, select: false })
  tokenHash!: Buffer | null;

  @Column('timestamptz')
  tokenExpiresAt!: Date;

  /** The user's session version at the time of the request. */
  @Column('integer')
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  askedAt!: Date;

  /** null: the token was not used. */
  @Column('timestamptz', { nullable: true })
  enteredAt!: Date | null;

  /** Latest end of the session. */
  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  leftAt!: Date | null;
}
