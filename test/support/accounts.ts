import { AccountLinks, AccountMailsService, AccountSessionsService } from '#holders';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { OrderForms } from './order-forms.js';
import type { TestApp } from './test-app.js';

/** People who open their accounts at one tenant, without scripts. */
export class AccountVisits {
  readonly forms: OrderForms;

  constructor(
    private readonly test: TestApp,
    private readonly tenant: TenantIdentity,
  ) {
    this.forms = new OrderForms(test, tenant);
  }

  /** Asks for a link with the form. */
  ask(email: string): Promise<Response> {
    return this.forms.post('/account', [['email', email]]);
  }

  /** Asks for a link from a network of its own. @returns the path of the page that the mailed link opens */
  async linkFor(email: string): Promise<string> {
    // Earlier links of the address do not count towards its limits.
    await this.sql(`update account_session set created_at = created_at - interval '2 hours' where email = $1`, [email]);
    return this.test.inside(this.tenant, async () => {
      await this.test.app.get(AccountSessionsService).request(email, randomUUID(), 'en');
      const [row] = await this.sql<{ id: string }>('select id from account_session where email = $1 order by created_at desc limit 1', [
        email,
      ]);
      return this.test.app.get(AccountLinks).pathTo(row!.id);
    });
  }

  /** Opens the account of an address. @returns the header `Cookie` */
  async signIn(email: string): Promise<string> {
    const { headers } = await this.forms.post(await this.linkFor(email), []);
    return cookieOf(headers);
  }

  get(path: string, cookie: string): Promise<Response> {
    return Promise.resolve(this.test.on(this.tenant).get(path).set('Cookie', cookie).buffer(true));
  }

  /** Sends the mails that are due for the links of an address, as the queue does. */
  async sendLinks(email: string): Promise<void> {
    const rows = await this.sql<{ id: string }>('select id from account_session where email = $1 order by created_at', [email]);
    for (const { id } of rows) await this.test.inside(this.tenant, () => this.test.app.get(AccountMailsService).send(id, { isLast: true }));
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.test.inside(this.tenant, () => this.test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
  }
}

/** The name and value of the cookie that an answer sets; empty without one. */
export function cookieOf(headers: Readonly<Record<string, unknown>>): string {
  const [cookie] = [headers['set-cookie'] ?? ''].flat() as string[];
  return (cookie ?? '').split(';')[0] ?? '';
}
