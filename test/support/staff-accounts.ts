import { expect } from '@jest/globals';
import { JobRunner } from '#jobs';
import { UsersService, type TenantIdentity } from '#tenancy';
import { eventually } from './eventually.js';
import { openSmtpSink, type SmtpSink } from './smtp-sink.js';
import { StaffBrowser } from './staff-browser.js';
import { startTestApp, type TestApp } from './test-app.js';

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

const linkIn = /\/admin\/password\/([\w-]{43})/;

/** An application with a venue, its staff, and their mailboxes. */
export class StaffAccounts {
  /** Who the test is about; another one for each test. */
  person!: Person;
  /** The number of people so far. */
  people = 0;

  private constructor(
    readonly test: TestApp,
    readonly smtp: SmtpSink,
    readonly venue: TenantIdentity,
  ) {}

  static async open(): Promise<StaffAccounts> {
    const smtp = await openSmtpSink();
    const environment = { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: smtp.url, RATE_SIGN_IN: 'off', RATE_PAGES: 'off' };
    const test = await startTestApp({ environment });
    test.app.get(JobRunner).start();
    return new StaffAccounts(test, smtp, await test.newTenant());
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.smtp.close();
  }

  /** Begins a test: with a new person, empty mailboxes, and without earlier attempts. */
  async begin(): Promise<void> {
    // Mails of the test before.
    await eventually(async () =>
      expect(await this.test.database.query(`select 1 from shared.job where kind = 'account-notice'`)).toEqual([]),
    );
    this.person = await this.newPerson();
    this.smtp.mails.length = 0;
    await this.test.database.query('delete from shared.password_link; delete from shared.sign_in_attempt');
  }

  /** Somebody who directs the venue since long ago. */
  async newPerson(): Promise<Person> {
    this.people += 1;
    const users = this.test.app.get(UsersService);
    const made = await users.create({ email: `staff${this.people}@example.org`, name: `Person ${this.people}` });
    await users.grant(made.id, { tenantId: this.venue.id });
    await this.test.database.query(`update shared.tenant_administrator set granted_at = '2026-01-01' where user_id = $1`, [made.id]);
    return made;
  }

  /** A browser in a network. */
  browser(from = '192.0.2.7', place = this.venue): StaffBrowser {
    return new StaffBrowser(this.test, place, from);
  }

  /** A browser in which a person has signed in. */
  async signedIn(from?: string, { email, password } = this.person): Promise<StaffBrowser> {
    const browser = this.browser(from);
    expect((await browser.signIn(email, password)).status).toBe(303);
    return browser;
  }

  /** Waits for mails to the person, and returns their texts. */
  async mails(least = 1): Promise<string[]> {
    const { email } = this.person;
    const texts = (): string[] => this.smtp.mails.filter(({ to }) => to.includes(email)).map(({ parsed }) => parsed.text ?? '');
    await eventually(() => expect(texts().length).toBeGreaterThanOrEqual(least));
    return texts();
  }

  /** Waits for a mail with this text to the person. */
  async mailWith(text: string): Promise<void> {
    await eventually(async () => expect((await this.mails()).join()).toContain(text));
  }

  /** Asks for a link to a password, and returns its token. */
  async mailedToken(): Promise<string> {
    const asked = await this.browser().form('/forgotten', { email: this.person.email });
    expect(asked.headers['location']).toBe('/admin/forgotten?sent');
    await this.mailWith('/admin/password/');
    return (await this.mails()).map((text) => linkIn.exec(text)?.[1]).findLast((token) => token !== undefined) ?? '';
  }
}
