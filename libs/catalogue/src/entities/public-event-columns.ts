import type { TextLimits } from '#kernel';
import { Column } from 'typeorm';
import type { EventAlteration } from '../values/catalogue-codes.js';

/**
 * Columns of an event that everybody may read. Events and their rows in the networks' agendas have the same ones. Lists, feeds, calendars,
 * mails and tickets read all of them, see `publicColumns`.
 */
export abstract class PublicEventColumns {
  @Column('text')
  name!: string;

  /** Plain text, shown below the name. */
  @Column('text', { nullable: true })
  subtitle!: string | null;

  /** Plain text. */
  @Column('text', { nullable: true })
  shortDescription!: string | null;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  /** null: it takes place as it was announced. */
  @Column('text', { nullable: true })
  alteration!: EventAlteration | null;

  /** The start that was announced before. */
  @Column('timestamptz', { nullable: true })
  previousStartsAt!: Date | null;

  /** URL of the event's page on another site: it makes the event external. */
  @Column('text', { nullable: true })
  sameAs!: string | null;

  /** A page about the event, as an integration sent it; null: the tenant's own page. Does not make the event external. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** Sequence number of the last published change (webhooks). */
  @Column('integer', { default: 0 })
  sequence!: number;
}

/** Maximum lengths of its texts in characters. */
export const publicEventTexts = { name: 200, subtitle: 200, shortDescription: 1000 } as const satisfies TextLimits;
