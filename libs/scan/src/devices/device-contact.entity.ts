import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ScanningDevice } from './scanning-device.entity.js';

/** How a device hears the server, in its own words. */
export const deviceNetworks = ['live', 'slow', 'offline'] as const;
export type DeviceNetwork = (typeof deviceNetworks)[number];

/** What a device said last about itself. A table of its own, because scans read the device. */
@Entity('device_contact')
export class DeviceContact {
  @PrimaryColumn('uuid')
  deviceId!: string;

  @OneToOne(() => ScanningDevice, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'device_id' })
  device!: Relation<ScanningDevice>;

  /** Written at most every 10 seconds. */
  @Column('timestamptz')
  seenAt!: Date;

  @Column('text', { nullable: true })
  appVersion!: string | null;

  /** Charge in percent. */
  @Column('smallint', { nullable: true })
  battery!: number | null;

  @Column('boolean', { nullable: true })
  charging!: boolean | null;

  /** Lines of its journal that the server has not answered. */
  @Column('integer', { nullable: true })
  unsent!: number | null;

  /** Server time minus device time. */
  @Column('bigint', { nullable: true })
  clockOffsetMs!: string | null;

  /** How far the offset may be wrong, in both directions. */
  @Column('integer', { nullable: true })
  clockErrorMs!: number | null;

  /** The event and the gate at which it is; ids that it sent. */
  @Column('uuid', { nullable: true })
  eventId!: string | null;

  @Column('uuid', { nullable: true })
  gateId!: string | null;

  /** Position of its list. */
  @Column('text', { nullable: true })
  position!: string | null;

  @Column('text', { nullable: true })
  network!: DeviceNetwork | null;
}
