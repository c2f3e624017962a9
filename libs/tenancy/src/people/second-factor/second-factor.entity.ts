import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

/** The second factor of a user: codes that change with the time (RFC 6238). */
@Entity({ schema: 'shared', name: 'second_factor' })
export class SecondFactor {
  @PrimaryColumn('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** Encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedKey!: Buffer;

  /** Null: the first code was not entered yet. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  /** The newest time step of which a code was used. */
  @Column('bigint', { default: 0 })
  lastStep!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
