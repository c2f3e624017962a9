import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a job that one process does for all was last begun. */
@Entity({ schema: 'shared', name: 'chore' })
export class ScheduledTask {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  begunAt!: Date;
}
