import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * `draft`: being filled in; `waiting`: submitted, its e-mail address is not confirmed yet; `confirmed`: operators decide about it;
 * `created`: its tenant exists; `refused`: operators decided against it.
 */
export type PlaceRequestState = 'draft' | 'waiting' | 'confirmed' | 'created' | 'refused';

/** SQL: whether a row of `shared.place_request` waits for the decision of operators. */
export const awaitsApprovalSql = (row: string): string => `${row}.state = 'confirmed' and ${row}.expires_at > now()`;

/** A form of `/tenant/new/`. Its content is encrypted, and deleted when the tenant exists, operators refuse it or the form expires. */
@Entity({ schema: 'shared', name: 'place_request' })
export class PlaceRequest {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  state!: PlaceRequestState;

  /** An operator invited the person, so the e-mail address counts as confirmed. */
  @Column('boolean', { default: false })
  invited!: boolean;

  /** Keyed hash of the client's network. */
  @Column('text', { nullable: true })
  network!: string | null;

  /** Keyed hash of the e-mail address. */
  @Column('text', { nullable: true })
  emailMark!: string | null;

  @Column('bytea', { nullable: true })
  sealed!: Buffer | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  /** Its address is confirmed, and operators decide since then. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  /** A mail told operators that it waits. */
  @Column('timestamptz', { nullable: true })
  toldAt!: Date | null;

  @Column('timestamptz')
  @Index()
  expiresAt!: Date;

  @Column('uuid', { nullable: true })
  tenantId!: string | null;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** The administrator was new, or had chosen no password yet. A link to the first one works until the first sign-in. */
  @Column('boolean', { default: false })
  passwordDue!: boolean;
}
