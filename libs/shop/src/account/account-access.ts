import { kernelProblem } from '#kernel';
import { pageTenant } from '#page-kit';
import { hasModule } from '#tenancy';

/** @throws Problem `route.unknown` in a tenant that sells neither tickets nor memberships */
export function demandAccounts(): void {
  pageTenant();
  if (!hasModule('ticketing', 'membership')) throw kernelProblem('route.unknown');
}
