import { isDatabaseUnavailable, Problem, withoutContext } from '#kernel';
import { runInTenant, type TenantIdentity } from '#tenancy';

/** Runs work at another venue, as nobody: neither the key nor the member of staff of the request is one of it. */
export const inPlace = <Result>(tenant: TenantIdentity, work: () => Promise<Result>): Promise<Result> =>
  withoutContext(() => runInTenant(tenant, work));

/** Whether another venue cannot be asked now: its database server does not answer, or it is moved or migrated. */
export const isSilence = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof Problem && error.code.startsWith('tenant.'));
