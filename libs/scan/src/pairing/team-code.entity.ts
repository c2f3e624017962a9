import { Event } from '#catalogue';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Gate } from '../gates/gate.entity.js';
import type { DeviceRole } from '../model/connection.dto.js';

/** One code that pairs several phones, each as a device of its own. */
@Entity('team_code')
export class TeamCode {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** The first characters of the code, by which it is found. */
  @Column('text', { select: false })
  selector!: string;

  /** The code, encrypted with the server secret, because staff print it again. */
  @Column('bytea', { select: false })
  sealedCode!: Buffer;

  /** How many phones it pairs, 1 to 500. */
  @Column('smallint')
  places!: number;

  @Column('timestamptz')
  expiresAt!: Date;

  /** Ended by staff: it pairs no more phones. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** The event of its devices; null: any, without opening hours. */
  @Column('uuid', { nullable: true })
  eventId!: string | null;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event> | null;

  /** The gate at which its devices start. */
  @Column('uuid', { nullable: true })
  gateId!: string | null;

  @ManyToOne(() => Gate, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'gate_id' })
  gate!: Relation<Gate> | null;

  /** The gates that its devices may use; null: all. */
  @Column('uuid', { array: true, nullable: true })
  gateIds!: string[] | null;

  @Column('text', { default: 'scan' })
  role!: DeviceRole;

  /** Its devices work from so many minutes before the event's start. */
  @Column('integer')
  opensMinutesBefore!: number;

  /** To so many minutes after its end. */
  @Column('integer')
  closesMinutesAfter!: number;

  /** Assumed duration of an event without an end: the setting when the code was created, so that scans need no setting. */
  @Column('integer')
  eventMinutes!: number;

  /** When a device scanned its practice ticket; null: none did. */
  @Column('timestamptz', { nullable: true })
  practisedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
