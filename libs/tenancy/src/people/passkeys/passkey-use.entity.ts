import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last use of a passkey. */
@Entity({ schema: 'shared', name: 'passkey_use' })
export class PasskeyUse {
  @PrimaryColumn('uuid')
  passkeyId!: string;

  /** What the passkey counts itself; 0: it does not count. */
  @Column('bigint')
  counter!: string;

  @Column('timestamptz', { default: () => 'now()' })
  usedAt!: Date;
}
