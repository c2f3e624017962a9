export type { TypedApple } from './accounts/apple-credentials.js';
export type { TypedGoogle } from './accounts/google-credentials.js';
export { longestPassphrase, longestPem } from './accounts/private-keys.js';
export * from './accounts/wallet-account.entity.js';
export { type WalletOffer, nothingOffered, WalletAccountsService } from './accounts/wallet-accounts.service.js';
export { longestToken } from './passes/google-link.js';
export * from './passes/wallet-passes.service.js';
export * from './wallet-paths.js';
export * from './wallet.module.js';
