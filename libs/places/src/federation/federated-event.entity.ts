import { PublicEventColumns, type EventCategory } from '#catalogue';
import { Tenant } from '#tenancy';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A public event of a tenant in a network's agenda: one row for each network that receives the event. */
@Entity({ schema: 'shared', name: 'federated_event' })
@Index(['tenantId', 'eventId'])
@Index(['networkId', 'startsAt'])
@Index('federated_event_long', ['networkId', 'overAt'], { where: `(over_at - starts_at) > '48:00:00'::interval` })
export class FederatedEvent extends PublicEventColumns {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  networkId!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  /** The event is in the tenant's schema. */
  @PrimaryColumn('uuid')
  eventId!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  category!: EventCategory;

  @Column('timestamptz')
  startsAt!: Date;

  /** The end, or for an event without an end the assumed end (setting `EVENT_MINUTES`). */
  @Column('timestamptz')
  overAt!: Date;

  @Column('text', { array: true, default: '{}' })
  tags!: string[];

  /** Keys under which different spellings of a tag are the same. */
  @Column('text', { array: true, default: '{}' })
  tagKeys!: string[];

  @Column('text', { nullable: true })
  placeName!: string | null;

  @Column('text', { nullable: true })
  streetAddress!: string | null;

  @Column('text', { nullable: true })
  locality!: string | null;

  @Column('text', { nullable: true })
  region!: string | null;

  @Column('text', { nullable: true })
  postalCode!: string | null;

  /** ISO 3166 alpha-2; null when the event has no address. */
  @Column('text', { nullable: true })
  country!: string | null;

  @Column('double precision', { nullable: true })
  latitude!: number | null;

  @Column('double precision', { nullable: true })
  longitude!: number | null;

  /** The small image, else the large one. Available on the tenant's host. */
  @Column('uuid', { nullable: true })
  pictureId!: string | null;

  /** The event was cancelled after its publication. */
  @Column('boolean', { default: false })
  isCancelled!: boolean;

  /** Searchable text in lower case without accents: name, subtitle, description, place and tags. */
  @Column('text')
  searchText!: string;

  /** When the event was created. */
  @Column('timestamptz')
  createdAt!: Date;

  /** When this row was last written. */
  @Column('timestamptz')
  updatedAt!: Date;
}
