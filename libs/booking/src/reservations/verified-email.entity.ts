import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address whose owner followed a link that was sent to it. */
@Entity('verified_email')
export class VerifiedEmail {
  @PrimaryColumn('text')
  emailKey!: string;

  @Column('timestamptz', { default: () => 'now()' })
  verifiedAt!: Date;
}
