import { Event } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { Gate } from '../gates/gate.entity.js';
import type { DeviceRole } from '../model/connection.dto.js';

/** A phone or hand scanner at an entrance. Paired once with a token, then authenticated by its key. */
@Entity('scanning_device')
@Index('scanning_device_installation', ['teamCodeId', 'installationHash'], { unique: true })
export class ScanningDevice {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the pairing token; kept after pairing, so that a used token can be distinguished from an unknown one. */
  @Column('bytea', { nullable: true, select: false })
  pairingTokenHash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  pairingExpiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  claimedAt!: Date | null;

  /** Public id of its key in the shared list of keys. */
  @Column('text', { nullable: true })
  keyId!: string | null;

  @Column('text', { default: 'scan' })
  role!: DeviceRole;

  /** Whether it may list and search the tickets of an event, with names and e-mail addresses: follows from the role. */
  @Column('boolean', { default: false })
  maySearchTickets!: boolean;

  /** The event and the gate that staff chose for it; the app starts with them. */
  @Column('uuid', { nullable: true })
  eventId!: string | null;

  @ManyToOne(() => Event, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event> | null;

  @Column('uuid', { nullable: true })
  gateId!: string | null;

  @ManyToOne(() => Gate, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'gate_id' })
  gate!: Relation<Gate> | null;

  /** How often staff sent it to an event or a gate. */
  @Column('integer', { default: 0 })
  moves!: number;

  /** Locked by staff: it keeps its key and scans nothing. */
  @Column('timestamptz', { nullable: true })
  lockedAt!: Date | null;

  /** Its keys were revoked, and its app destroys what it has. */
  @Column('timestamptz', { nullable: true })
  wipedAt!: Date | null;

  /** The team code that paired it. No foreign key: a device whose code was deleted with its event stays closed. */
  @Column('uuid', { nullable: true })
  teamCodeId!: string | null;

  /** SHA-256 of the secret of the app's installation, so that the same phone takes no second place. */
  @Column('bytea', { nullable: true, select: false })
  installationHash!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  archivedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
