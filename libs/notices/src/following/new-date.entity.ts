import { Event } from '#catalogue';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** An event that was on the public pages once: followers are told of it at most once. */
@Entity('new_date')
export class NewDate {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Event, { onDelete: 'CASCADE' })
  eventId!: string;

  /** About when it was published. Who follows since later knows it already. */
  @Column('timestamptz', { default: () => 'now()' })
  noticedAt!: Date;

  /** The day of the mailing that has it; null: none yet. */
  @Column('date', { nullable: true })
  toldOn!: string | null;
}

/** The mails about new dates of one day. They are written in the background. */
@Entity('follower_mailing')
export class FollowerMailing {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** In the time zone of the venue. */
  @Column('date')
  @Index('follower_mailing_day_idx', { unique: true })
  day!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When the last mail was written; null: in progress. */
  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
