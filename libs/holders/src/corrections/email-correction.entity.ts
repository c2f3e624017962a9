import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

/** A change of the e-mail address of a reservation or a membership. */
@Entity('email_correction')
export class EmailCorrection {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('Reservation', { onDelete: 'CASCADE' })
  reservationId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Membership', { onDelete: 'CASCADE' })
  membershipId!: string | null;

  @Column('text')
  oldEmail!: string;

  @Column('text')
  newEmail!: string;

  /** The member of staff who corrected it. No foreign key, because users are in the shared schema. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  /** The API key that corrected it. */
  @Column('text', { nullable: true })
  byKeyId!: string | null;

  /** The buyer corrected it on the page of the order, before it was confirmed. */
  @Column('boolean', { default: false })
  byBuyer!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
