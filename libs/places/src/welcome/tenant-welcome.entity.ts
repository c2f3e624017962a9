import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the first steps of a tenant keep that no other data says. */
@Entity({ schema: 'shared', name: 'tenant_welcome' })
export class TenantWelcome {
  @PrimaryColumn('uuid')
  tenantId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Since when the start page does not show them any more; null: it does. */
  @Column('timestamptz', { nullable: true })
  dismissedAt!: Date | null;

  /** Whether staff said that everything is free. */
  @Column('boolean', { default: false })
  isFree!: boolean;
}
