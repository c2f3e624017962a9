import { Event, Price } from '#catalogue';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Which device lets tickets of a price in while it has no connection, at events where one device does (`Event.cutOffPolicy`). */
@Entity('door_lease')
export class DoorLease {
  @PrimaryColumn('uuid')
  eventId!: string;

  @ManyToOne(() => Event, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  @PrimaryColumn('uuid')
  priceId!: string;

  @ManyToOne(() => Price, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'price_id' })
  price!: Relation<Price>;

  @Column('uuid')
  deviceId!: string;

  /** The phone of the device: another phone that is paired as the same device must wait, too. */
  @Column('uuid')
  holder!: string;

  /** The gate at which the device said to be. */
  @Column('uuid', { nullable: true })
  gateId!: string | null;

  /** Until then the device may let in without a connection. */
  @Column('timestamptz')
  endsAt!: Date;
}
