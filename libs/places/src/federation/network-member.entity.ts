import { Tenant, User } from '#tenancy';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** `left`: the tenant left, or withdrew its request. `removed`: the network's staff ended it. */
export const memberStates = ['asked', 'accepted', 'refused', 'removed', 'left'] as const;
export type MemberState = (typeof memberStates)[number];

/** A tenant's membership in a network, which is a tenant of category M. */
@Entity({ schema: 'shared', name: 'network_member' })
@Unique(['networkId', 'tenantId'])
export class NetworkMember {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  networkId!: string;

  @Column('uuid')
  @Index()
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  @Column('text')
  state!: MemberState;

  /** Keys of tags; an event with one of them is sent. Empty: all public events are sent. */
  @Column('text', { array: true, default: '{}' })
  sentTags!: string[];

  /** Whether the tenant's own agenda shows events of the other members. */
  @Column('boolean', { default: false })
  showsOthers!: boolean;

  /** Keys of tags; an event of another member with one of them is shown there. Empty: all. */
  @Column('text', { array: true, default: '{}' })
  shownTags!: string[];

  /** Whether gift cards of the other members pay at the tenant. */
  @Column('boolean', { default: false })
  takesCards!: boolean;

  /** Whether gift cards of the tenant pay at the other members. */
  @Column('boolean', { default: false })
  givesCards!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  askedAt!: Date;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  askedBy!: string | null;

  /** When the network's staff last accepted, refused or removed it. */
  @Column('timestamptz', { nullable: true })
  decidedAt!: Date | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  decidedBy!: string | null;

  @Column('timestamptz', { nullable: true })
  leftAt!: Date | null;
}
