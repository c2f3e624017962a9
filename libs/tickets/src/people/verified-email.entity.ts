import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An e-mail address whose owner opened a link mailed to it. */
@Entity('verified_email')
export class VerifiedEmail {
  @PrimaryColumn('text')
  emailKey!: string;

  @Column('timestamptz', { default: () => 'now()' })
  verifiedAt!: Date;
}
