import { FollowerLinks, MailSenderService, NewDatesService } from '#notices';
import { JobsService } from '#jobs';
import { TenantDb, type TenantIdentity } from '#tenancy';
import type { Response } from 'supertest';
import { OrderForms } from './order-forms.js';
import type { SmtpSink } from './smtp-sink.js';
import type { TestApp } from './test-app.js';

/** A venue of its own, with what people do who follow it. */
export class FollowedVenue {
  readonly forms: OrderForms;

  constructor(
    private readonly test: TestApp,
    readonly tenant: TenantIdentity,
    private readonly sink: SmtpSink,
  ) {
    this.forms = new OrderForms(test, tenant);
  }

  inside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.test.inside(this.tenant, work);
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.inside(() => this.test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
  }

  ask(email: string): Promise<Response> {
    return this.forms.post('/follow', [['email', email]]);
  }

  async idOf(email: string): Promise<string> {
    return (await this.sql<{ id: string }>('select id from follower where lower(email) = lower($1)', [email]))[0]?.id ?? '';
  }

  pathOf(id: string): Promise<string> {
    return this.inside(() => Promise.resolve(this.test.app.get(FollowerLinks).pathTo(id)));
  }

  /** Opens the link that was mailed to an address, and confirms. @returns the path of the follower */
  async confirm(email: string): Promise<string> {
    const path = await this.pathOf(await this.idOf(email));
    await this.forms.post(`${path}/confirm`, []);
    return path;
  }

  /** Follows with the form and the link. @returns the path of the follower */
  async follow(email: string): Promise<string> {
    await this.ask(email);
    return this.confirm(email);
  }

  /** Runs a job now. */
  job(kind: string, id: string): Promise<void> {
    return this.inside(() => this.test.app.get(JobsService).workOf(kind)(id, { number: 1, isLast: false }));
  }

  /** Runs the hourly task at an hour of the clocks in Paris, and the steps of the mailing that it begins. */
  async mailing(hour: string, day = '2027-03-01'): Promise<void> {
    await this.inside(() => this.test.app.get(NewDatesService).run(new Date(`${day}T${hour}:30:00+01:00`)));
    const open = await this.sql<{ id: string }>('select id from follower_mailing where finished_at is null');
    for (const { id } of open) await this.job('follower-mailing', id);
  }

  /** Sends the waiting mails. @returns those that the mail server received */
  async deliver(): Promise<SmtpSink['mails']> {
    const before = this.sink.mails.length;
    const rows = await this.sql<{ id: string }>(`select id from mail where status = 'waiting' order by created_at, id`);
    for (const { id } of rows) await this.inside(() => this.test.app.get(MailSenderService).send(id, { isLast: true }));
    return this.sink.mails.slice(before);
  }
}
