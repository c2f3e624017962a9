import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { SupportVisit } from './support-visit.entity.js';

/** A page view, a change or an attempted change during a support visit. Append-only. */
@Entity({ schema: 'shared', name: 'support_act' })
@Index(['visitId', 'at'])
@Index('support_act_looked', ['visitId', 'resource', 'record', 'action'], { unique: true, where: `"kind" = 'looked'` })
@Check('support_act_kind_check', `kind in ('looked', 'changed')`)
export class SupportAct {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => SupportVisit, { onDelete: 'CASCADE' })
  visitId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  at!: Date;

  @Column('text')
  kind!: 'looked' | 'changed';

  /** Id of the panel resource; empty: something else, such as a search. */
  @Column('text')
  resource!: string;

  /** Id of the record; empty: a list, or a new record. */
  @Column('text')
  record!: string;

  @Column('text')
  action!: string;

  /** Names of the submitted fields. */
  @Column('text', { array: true, default: '{}' })
  fields!: string[];
}
