import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export type ScanDirection = 'entry' | 'exit';
export type ScanAction = 'check' | 'scan' | 'undo' | 'fulfil' | 'undo_fulfil';
/** Also that a device got names of guests, which is no attempt. */
export type LoggedAction = ScanAction | 'download';

/**
 * One attempt of a device, accepted or refused, or names of guests that a device got. Append-only: a trigger rejects updates and deletes.
 */
@Entity('scan_log')
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
  action!: LoggedAction;

  /** `accepted`: a first entry; `readmitted`: an entry after an exit; `left`: an exit; `undone`, or the reason of the refusal. */
  @Column('text')
  outcome!: string;

  @Column('uuid', { nullable: true })
  deviceId!: string | null;

  /** The member of staff, when no device made the attempt. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @Index()
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  eventId!: string | null;

  /** The membership, when the code was a membership card. */
  @Column('uuid', { nullable: true })
  membershipId!: string | null;

  /** The gate that the device named. */
  @Column('uuid', { nullable: true })
  gateId!: string | null;

  /** What the device asked for; null: an entry, from a device that does not name directions. */
  @Column('text', { nullable: true })
  direction!: ScanDirection | null;

  /** The ticket's sequence after this entry, exit or undo; it orders the movements of a ticket. */
  @Column('integer', { nullable: true })
  ticketSequence!: number | null;

  /** The device's own id of this attempt. */
  @Column('uuid', { nullable: true })
  scanId!: string | null;

  /** The accepted scan, or handing out, that this row undoes. */
  @Column('bigint', { nullable: true })
  undoes!: string | null;

  /** Time on the device's clock. */
  @Column('timestamptz', { nullable: true })
  deviceTime!: Date | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** Distinguishes a repeat of the same request from another request with the same id. */
  @Column('bytea', { nullable: true, select: false })
  requestHash!: Buffer | null;

  /**
   * The facts of the answer, when the device sent an id: a replay renders the same bytes from them. Names of people are not stored: they
   * are read from the ticket or the membership.
   */
  @Column('json', { nullable: true, select: false })
  facts!: object | null;
}
