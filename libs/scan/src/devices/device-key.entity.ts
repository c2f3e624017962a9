import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ScanningDevice } from './scanning-device.entity.js';

/** A key that a phone got with `POST /scan/pair/`, and what the phone uses after the key was revoked. */
@Entity('device_key')
export class DeviceKey {
  /** Public id of the key in the shared list of keys. */
  @PrimaryColumn('text')
  keyId!: string;

  @Column('uuid')
  deviceId!: string;

  @ManyToOne(() => ScanningDevice, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'device_id' })
  device!: Relation<ScanningDevice>;

  /** SHA-256 of the secret of the quarantine token. */
  @Column('bytea', { select: false })
  quarantineHash!: Buffer;

  /** When staff wiped the device. */
  @Column('timestamptz', { nullable: true })
  wipedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
