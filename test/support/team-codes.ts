import { randomBytes } from 'node:crypto';
import { TeamCodesService, type NewTeamCode } from '#scan';
import type { TenantIdentity } from '#tenancy';
import type supertest from 'supertest';
import type { TestApp } from './test-app.js';

/** The answer of `POST /scan/pair/`. */
export interface PairedPhone {
  readonly api_key: string;
  readonly device_uuid: string;
  readonly device_name: string;
  readonly quarantine_token: string;
}

/** The secret of an installation of the app. */
export const newInstallation = (): string => randomBytes(32).toString('base64url');

export function newTeamCode(
  test: TestApp,
  tenant: TenantIdentity,
  input: Partial<NewTeamCode> = {},
): Promise<{ id: string; code: string }> {
  return test.inside(tenant, () => test.app.get(TeamCodesService).create({ name: 'Main door', ...input }));
}

/** Spends a code. */
export function pairPhone(
  test: TestApp,
  tenant: TenantIdentity,
  code: string,
  installation = newInstallation(),
  label?: string,
): supertest.Test {
  return test
    .on(tenant)
    .post('/scan/pair/')
    .send({ code, installation, ...(label !== undefined && { label }) });
}

/** A phone that was paired with a new team code. */
export async function newPhone(test: TestApp, tenant: TenantIdentity, input: Partial<NewTeamCode> = {}) {
  const { code, id: teamCodeId } = await newTeamCode(test, tenant, input);
  const { body } = await pairPhone(test, tenant, code).expect(200);
  const phone = body as PairedPhone;
  return {
    teamCodeId,
    id: phone.device_uuid,
    name: phone.device_name,
    key: phone.api_key,
    authorization: `Api-Key ${phone.api_key}`,
    bearer: `Bearer ${phone.quarantine_token}`,
  };
}
