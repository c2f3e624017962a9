import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last start of a scheduled task, which one process runs for all. */
@Entity({ schema: 'shared', name: 'chore' })
export class ScheduledTask {
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz', { default: () => 'now()' })
  begunAt!: Date;
}
