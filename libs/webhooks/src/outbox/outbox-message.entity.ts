import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';

/** A message between its change and its dispatch; the row is deleted when it is dispatched. */
@Entity({ schema: 'shared', name: 'outbox' })
export class OutboxRow {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  ordinal!: string;

  @Column('uuid')
  @Generated('uuid')
  id!: string;

  @Column('text')
  type!: string;

  @Column('text')
  subjectId!: string;

  @Column('integer')
  sequence!: number;

  @Column('timestamptz', { default: () => 'now()' })
  occurredAt!: Date;

  @Column('json')
  data!: unknown;
}
