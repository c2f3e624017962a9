import { Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { DeviceRole } from '../model/connection.dto.js';

/** A phone or hand scanner at an entrance. Paired once with a token, then authenticated by its key. */
@Entity('scanning_device')
@Unique(['pairingTokenHash'])
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

  @Column('timestamptz', { nullable: true })
  archivedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
