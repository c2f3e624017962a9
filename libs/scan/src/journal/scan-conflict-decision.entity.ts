import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ScanConflict, type ConflictDecision } from './scan-conflict.entity.js';

/** One decision about a double entry. Never changed: a later one replaces it, and both stay. */
@Entity('scan_conflict_decision')
export class ScanConflictDecision {
  @PrimaryColumn('uuid')
  conflictId!: string;

  @ManyToOne(() => ScanConflict, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'conflict_id' })
  conflict!: Relation<ScanConflict>;

  /** From 1, in the order in which the database took them. */
  @PrimaryColumn('smallint')
  number!: number;

  @Column('timestamptz', { default: () => 'now()' })
  decidedAt!: Date;

  @Column('text')
  decision!: ConflictDecision;

  @Column('text', { nullable: true })
  note!: string | null;

  /** The member of staff; null: a device decided. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** The device that took its entry back; null: staff decided. No foreign key: the decision outlives the device. */
  @Column('uuid', { nullable: true })
  deviceId!: string | null;
}
