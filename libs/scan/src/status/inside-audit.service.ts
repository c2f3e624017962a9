import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';

/** An event whose tickets and whose scan log differ on the people inside. */
export interface InsideDrift {
  readonly eventId: string;
  readonly name: string;
  /** People inside according to the tickets. */
  readonly counted: number;
  /** People inside according to the scan log. */
  readonly log: number;
}

/**
 * The last movement of each ticket that the log has decides: an entry, or the undo of an exit, means inside. An undo by staff makes a
 * ticket valid again, whatever it undoes. The undo of an exit that was refused moves nothing. Tickets without a movement in the log are
 * left out: the log is kept for `SCAN_LOG_DAYS`.
 */
const insideSql = `
  with movement as (
    select distinct on (l.ticket_id) l.ticket_id, l.event_id, l.outcome, l.user_id, u.outcome as undone
    from scan_log l left join scan_log u on u.id = l.undoes
    where l.ticket_id is not null and (l.action = 'scan' and l.outcome in ('accepted', 'readmitted', 'left')
      or l.action = 'undo' and l.outcome = 'undone'
        and (l.undoes is not null and u.outcome is distinct from 'not_inside' or l.user_id is not null))
    order by l.ticket_id, l.ticket_sequence desc nulls last, l.recorded_at desc, l.id desc
  ), logged as (
    select m.ticket_id, m.event_id,
      m.outcome in ('accepted', 'readmitted') or m.outcome = 'undone' and m.user_id is null and m.undone = 'left' as inside
    from movement m
  )
  select e.id as "eventId", e.name, (count(*) filter (where t.status = 'S' and t.left_at is null))::int as counted,
    (count(*) filter (where l.inside))::int as log
  from logged l join ticket t on t.id = l.ticket_id join event e on e.id = t.event_id
  group by e.id, e.name
  having count(*) filter (where (t.status = 'S' and t.left_at is null) <> l.inside) > 0
  order by e.name, e.id`;

/** Recounts the people inside from the scan log. */
@Injectable()
export class InsideAuditService {
  constructor(private readonly db: TenantDb) {}

  /** Events where the tickets differ from the log. One statement reads both, so both are of the same moment. */
  drifts(): Promise<InsideDrift[]> {
    return this.db.transaction((tx) => tx.query<InsideDrift[]>(insideSql));
  }
}
