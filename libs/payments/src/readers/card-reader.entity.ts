import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A card reader of the box office, paired with an account of the venue. */
@Entity('card_reader')
export class CardReader {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** As staff call it. */
  @Column('text')
  name!: string;

  /** The name of a provider. */
  @Column('text')
  provider!: string;

  /** The account that it is paired with. */
  @Column('uuid')
  accountId!: string;

  /** The provider's id of the reader. */
  @Column('text')
  reference!: string;

  /** Who paired it. */
  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** Maximum length of its name. */
export const longestReaderName = 40;
