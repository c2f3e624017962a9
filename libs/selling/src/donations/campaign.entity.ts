import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

/** What the venue collects donations for, with a page of its own. Lines of orders name it. */
@Entity('campaign')
export class Campaign {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  title!: string;

  /** HTML with the few elements that pages allow, or plain text. */
  @Column('text', { nullable: true })
  text!: string | null;

  @Column('uuid', { nullable: true })
  // By name instead of import, like that of other images.
  @ForeignKey('Image', { onDelete: 'SET NULL' })
  imageId!: string | null;

  /** Decimal text; null: the page tells no goal. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  goal!: string | null;

  /** Until when donations are taken; null: without an end. */
  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  /** Amounts to choose from, decimal texts separated by spaces; null: those of the venue. */
  @Column('text', { nullable: true })
  amounts!: string | null;

  @Column('boolean', { default: false })
  published!: boolean;

  /** Whether buyers of tickets may choose it, too. */
  @Column('boolean', { default: true })
  withOrders!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
