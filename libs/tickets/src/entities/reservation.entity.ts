import { searchColumn, type ConfirmationWay, type Language } from '#kernel';
import { Event } from '#catalogue';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { CancelReason, ReservationOrigin, ReservationStatus } from './reservation-states.js';

/** One or more tickets that one person booked for one event. */
@Entity('reservation')
@Index(['eventId', 'emailKey'])
@Index('reservation_held_by_idx', { synchronize: false })
@Index('reservation_cart_idx', ['cartId'], { where: 'cart_id is not null' })
@Index('reservation_held_idx', ['expiresAt'], { where: 'expires_at is not null and released_at is null' })
export class Reservation {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  eventId!: string;

  @ManyToOne(() => Event)
  @JoinColumn({ name: 'event_id' })
  event!: Relation<Event>;

  /** Empty when the buyer at the box office gave none. */
  @Column('text')
  email!: string;

  /**
   * Identifies the person for all spellings of the address (see `emailKey()`). Without an address: the id of the reservation.
   */
  @Column('text', { default: '' })
  @Index()
  emailKey!: string;

  @Column('text', { default: '' })
  firstName!: string;

  @Column('text', { default: '' })
  lastName!: string;

  @Column('text', searchColumn('last_name', 'first_name', 'email'))
  searchText?: string;

  @Column('text', { default: 'R' })
  status!: ReservationStatus;

  /** Language of mails to the buyer; null: the tenant's. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** Sum of its tickets; decimal text. */
  @Column('numeric', { precision: 10, scale: 2, default: 0 })
  amount!: string;

  @Column('text', { default: 'api' })
  origin!: ReservationOrigin;

  /**
   * A buyer on the public pages chose these tickets and has not sent the contact form yet. A draft holds its places like every other hold,
   * but no API, webhook or mail tells of it; see `DraftsService`.
   */
  @Column('boolean', { default: false })
  isDraft!: boolean;

  /** The cart of the buyer, which is completed and paid as a whole; null: it was booked alone. */
  @Column('uuid', { nullable: true })
  cartId!: string | null;

  /** Keyed hash of the network of a buyer on the public pages, for the limit per network; null as soon as it is no hold any more. */
  @Column('text', { nullable: true })
  network!: string | null;

  /** The same of the 48 bits of IPv6 around it; null for IPv4. */
  @Column('text', { nullable: true })
  networkSite!: string | null;

  /** When the buyer accepted the venue's terms; null: the venue had none, or the booking was made elsewhere. */
  @Column('timestamptz', { nullable: true })
  termsAcceptedAt!: Date | null;

  /**
   * The buyer pays later: at the venue, so that the hold ends some hours before the event (`pay_at_venue_hours`), or by bank transfer, of
   * which the row of its order in `bank_transfer` says the deadline.
   */
  @Column('boolean', { default: false })
  payAtVenue!: boolean;

  /**
   * The buyer who chose to pay at the venue has not confirmed the e-mail address yet: until when the tickets are held once it is confirmed.
   * Of an order for members that is paid online: until when it can be confirmed. null: nothing is to be confirmed.
   */
  @Column('timestamptz', { nullable: true })
  payUntil!: Date | null;

  /** When the contact form of an order of the pages was sent: its link ends a day later. null: made elsewhere, or before this column. */
  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;

  /**
   * Whoever typed the address of an order of the pages did not show that it is theirs, and paid nothing: only a mailed link, or a session
   * of the buyer, leads to the holder's page.
   */
  @Column('boolean', { default: false })
  opensByMail!: boolean;

  /** How the address of an order of the pages is confirmed; `none`: the tickets were given at once, to whoever typed it. */
  @Column('text', { default: 'link' })
  confirmation!: ConfirmationWay;

  /** End of the hold; after it the reservation no longer takes places. null: not a hold. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** When the places of the expired hold were released. */
  @Column('timestamptz', { nullable: true })
  releasedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  cancelledAt!: Date | null;

  @Column('text', { nullable: true })
  cancelReason!: CancelReason | null;

  /** Version of its links; links with another version are invalid. */
  @Column('smallint', { default: 0 })
  linkVersion!: number;

  /** Sequence number of its last change, as published in webhook events. */
  @Column('integer', { default: 0 })
  sequence!: number;

  /** The member of staff who sold it. No foreign key, because users are in the shared schema. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that sold it. When both are null, the buyer booked online. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;
}
