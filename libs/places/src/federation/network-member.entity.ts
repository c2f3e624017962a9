import { Tenant, User } from '#tenancy';
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** `left`: the tenant went by itself, or took its request back. `removed`: the network's staff ended it. */
export const memberStates = ['asked', 'accepted', 'refused', 'removed', 'left'] as const;
export type MemberState = (typeof memberStates)[number];

/** A tenant in a network, which is a tenant of category M. */
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

  /** Keys of the tags that an event needs one of to be sent; empty: all public events are sent. */
  @Column('text', { array: true, default: '{}' })
  sentTags!: string[];

  /** Whether the tenant's own agenda shows what the others of the network send. */
  @Column('boolean', { default: false })
  showsOthers!: boolean;

  /** Keys of the tags that an event of the others needs one of to be shown there; empty: all. */
  @Column('text', { array: true, default: '{}' })
  shownTags!: string[];

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
