import type { PanelContent } from '#panel-kit';

/** What asks operators again for a proof. */
export const operatorProofs: NonNullable<PanelContent['proofs']> = {
  users: { new: 'always', edit: 'always', newPassword: 'always', resetFactor: 'always' },
  administrators: { new: 'always', delete: 'always' },
  tenants: { new: 'always', enter: 'always', suspend: 'always', archive: 'always', remove: 'always' },
  'place-requests': { approve: 'always' },
  cards: { exports: 'always' },
  domains: { new: 'always', delete: 'always', move: 'always' },
};
