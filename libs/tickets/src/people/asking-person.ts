import type { Language } from '#kernel';
import { Column } from 'typeorm';

/** Columns of a person who asks for mails with a form and confirms the address behind a link. */
export abstract class AskingPerson {
  @Column('text')
  email!: string;

  @Column('text')
  emailKey!: string;

  /** Language of the mails. */
  @Column('text', { nullable: true })
  language!: Language | null;

  /** Keyed hash of the network that it was made from, for the limits per network; null once it is not needed any more. */
  @Column('text', { nullable: true })
  network!: string | null;

  /** Mails that forms have caused before the confirmation, the last one at `askedAt`. */
  @Column('smallint', { default: 1 })
  mails!: number;

  @Column('timestamptz', { default: () => 'now()' })
  askedAt!: Date;

  /** When the person opened the link: from then on it counts. Null: not yet. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
