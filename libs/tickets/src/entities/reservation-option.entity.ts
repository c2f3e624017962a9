import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Reservation } from './reservation.entity.js';

/** An option of the event that the buyer chose. Its name is kept when the event's option is deleted. */
@Entity('reservation_option')
export class ReservationOption {
  @PrimaryColumn('uuid')
  reservationId!: string;

  @PrimaryColumn('uuid')
  optionId!: string;

  @ManyToOne(() => Reservation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: Relation<Reservation>;

  @Column('text')
  name!: string;
}
