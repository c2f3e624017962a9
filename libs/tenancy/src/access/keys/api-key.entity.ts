import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { KeyKind, Scope } from '../../people/roles/api-key-scopes.js';

/** A device or integration key. Only the SHA-256 of its secret is stored. */
@Entity({ schema: 'shared', name: 'api_key' })
@Index('api_key_tenant_id_device_id_idx', ['tenantId', 'deviceId'])
export class ApiKey {
  /** The public part of the key, by which the row is found. */
  @PrimaryColumn('text')
  id!: string;

  @Column('uuid')
  tenantId!: string;

  @Column('text')
  kind!: KeyKind;

  @Column('text')
  name!: string;

  @Column('bytea', { select: false })
  secretHash!: Buffer;

  /** The scanning device a device key belongs to (a row of the tenant's schema, so no foreign key). */
  @Column('uuid', { nullable: true })
  deviceId!: string | null;

  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  @Column('text', { array: true, default: () => "'{}'" })
  scopes!: Scope[];

  /** Addresses and CIDR networks it may be used from; empty: any. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedAddresses!: string[];

  /** Origins of web pages that may use it, as browsers write them; empty: none. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedOrigins!: string[];

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** Temporarily not allowed, for example because its device is archived. */
  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  /** Written at most once a minute. */
  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
