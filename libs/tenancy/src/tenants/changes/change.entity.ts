import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Who made a change, by reference: names are looked up when somebody reads them, because they change and are erased. */
export interface ChangeActor {
  /** `visitor`: a guest, or an event of a payment provider. `command`: the command line. `database`: SQL that the program did not send. */
  readonly kind: 'person' | 'key' | 'device' | 'visitor' | 'job' | 'command' | 'database';
  readonly id?: string;
  /** The support visit of an operator. */
  readonly visit?: string;
  /** The background work that made the change, for the person who began it if there is one. */
  readonly job?: string;
  readonly request?: string;
}

/** What happened to one row. */
export interface ChangeEntry {
  /** The row's table. */
  readonly object: string;
  readonly id?: string;
  readonly action: string;
  readonly title?: string;
  readonly reason?: string;
  /** Values by column; none of secrets. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** The changes of one record in one transaction. Written by `shared.add_change` only; append-only. */
@Entity('change')
@Index(['record', 'object'])
export class Change {
  /** 1, 2, 3 … in the order of the commits. */
  @PrimaryColumn('bigint')
  position!: string;

  @Column('timestamptz')
  at!: Date;

  /** Decides how long the values are kept. */
  @Column('text')
  kind!: string;

  /** The table of the record. */
  @Column('text')
  object!: string;

  @Column('text')
  record!: string;

  @Column('text')
  action!: string;

  /** Names of the changed columns. */
  @Column('text', { array: true })
  fields!: string[];

  @Column('jsonb')
  actor!: ChangeActor;

  /** Null: erased. */
  @Column('jsonb', { nullable: true })
  content!: ChangeEntry[] | null;

  @Column('bytea', { nullable: true, select: false })
  salt!: Buffer | null;

  @Column('bytea', { select: false })
  contentHash!: Buffer;

  /** Covers the row and the hash of the row before. */
  @Column('bytea', { select: false })
  hash!: Buffer;
}
