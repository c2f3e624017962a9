import { RecentReadings, SecretBox, SecretBoxError } from '#kernel';
import { currentTenant, SealedColumnsService, TenantDb } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { limits } from '../limits.js';
import { fitApple, type AppleCredentials, type TypedApple } from './apple-credentials.js';
import { fitGoogle, type GoogleCredentials, type TypedGoogle } from './google-credentials.js';
import type { WalletProvider } from './wallet-account.entity.js';

/** Wallets for which the venue can make passes now. */
export interface WalletOffer {
  readonly apple: boolean;
  readonly google: boolean;
}

/** The data of a wallet account that staff may see. */
export interface WalletAccountStatus {
  readonly provider: WalletProvider;
  readonly identifier: string;
  /** False: the server secret changed, so the keys must be entered again. */
  readonly isReadable: boolean;
  readonly expiresAt: Date | null;
  readonly updatedAt: Date;
}

export const nothingOffered: WalletOffer = { apple: false, google: false };

/** The current tenant's certificates and keys for Apple Wallet and Google Wallet, encrypted at rest. */
@Injectable()
export class WalletAccountsService implements OnModuleInit {
  /** By tenant. */
  private readonly offers = new RecentReadings<WalletOffer>(limits.offers.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
  ) {}

  onModuleInit(): void {
    this.sealed.add({ table: 'wallet_account', column: 'sealed_credentials', purpose: purposeOf });
  }

  /** Stores what signs Apple's passes. @throws RefusedInput on the member at fault */
  async saveApple(typed: TypedApple): Promise<void> {
    const { credentials, expiresAt } = fitApple(typed);
    await this.save('apple', credentials.passTypeIdentifier, credentials, expiresAt);
  }

  /** Stores what signs links to Google Wallet. @throws RefusedInput on the member at fault */
  async saveGoogle(typed: TypedGoogle): Promise<void> {
    const credentials = fitGoogle(typed);
    await this.save('google', credentials.issuerId, credentials, null);
  }

  /** Deletes certificates and keys. Passes that were made before stay on the phones. */
  async remove(provider: WalletProvider): Promise<void> {
    await this.db.atOnce([{ statement: removeStatement, values: [provider] }]);
    this.offers.forget(currentTenant().id);
  }

  /** The accounts of the tenant, Apple's first. */
  async status(): Promise<WalletAccountStatus[]> {
    const rows = await this.db.statement<StoredAccount & Record<string, unknown>>(listStatement, []);
    return rows.map(({ sealed, ...row }) => ({ ...row, isReadable: this.open(row.provider, sealed) !== undefined }));
  }

  /** Wallets for which the venue can make passes now; at most a second old. */
  offered(): Promise<WalletOffer> {
    return this.offers.read(currentTenant().id, () => this.readOffer());
  }

  /** @returns undefined when the venue entered none, they have ended, or they cannot be read */
  apple(): Promise<AppleCredentials | undefined> {
    return this.load('apple') as Promise<AppleCredentials | undefined>;
  }

  /** @returns undefined when the venue entered none, or they cannot be read */
  google(): Promise<GoogleCredentials | undefined> {
    return this.load('google') as Promise<GoogleCredentials | undefined>;
  }

  private async save(provider: WalletProvider, identifier: string, credentials: object, expiresAt: Date | null): Promise<void> {
    const sealed = this.box.seal(Buffer.from(JSON.stringify({ provider, ...credentials })), purposeOf(currentTenant().id));
    await this.db.atOnce([{ statement: saveStatement, values: [provider, identifier, sealed, expiresAt] }]);
    this.offers.forget(currentTenant().id);
  }

  private async readOffer(): Promise<WalletOffer> {
    const rows = await this.db.statement<{ provider: WalletProvider }>(offerStatement, []);
    const providers = new Set(rows.map(({ provider }) => provider));
    return { apple: providers.has('apple'), google: providers.has('google') };
  }

  private async load(provider: WalletProvider): Promise<object | undefined> {
    const [row] = await this.db.statement<{ sealed: Buffer }>(loadStatement, [provider]);
    return row && this.open(provider, row.sealed);
  }

  /** @returns undefined when the server secret changed, or the box was copied from elsewhere */
  private open(provider: WalletProvider, sealed: Buffer): object | undefined {
    try {
      const stored = JSON.parse(this.box.open(sealed, purposeOf(currentTenant().id)).toString()) as { provider: WalletProvider };
      return stored.provider === provider ? stored : undefined;
    } catch (error) {
      if (error instanceof SecretBoxError) return undefined;
      throw error;
    }
  }
}

interface StoredAccount {
  readonly provider: WalletProvider;
  readonly identifier: string;
  readonly sealed: Buffer;
  readonly expiresAt: Date | null;
  readonly updatedAt: Date;
}

/** Binds encrypted credentials to their tenant: copied elsewhere, they cannot be decrypted. */
function purposeOf(tenantId: string): string {
  return `wallet credentials ${tenantId}`;
}

const saveStatement = {
  name: 'wallet-account-save',
  text: `insert into wallet_account (provider, identifier, sealed_credentials, expires_at) values ($1, $2, $3, $4)
    on conflict (provider) do update set identifier = excluded.identifier, sealed_credentials = excluded.sealed_credentials,
      expires_at = excluded.expires_at, updated_at = excluded.updated_at`,
};

const removeStatement = {
  name: 'wallet-account-remove',
  text: 'delete from wallet_account where provider = $1',
};

const listStatement = {
  name: 'wallet-account-list',
  text: `select provider, identifier, sealed_credentials as sealed, expires_at as "expiresAt", updated_at as "updatedAt"
    from {tenant}.wallet_account order by provider`,
};

const offerStatement = {
  name: 'wallet-account-offer',
  text: `select provider from {tenant}.wallet_account where expires_at is null or expires_at > now()`,
};

const loadStatement = {
  name: 'wallet-account-load',
  text: `select sealed_credentials as sealed from {tenant}.wallet_account
    where provider = $1 and (expires_at is null or expires_at > now())`,
};
