import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

/** A code for a user who lost the second factor. A used code is deleted. */
@Entity({ schema: 'shared', name: 'recovery_code' })
export class RecoveryCode {
  @PrimaryColumn('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** A keyed hash. */
  @PrimaryColumn('text')
  codeHash!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
