import { readdir } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import { call } from './calls.js';
import type { Load } from './load.js';
import type { Stack } from './stack.js';
import type { Venue } from './venue.js';

export interface Verdict {
  /** Acknowledged but missing in the database. */
  readonly lostEntries: number;
  readonly lostBookings: number;
  /** Tickets with two accepted scans, and addresses with two bookings in spite of one idempotency key. */
  readonly enteredTwice: number;
  readonly bookedTwice: number;
  readonly auditAgrees: boolean;
  /** Repeated deliveries since the last verdict. */
  readonly webhooksAgain: number;
  readonly mailsAgain: number;
  /** Deliveries that had not arrived in time. */
  readonly webhooksMissing: number;
  readonly mailsMissing: number;
}

/** Failed mails are retried after 10 s, then after a minute. */
const settleSeconds = 90;

/** Compares everything acknowledged since the start of the run with the database, read directly without PgBouncer. */
export class Checks {
  private readonly told = new Set<string>();
  private position = '';
  private webhooksAgain = 0;
  private mailsAgain = 0;

  private constructor(
    private readonly stack: Stack,
    private readonly venue: Venue,
    private readonly load: Load,
    private readonly mailFolder: string,
    private readonly schema: string,
  ) {}

  static async open(stack: Stack, venue: Venue, load: Load, mailFolder: string): Promise<Checks> {
    const [row] = await stack.primary.query<{ schema: string }>('select schema_name as schema from shared.tenant where slug = $1', [
      venue.tenant,
    ]);
    const checks = new Checks(stack, venue, load, mailFolder, row?.schema ?? '');
    // Events older than the endpoint are not delivered.
    await checks.readFeed();
    checks.told.clear();
    return checks;
  }

  /** Waits until webhooks and mails have arrived, then compares. */
  async verdict(): Promise<Verdict> {
    const end = performance.now() + settleSeconds * 1000;
    let missing = await this.missing();
    // Work of a dead worker is repeated when its lease expires; waits for it, so that it is not counted with the next fault.
    while (missing.webhooks + missing.mails + (await this.waiting()) > 0 && performance.now() < end) {
      await pass(1000);
      missing = await this.missing();
    }
    const webhooks = this.stack.webhooks.duplicates();
    const mails = this.stack.mails.duplicates() + duplicatesIn(await this.folderRecipients());
    const verdict = {
      lostEntries: await this.lostEntries(),
      lostBookings: await this.lostBookings(),
      enteredTwice: await this.count(
        `select ticket_id from "${this.schema}".scan_log where action = 'scan' and outcome = 'accepted' group by 1 having count(*) > 1`,
      ),
      bookedTwice: await this.count(`select email from "${this.schema}".reservation group by 1 having count(*) > 1`),
      auditAgrees: await this.stack.cli('audit').then(
        () => true,
        () => false,
      ),
      webhooksAgain: webhooks - this.webhooksAgain,
      mailsAgain: mails - this.mailsAgain,
      webhooksMissing: missing.webhooks,
      mailsMissing: missing.mails,
    };
    this.webhooksAgain = webhooks;
    this.mailsAgain = mails;
    return verdict;
  }

  private async missing(): Promise<{ webhooks: number; mails: number }> {
    await this.readFeed();
    const kept = new Set(await this.folderRecipients());
    const arrived = (email: string): boolean => this.stack.mails.counts.has(email) || kept.has(email);
    return {
      webhooks: [...this.told].filter((id) => !this.stack.webhooks.counts.has(id)).length,
      mails: this.load.booked.filter(({ email }) => !arrived(email)).length,
    };
  }

  /** Number of mails and deliveries that are still to be sent. */
  private waiting(): Promise<number> {
    return this.count(
      `select 1 from "${this.schema}".mail where status = 'waiting'
       union all select 1 from "${this.schema}".webhook_delivery where status = 'waiting'`,
    );
  }

  /** Reads the feed of events, all of which must be delivered. */
  private async readFeed(): Promise<void> {
    const { host, authorization } = this.venue;
    for (let more = true; more;) {
      const after = this.position === '' ? '' : `after=${encodeURIComponent(this.position)}&`;
      const path = `/api/v2/webhook-events/?${after}limit=500`;
      const answer = await call({ port: this.stack.port, host, method: 'GET', path, headers: { authorization } });
      if (answer.status !== 200) throw new Error(`feed: ${answer.status} ${JSON.stringify(answer.body)}`);
      for (const { identifier } of answer.body['results'] as { identifier: string }[]) this.told.add(identifier);
      this.position = String(answer.body['next'] ?? this.position);
      more = answer.body['more'] === true;
    }
  }

  /** Recipients of the mails that were written as files, one per file. */
  private async folderRecipients(): Promise<string[]> {
    const files = await readdir(this.mailFolder).catch(() => []);
    return files.flatMap((file) => (file.endsWith('.eml') ? (/guest-\d+@[\w.]+(?=\.eml)/.exec(file)?.[0] ?? []) : []));
  }

  private lostEntries(): Promise<number> {
    const { entered } = this.load;
    return this.count(
      `select 1 from unnest($1::uuid[], $2::uuid[], $3::uuid[]) a (ticket_id, device_id, scan_id) where not exists (
         select 1 from "${this.schema}".scan_log l join "${this.schema}".ticket t on t.id = l.ticket_id
         where l.scan_id = a.scan_id and l.device_id = a.device_id and l.ticket_id = a.ticket_id
           and l.action = 'scan' and l.outcome = 'accepted' and t.status = 'S')`,
      [entered.map(({ ticketId }) => ticketId), entered.map(({ deviceId }) => deviceId), entered.map(({ scanId }) => scanId)],
    );
  }

  private lostBookings(): Promise<number> {
    const { booked } = this.load;
    return this.count(
      `select 1 from unnest($1::uuid[], $2::text[]) a (id, email) where not exists (
         select 1 from "${this.schema}".reservation r where r.id = a.id and r.email = a.email and r.status <> 'C')`,
      [booked.map(({ id }) => id), booked.map(({ email }) => email)],
    );
  }

  private async count(query: string, values: unknown[] = []): Promise<number> {
    return (await this.stack.primary.query(query, values)).length;
  }
}

function duplicatesIn(names: readonly string[]): number {
  return names.length - new Set(names).size;
}
