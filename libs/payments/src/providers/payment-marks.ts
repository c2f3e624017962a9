import { isUuid } from '#kernel';
import { currentTenant } from '#tenancy';

/** What all objects carry that Guichet creates at a provider. It identifies them, because several programs may share an account. */
export function marksOf(paymentId: string): Record<'guichet_tenant' | 'guichet_payment', string> {
  return { guichet_tenant: currentTenant().id, guichet_payment: paymentId };
}

/** The payment that an object at a provider is marked with. @returns undefined when it belongs to another program or tenant */
export function ownPayment(marks: Readonly<Record<string, string | undefined>> | null | undefined): string | undefined {
  if (marks?.['guichet_tenant'] !== currentTenant().id) return undefined;
  const id = marks['guichet_payment'];
  return id !== undefined && isUuid(id) ? id : undefined;
}
