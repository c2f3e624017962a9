import type { ControllerRoute } from '#tenancy';

/** Names an operation for generated clients: `SemanticEvents.list`. */
export function operationIdOf({ name }: Pick<ControllerRoute, 'name'>): string {
  return name.replace('Controller', '');
}
