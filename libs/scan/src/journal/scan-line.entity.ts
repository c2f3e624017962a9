import { clockId } from '#tenancy';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { ScanDirection } from '../model/scan-log.entity.js';

/** One line of a device's journal, with the answer that it got. Never changed. */
@Entity('scan_line')
@Unique(['deviceId', 'scanId'])
export class ScanLine {
  /** Microseconds of the clock, see `clockId`. */
  @PrimaryColumn('bigint', { default: () => clockId })
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  recordedAt!: Date;

  @PrimaryColumn('uuid')
  deviceId!: string;

  @Column('uuid')
  scanId!: string;

  /** Number of the line in the journal of its device. */
  @PrimaryColumn('bigint')
  sequence!: string;

  /** The line as the device wrote it. */
  @Column('text')
  line!: string;

  /** SHA-256 of the line; the next line contains it. */
  @Column('bytea')
  lineHash!: Buffer;

  /** Whether the hash in the line is that of the line before; null: the line before is not here. */
  @Column('boolean', { nullable: true })
  chained!: boolean | null;

  @Column('uuid', { nullable: true })
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  eventId!: string | null;

  @Column('uuid', { nullable: true })
  gateId!: string | null;

  @Column('text')
  direction!: ScanDirection;

  /** What the device decided: `admitted` or `refused`. */
  @Column('text')
  verdict!: string;

  /** `offline`, or `online` for a request whose answer did not arrive. */
  @Column('text')
  mode!: string;

  /** Position of the pack that decided. */
  @Column('text', { nullable: true })
  position!: string | null;

  @Column('timestamptz')
  deviceTime!: Date;

  /** The device's time, corrected by its offset; never later than its arrival. */
  @Column('timestamptz')
  happenedAt!: Date;

  @Column('integer')
  clockErrorMs!: number;

  @Column('text')
  state!: string;

  /** The answer, which a repeat gets again. */
  @Column('json')
  result!: object;
}
