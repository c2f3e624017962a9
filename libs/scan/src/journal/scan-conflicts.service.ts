import { Injectable } from '@nestjs/common';
import { isUuid, RefusedInput, refuseUnfitTexts } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import type { ScanConflictDecision } from './scan-conflict-decision.entity.js';
import { conflictDecisions, type ConflictDecision } from './scan-conflict.entity.js';
import { texts } from '../locales/scan.texts.js';

/** Maximum length of a note in characters. */
const decisionTexts = { note: 500 } as const;
/** Decisions about one double entry. */
const mostDecisions = 50;

/**
 * $1 double entry · $2 decision · $3 note or null · $4 user · $5 maximum of decisions. The locked row gives simultaneous decisions their
 * order. No row: there is no such double entry, it was decided too often, or it allows another decision only (`decisionsOn`).
 */
const decideStatement: PreparedStatement = {
  name: 'decide_conflict',
  text: `
with decided as (
    update {tenant}.scan_conflict c set decision = $2::text, decisions = c.decisions + 1
    where c.id = $1::uuid and c.decisions < $5::int and (c.kind = 'double_entry' or $2::text <> 'same_person')
    returning c.id, c.decisions
  ), kept as (
    insert into {tenant}.scan_conflict_decision (conflict_id, number, decision, note, user_id)
    select d.id, d.decisions, $2::text, $3::text, $4::uuid from decided d
  )
select d.decisions from decided d`,
};

/** A decision with the name of the device that made it; null: staff did. */
export type KnownDecision = Pick<ScanConflictDecision, 'number' | 'decidedAt' | 'decision' | 'note' | 'userId'> & {
  readonly deviceName: string | null;
};

const historySql = `
  select d.number, d.decided_at as "decidedAt", d.decision, d.note, d.user_id as "userId", s.name as "deviceName"
  from scan_conflict_decision d left join scanning_device s on s.id = d.device_id
  where d.conflict_id = $1 order by d.number desc limit $2::int`;

/** The ledger of double entries, on behalf of staff. */
@Injectable()
export class ScanConflictsService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Records a decision. A later one replaces it; all of them are kept. It changes no ticket and no count.
   * @returns false when there is no such double entry
   * @throws RefusedInput on decision or note
   */
  async decide(id: string, decision: unknown, note: string, userId: string): Promise<boolean> {
    if (!isDecision(decision)) throw new RefusedInput('decision', texts.localized('conflicts.decisionMissing'));
    refuseUnfitTexts({ note }, decisionTexts);
    if (!isUuid(id)) return false;
    const [row] = await this.db.statement(decideStatement, [id, decision, note.trim() || null, userId, mostDecisions]);
    if (row) return true;
    const known = await this.history(id);
    if (decision === 'same_person' && known.length < mostDecisions)
      throw new RefusedInput('decision', texts.localized('conflicts.decisionMissing'));
    if (known.length === 0) return false;
    throw new RefusedInput('decision', texts.localized('conflicts.tooMany', { most: mostDecisions }));
  }

  /** The decisions about a double entry, newest first. */
  history(id: string): Promise<KnownDecision[]> {
    return this.db.transaction((tx) => tx.query<KnownDecision[]>(historySql, [id, mostDecisions]));
  }
}

const isDecision = (value: unknown): value is ConflictDecision => conflictDecisions.some((decision) => decision === value);
