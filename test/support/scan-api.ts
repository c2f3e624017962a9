import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import type { PairedDevice } from './builders.js';
import type { TestApp } from './test-app.js';

/** The venue and the device that a test uses now. */
interface Door {
  readonly test: TestApp;
  readonly venue: TenantIdentity;
  readonly device: PairedDevice;
}

/** Calls of `/scan/`. @param now the door at the time of the call */
export function scanApi(now: () => Door) {
  function call(path: string, body: object, by = now().device): supertest.Test {
    return now().test.on(now().venue).post(path).set('Authorization', by.authorization).send(body);
  }
  const scan = (body: object, by?: PairedDevice): supertest.Test => call('/scan/ticket/', body, by);
  const check = (body: object, by?: PairedDevice): supertest.Test => call('/scan/check_ticket/', body, by);
  const undo = (body: object, by?: PairedDevice): supertest.Test => call('/scan/undo/', body, by);

  const status = (eventId: string, by = now().device): supertest.Test =>
    now().test.on(now().venue).get(`/scan/status/?event=${eventId}`).set('Authorization', by.authorization);

  /** The entries of the scan log about a ticket, oldest first. */
  function log(ticketId: string): Promise<{ action: string; outcome: string; device_id: string }[]> {
    const { test, venue } = now();
    const sql = `select action, outcome, device_id from "${venue.schemaName}".scan_log where ticket_id = $1 order by id`;
    return test.database.query(sql, [ticketId]);
  }

  return { call, scan, check, undo, status, log };
}
