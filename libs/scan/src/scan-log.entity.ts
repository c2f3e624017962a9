import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export type ScanAction = 'check' | 'scan' | 'undo' | 'fulfil' | 'undo_fulfil';

/** One attempt at the door, accepted or refused. The table only grows: a trigger refuses updates and deletes. */
@Entity('scan_log')
@Index(['deviceId', 'recordedAt'])
@Index('scan_log_attempt', ['deviceId', 'action', 'scanId'], { unique: true, where: '"scan_id" IS NOT NULL' })
@Index('scan_log_undoes', ['undoes'], { unique: true, where: '"undoes" IS NOT NULL' })
export class ScanLogEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Server time, which decides. */
  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  recordedAt!: Date;

  @Column('text')
  action!: ScanAction;

  /** `accepted`, `undone`, or the reason of the refusal. */
  @Column('text')
  outcome!: string;

  @Column('uuid', { nullable: true })
  deviceId!: string | null;

  /** The member of staff, when it was not a device. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @Index()
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  eventId!: string | null;

  /** The membership, when it was a membership's card. */
  @Column('uuid', { nullable: true })
  membershipId!: string | null;

  /** The device's own id of this attempt. */
  @Column('uuid', { nullable: true })
  scanId!: string | null;

  /** The accepted scan, or handing out, that this row undoes. */
  @Column('bigint', { nullable: true })
  undoes!: string | null;

  /** What the device's clock said. */
  @Column('timestamptz', { nullable: true })
  deviceTime!: Date | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** Tells a repeat of the same request from another request under the same id. */
  @Column('bytea', { nullable: true, select: false })
  requestHash!: Buffer | null;

  /**
   * What the answer was made of, when the device gave an id: a repeat renders the same bytes from it. Without names of people: those are read
   * from the ticket or the membership.
   */
  @Column('json', { nullable: true, select: false })
  facts!: object | null;
}
