import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * What staff decide about a ticket that came in twice. `let_stay`: both people stay. `was_refused`: one of them was turned away after
 * all; a device that takes its entry back says so, too. `same_person`: one person passed twice. No decision changes tickets or counts.
 */
export const conflictDecisions = ['let_stay', 'was_refused', 'same_person'] as const;
export type ConflictDecision = (typeof conflictDecisions)[number];

/**
 * `double_entry`: a ticket came in twice, because devices could not ask each other. `wrong_event`: somebody came in with a ticket for
 * another event, because the list of the device lacks it; the ticket stays expected there.
 */
export const conflictKinds = ['double_entry', 'wrong_event'] as const;
export type ConflictKind = (typeof conflictKinds)[number];

/** What staff may decide: of one entry nobody was the same person twice. */
export const decisionsOn = (kind: ConflictKind): readonly ConflictDecision[] =>
  conflictDecisions.filter((decision) => kind === 'double_entry' || decision !== 'same_person');

/**
 * An entry that was wrong. Of a double entry, by corrected time the later entry is the duplicate. Of a ticket for another event, the first
 * entry is the only one, and the later members but the time are null.
 */
@Entity('scan_conflict')
@Unique(['lineDeviceId', 'lineScanId'])
export class ScanConflict {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  foundAt!: Date;

  @Column('text', { default: 'double_entry' })
  kind!: ConflictKind;

  @Column('uuid')
  ticketId!: string;

  /** The event at whose door it happened. */
  @Column('uuid')
  eventId!: string;

  /** The journal line that showed it. */
  @Column('uuid')
  lineDeviceId!: string;

  @Column('uuid')
  lineScanId!: string;

  @Column('uuid', { nullable: true })
  firstDeviceId!: string | null;

  @Column('uuid', { nullable: true })
  firstGateId!: string | null;

  @Column('timestamptz')
  firstAt!: Date;

  /** How far the time may be wrong, in both directions. 0: the server's time. */
  @Column('integer')
  firstErrorMs!: number;

  @Column('uuid', { nullable: true })
  laterDeviceId!: string | null;

  @Column('uuid', { nullable: true })
  laterGateId!: string | null;

  @Column('timestamptz')
  laterAt!: Date;

  @Column('integer')
  laterErrorMs!: number;

  /** What staff decided last; null: nothing yet. */
  @Column('text', { nullable: true })
  decision!: ConflictDecision | null;

  /** Number of decisions so far, also of those that were replaced. */
  @Column('smallint', { default: 0 })
  decisions!: number;
}
