import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A request that came with an `Idempotency-Key`, and what it was answered. Kept for 24 hours. */
@Entity('idempotent_request')
export class IdempotentRequest {
  /** SHA-256 of API key, method, path and idempotency key. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  /** SHA-256 of what was asked: query and body. */
  @Column('bytea')
  requestHash!: Buffer;

  /** The one execution that may write the answer. */
  @Column('uuid')
  holder!: string;

  /** While it runs: a mark that is not renewed until then belongs to nobody; null: answered. */
  @Column('timestamptz', { nullable: true })
  heldUntil!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  begunAt!: Date;

  /** HTTP status of the answer; null: it still runs. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Headers and body, sealed with the server secret; null beside a status: too large, or not ours to keep. */
  @Column('bytea', { nullable: true, select: false })
  sealedAnswer!: Buffer | null;

  /** What the work returned, sealed; written in the transaction of the work, read when the answer was lost. */
  @Column('bytea', { nullable: true, select: false })
  outcome!: Buffer | null;
}
