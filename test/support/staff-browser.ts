import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { PanelClient } from './panel-client.js';
import type { TestApp } from './test-app.js';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A browser that keeps all cookies, as real ones do. */
export class StaffBrowser extends PanelClient {
  private readonly jar = new Map<string, string>();

  constructor(
    test: TestApp,
    place: TenantIdentity | string,
    private readonly from: string,
  ) {
    super(test, place);
  }

  override call(method: 'get' | 'post', path: string): supertest.Test {
    const call = super.call(method, path).set({ 'X-Forwarded-For': this.from, 'User-Agent': firefox, 'Accept-Language': 'en' });
    if (this.jar.size > 0) call.set('Cookie', this.cookies);
    return call.on('response', ({ headers }: supertest.Response) => {
      for (const line of [headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') this.jar.delete(name);
        else this.jar.set(name, value);
      }
    });
  }

  private get cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookieNamed(name: string): string | undefined {
    return this.jar.get(name);
  }

  take(cookies: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(cookies)) if (value !== undefined) this.jar.set(name, value);
  }

  form(path: string, fields: Readonly<Record<string, string>>): supertest.Test {
    return this.call('post', path).type('form').send(fields);
  }

  async isIn(): Promise<boolean> {
    return (await this.call('get', '/api/dashboard')).status === 200;
  }
}
