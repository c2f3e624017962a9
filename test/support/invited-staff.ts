import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { JobRunner } from '#jobs';
import { GrantsService, InvitationsService, presets, runInTenant, UsersService, VenueRolesService, type TenantIdentity } from '#tenancy';
import { eventually } from './eventually.js';
import type { PanelAnswer } from './panel-client.js';
import { staffWith, type RoleStaff } from './role-staff.js';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';
import { StaffBrowser } from './staff-browser.js';
import { startTestApp, type TestApp } from './test-app.js';

/** An application that mails invitations, a venue with a director, and the mailboxes of those who are invited. */
export class InvitedStaff {
  /** Another one for each test. */
  venue!: TenantIdentity;
  director!: RoleStaff;

  private constructor(
    readonly test: TestApp,
    readonly smtp: SmtpSink,
  ) {}

  static async open(): Promise<InvitedStaff> {
    const smtp = await openSmtpSink();
    const environment = { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: smtp.url, QUOTA_MAILS: '9000', RATE_SIGN_IN: 'off', RATE_PAGES: 'off' };
    const test = await startTestApp({ environment });
    test.app.get(JobRunner).start();
    return new InvitedStaff(test, smtp);
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.smtp.close();
  }

  /** Begins a test: with a new venue and director. */
  async begin(): Promise<void> {
    this.venue = await this.test.newTenant();
    this.director = await staffWith(this.test, this.venue, { role: 'direction' });
  }

  here = <Result>(work: () => Promise<Result>): Promise<Result> => runInTenant(this.venue, work);
  newAddress = (): string => `${randomUUID()}@invited.example`;
  account = () => this.test.app.get(UsersService).create({ email: this.newAddress(), name: 'Known' });
  findUser = (email: string) => this.test.app.get(UsersService).findByEmail(email);
  browser = (): StaffBrowser => new StaffBrowser(this.test, this.venue, '192.0.2.9');
  everybody = () => this.here(() => this.test.app.get(GrantsService).list());
  rightOf = async (email: string) => (await this.everybody()).find((person) => person.email === email);
  invitations = () => this.here(() => this.test.app.get(InvitationsService).list());

  invite = (email: string, fields: object = {}, by = this.director): Promise<PanelAnswer> =>
    by.client.send('people', 'invite', { email, role: 'boxOffice', scope: 'all', ...fields });

  /** Performs an action on the open invitation of an address. */
  act = async (email: string, action: string, fields: object = {}): Promise<PanelAnswer> => {
    const { id } = (await this.invitations()).find((one) => one.email === email)!;
    return this.director.client.act('people', id, action, fields);
  };

  textsTo = (email: string): string[] =>
    this.smtp.mails.filter(({ to }) => to.includes(email)).map(({ parsed }) => `${parsed.subject}\n${parsed.text}`);

  /** Waits for the given number of mails, and returns the path in the last one. */
  linkTo = async (email: string, mails = 1): Promise<string> => {
    const links = (): string[] => this.textsTo(email).flatMap((text) => /\/admin(\/invitation\/[\w-]{43})/.exec(text)?.[1] ?? []);
    await eventually(() => expect(links()).toHaveLength(mails));
    return links().at(-1)!;
  };

  /** Invites an address, and returns the path of its page. */
  invited = async (email: string, fields: object = {}, by = this.director): Promise<string> => {
    expect((await this.invite(email, fields, by)).notice?.message).toBe('invited');
    return this.linkTo(email.toLowerCase());
  };

  /** Somebody with an own role that may change people and sell, with no more than that. */
  manager = async (): Promise<RoleStaff> => {
    const levels = { ...presets.boxOffice, people: 'change' } as const;
    const roles = this.test.app.get(VenueRolesService);
    return staffWith(this.test, this.venue, { role: await this.here(() => roles.create(`House ${randomUUID()}`, levels)) });
  };
}
