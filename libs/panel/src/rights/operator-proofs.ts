import type { PanelContent } from '#panel-kit';

/** What asks operators again for a proof. */
export const operatorProofs: NonNullable<PanelContent['proofs']> = {
  users: { new: 'always', edit: 'always', newPassword: 'always', resetFactor: 'always' },
  administrators: { new: 'always', delete: 'always' },
  tenants: { enter: 'always', remove: 'always' },
  domains: { move: 'always' },
};
