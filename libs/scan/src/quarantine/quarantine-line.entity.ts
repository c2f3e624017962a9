import { clockId } from '#tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A line of a journal that arrived after the key of its device was revoked. Kept for staff; it changes nothing. */
@Entity('quarantine_line')
export class QuarantineLine {
  /** Microseconds of the clock: lines are shown in this order. */
  @Column('bigint', { default: () => clockId })
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;

  @PrimaryColumn('uuid')
  deviceId!: string;

  /** The line as the device wrote it. */
  @Column('text')
  line!: string;

  /** SHA-256 of the line, so that a repeated upload adds nothing. */
  @PrimaryColumn('bytea', { select: false })
  lineHash!: Buffer;

  /** A member of staff marked it as seen. */
  @Column('timestamptz', { nullable: true })
  seenAt!: Date | null;

  @Column('uuid', { nullable: true })
  seenBy!: string | null;
}
