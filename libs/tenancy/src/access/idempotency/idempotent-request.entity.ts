import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request with an `Idempotency-Key` and its answer. Kept for 24 hours. */
@Entity('idempotent_request')
export class IdempotentRequest {
  /** SHA-256 of API key, method, path and idempotency key. */
  @PrimaryColumn('bytea')
  id!: Buffer;

  /** SHA-256 of query, body and files. */
  @Column('bytea')
  requestHash!: Buffer;

  /** The execution that may write the answer. */
  @Column('uuid')
  holder!: string;

  /** While it runs: the request is given up when this time is not renewed; null: answered. */
  @Column('timestamptz', { nullable: true })
  heldUntil!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  begunAt!: Date;

  /** HTTP status of the answer; null: it still runs. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Headers and body, encrypted with the server secret; null beside a status: too large, or not available. */
  @Column('bytea', { nullable: true, select: false })
  sealedAnswer!: Buffer | null;

  /** The result of the work, encrypted; written in its transaction, read when the answer was lost. */
  @Column('bytea', { nullable: true, select: false })
  outcome!: Buffer | null;
}
