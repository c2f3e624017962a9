import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A line of a journal that arrived after the key of its device was revoked. Kept for staff; it changes nothing. */
@Entity('quarantine_line')
@Unique(['deviceId', 'lineHash'])
export class QuarantineLine {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;

  @Column('uuid')
  deviceId!: string;

  /** The line as the device wrote it. */
  @Column('text')
  line!: string;

  /** SHA-256 of the line, so that a repeated upload adds nothing. */
  @Column('bytea', { select: false })
  lineHash!: Buffer;

  /** A member of staff marked it as seen. */
  @Column('timestamptz', { nullable: true })
  seenAt!: Date | null;

  @Column('uuid', { nullable: true })
  seenBy!: string | null;
}
