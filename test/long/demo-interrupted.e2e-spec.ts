import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { DemoService } from '#demo';
import { JobRunner } from '#jobs';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

describe('a demo whose process dies after the content was stored', () => {
  it('is completed by a job, and does not change afterwards', async () => {
    const { schemaName: schema, id } = await test.newTenant({ slug: 'demo' });
    const read = async (): Promise<unknown> => {
      const [found] = await test.database.query(
        `select (select count(*)::int from "${schema}".event) as events,
           (select count(*)::int from "${schema}".event where image_id is not null) as pictures,
           (select count(*)::int from "${schema}".event_cancellation) as cancelled,
           (select count(*)::int from "${schema}".team_code) as codes,
           (select logo_image_id is not null from "${schema}".configuration) as logo,
           (select count(*)::int from shared.network_member where tenant_id = $1 and state = 'accepted') as networks,
           (select count(*)::int from shared.tenant_administrator where tenant_id = $1) as administrators,
           (select count(*)::int from shared.job where tenant_id = $1 and kind = 'demo-finish') as jobs`,
        [id],
      );
      return found;
    };
    const complete = { events: 20, pictures: 20, cancelled: 1, codes: 1, logo: true, networks: 1, administrators: 1, jobs: 0 };
    // Ends the work at the first step that needs the table, as a kill would.
    await test.database.query(
      `create function "${schema}".die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
       create trigger die before insert on "${schema}".event_cancellation for each row execute function "${schema}".die()`,
    );
    await expect(test.app.get(DemoService).ensure()).rejects.toThrow('killed');
    expect(await read()).toEqual({ ...complete, pictures: 0, cancelled: 0, logo: false, jobs: 1 });
    await test.database.query(`drop trigger die on "${schema}".event_cancellation`);

    const { created } = await test.app.get(DemoService).ensure();
    expect(created).toEqual(['lucioles', 'magpies']);
    test.app.get(JobRunner).start();
    await test.database.query(`update shared.job set due_at = now() where kind = 'demo-finish'`);
    await eventually(async () => expect(await read()).toEqual(complete), { timeout: 90_000, interval: 500 });

    await test.database.query(`delete from "${schema}".event_cancellation`);
    expect((await test.app.get(DemoService).ensure()).created).toEqual([]);
    expect(await read()).toEqual({ ...complete, cancelled: 0 });
  }, 120_000);
});
