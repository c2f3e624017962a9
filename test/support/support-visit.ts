import { expect } from '@jest/globals';
import { PanelRouter, type PanelEntry } from '#panel-kit';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import { PanelClient } from './panel-client.js';
import type { TestApp } from './test-app.js';

/** Visits of an operator to the panels of tenants. */
export class SupportVisitors {
  constructor(
    private readonly test: TestApp,
    private readonly venue: TenantIdentity,
  ) {}

  /** Requests a visit in the Root panel. @returns the token */
  async begin(root: PanelClient, reason = 'Ticket 4711: mails do not arrive', tenant = this.venue): Promise<string> {
    const { redirectUrl } = await root.act('tenants', tenant.id, 'enter', { reason });
    const address = new URL(redirectUrl!);
    expect(address.hostname).toBe(tenant.host);
    expect(address.pathname).toBe('/admin/support');
    return address.searchParams.get('token')!;
  }

  spend(token: string, tenant = this.venue): supertest.Test {
    return new PanelClient(this.test, tenant).call('post', '/support').type('form').send({ token });
  }

  clientOf({ headers }: supertest.Response, tenant = this.venue): PanelClient {
    const client = new PanelClient(this.test, tenant);
    const set = headers['set-cookie'] as unknown as string[] | undefined;
    client.cookie = set?.map((cookie) => cookie.split(';')[0]).join('; ') ?? '';
    return client;
  }
}

/**
 * The addresses whose answer holds some bytes, beside white space: every list, page, record and history of a tenant's panel.
 * @param asked names the records
 * @param resources default: all, and what is beside them
 */
export async function addressesHolding(
  bytes: RegExp,
  { test, reader, asked }: { readonly test: TestApp; readonly reader: PanelClient; readonly asked: PanelClient },
  resources?: readonly string[],
): Promise<string[]> {
  const paths = resources ? [] : ['', '/api/dashboard', '/welcome'];
  for (const entry of test.app.get(PanelRouter).entries('tenant'))
    if (resources?.includes(entry.source.id) ?? true) paths.push(...(await addressesOf(entry, asked)));
  const holding: string[] = [];
  for (const path of paths) {
    const { status, text, body } = await reader.call('get', path);
    expect(status).toBeLessThan(500);
    if (bytes.test(`${text}${JSON.stringify(body)}`.replaceAll(/\s/g, ''))) holding.push(path);
  }
  return holding;
}

async function addressesOf({ source, actions = {}, pages = {} }: PanelEntry, asked: PanelClient): Promise<string[]> {
  const base = `/api/resources/${source.id}`;
  const [record] = (await asked.list(source.id)).records ?? [];
  const acts = record ? ['show', ...('history' in actions ? ['history'] : [])] : [];
  const ofRecord = acts.map((name) => `${base}/records/${encodeURIComponent(record!.id)}/${name}`);
  return [`${base}/actions/list`, ...Object.keys(pages).map((name) => `${base}/actions/${name}`), ...ofRecord];
}
