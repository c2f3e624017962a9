import type { Tx } from '#tenancy';
import { WalletAccount } from '#wallet';
import { recordHref } from '#panel-kit';
import { stateUntil } from './wallet-state.js';

/** A certificate for passes that ends soon or has ended. */
export interface StartPageWallet {
  state: 'ending' | 'ended';
  /** ISO 8601. */
  expiresAt: string;
  href: string;
}

/** @returns null when no certificate needs attention */
export async function walletTrouble(tx: Tx): Promise<StartPageWallet | null> {
  const account = await tx.findOneBy(WalletAccount, { provider: 'apple' });
  const state = stateUntil(account?.expiresAt ?? null);
  if (!account?.expiresAt || state === 'on') return null;
  return { state, expiresAt: account.expiresAt.toISOString(), href: recordHref('wallets', account.provider) };
}
