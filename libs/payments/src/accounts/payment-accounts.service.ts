import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RefusedInput, SecretBox } from '#kernel';
import { currentTenant, SealedColumnsService, TenantDb, type PreparedStatement, type Tx } from '#tenancy';
import { LRUCache } from 'lru-cache';
import { texts } from '../locales/payments.texts.js';

/** The Stripe keys of a tenant. They are never logged or returned by an API. */
export interface StripeKeys {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** The data of a payment account that staff may see. */
export interface PaymentAccountStatus {
  readonly mode: 'live' | 'test';
  readonly enabled: boolean;
  /** Whether methods whose outcome takes days are accepted. */
  readonly delayedMethods: boolean;
  /** Last four characters of the secret key, to identify it. */
  readonly lastFour: string;
  readonly updatedAt: Date;
}

const secretKeyShape = /^(?:sk|rk)_(live|test)_[A-Za-z0-9]{12,250}$/;
const webhookSecretShape = /^whsec_[A-Za-z0-9+/=_-]{16,250}$/;

/**
 * Trims the keys and checks their format.
 * @throws RefusedInput on `secretKey` or `webhookSecret` when the format is wrong
 */
export function fitStripeKeys(keys: StripeKeys): StripeKeys {
  const secretKey = keys.secretKey.trim();
  const webhookSecret = keys.webhookSecret.trim();
  if (!secretKeyShape.test(secretKey)) {
    throw new RefusedInput('secretKey', texts.localized('paymentAccounts.secretKeyInvalid'));
  }
  if (!webhookSecretShape.test(webhookSecret)) {
    throw new RefusedInput('webhookSecret', texts.localized('paymentAccounts.webhookSecretInvalid'));
  }
  return { secretKey, webhookSecret };
}

/** The current tenant's account with the payment provider. Keys are encrypted at rest and sent to the provider only. */
@Injectable()
export class PaymentAccountsService implements OnModuleInit {
  /** By tenant. Each booking asks; a change takes effect after a second at the latest. */
  private readonly usable = new LRUCache<string, boolean>({ max: 5000, ttl: 1000 });

  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
  ) {}

  onModuleInit(): void {
    const table = 'payment_account';
    this.sealed.add(
      { table, column: 'sealed_secret_key', purpose: (tenantId) => purposeOf('secret key', tenantId) },
      { table, column: 'sealed_webhook_secret', purpose: (tenantId) => purposeOf('webhook secret', tenantId) },
    );
  }

  /**
   * Creates the account or replaces its keys, and enables it.
   * @throws RefusedInput on `secretKey` or `webhookSecret` when the format is wrong
   */
  async save(keys: StripeKeys): Promise<void> {
    const { secretKey, webhookSecret } = fitStripeKeys(keys);
    await this.change(saveStatement, [
      this.box.seal(Buffer.from(secretKey), purposeOf('secret key')),
      this.box.seal(Buffer.from(webhookSecret), purposeOf('webhook secret')),
    ]);
  }

  /** Enables or disables new payments; existing payments are completed and refunded either way. */
  async setEnabled(enabled: boolean): Promise<void> {
    await this.change(enableStatement, [enabled]);
  }

  /** Accepts or refuses methods whose outcome takes days, in checkouts that are opened from now on. */
  async setDelayedMethods(accepted: boolean): Promise<void> {
    await this.change(delayedStatement, [accepted]);
  }

  /** Whether payments whose outcome takes days keep their places. */
  async keepsDelayed(tx: Tx): Promise<boolean> {
    const [row] = await tx.query<unknown[]>('select 1 from payment_account where delayed_methods');
    return row !== undefined;
  }

  /** Deletes the account. Its payments can then only be refunded on the provider's own pages. */
  async remove(): Promise<void> {
    await this.change(removeStatement, []);
  }

  /** @returns undefined when no account is set up */
  async status(): Promise<PaymentAccountStatus | undefined> {
    const row = await this.load();
    if (!row) return undefined;
    const { secretKey } = this.open(row);
    const mode = secretKeyShape.exec(secretKey)?.[1] === 'live' ? 'live' : 'test';
    return { mode, enabled: row.enabled, delayedMethods: row.delayedMethods, lastFour: secretKey.slice(-4), updatedAt: row.updatedAt };
  }

  /**
   * The keys of the account; undefined when there is none or it is disabled.
   * @param evenDisabled also returns keys of a disabled account, for payments that were started before
   * @throws SecretBoxError when the server secret changed
   */
  async stripe({ evenDisabled = false } = {}): Promise<(StripeKeys & Pick<PaymentAccountStatus, 'delayedMethods'>) | undefined> {
    const row = await this.load();
    return row && (row.enabled || evenDisabled) ? { ...this.open(row), delayedMethods: row.delayedMethods } : undefined;
  }

  /**
   * Whether there is an enabled account, as of a second ago.
   * @throws SecretBoxError when the server secret changed
   */
  async isUsable(): Promise<boolean> {
    const tenantId = currentTenant().id;
    const known = this.usable.get(tenantId);
    if (known !== undefined) return known;
    const isUsable = (await this.stripe()) !== undefined;
    this.usable.set(tenantId, isUsable);
    return isUsable;
  }

  private async change(statement: PreparedStatement, values: readonly unknown[]): Promise<void> {
    await this.db.statement(statement, values);
    this.usable.delete(currentTenant().id);
  }

  private async load(): Promise<SealedAccount | undefined> {
    const [row] = await this.db.statement<SealedAccount & Record<string, unknown>>(loadStatement, []);
    return row;
  }

  private open({ secretKey, webhookSecret }: SealedAccount): StripeKeys {
    return {
      secretKey: this.box.open(secretKey, purposeOf('secret key')).toString(),
      webhookSecret: this.box.open(webhookSecret, purposeOf('webhook secret')).toString(),
    };
  }
}

interface SealedAccount {
  readonly secretKey: Buffer;
  readonly webhookSecret: Buffer;
  readonly enabled: boolean;
  readonly delayedMethods: boolean;
  readonly updatedAt: Date;
}

/** Binds an encrypted key to its tenant, provider and use: copied elsewhere, it cannot be decrypted. */
function purposeOf(use: 'secret key' | 'webhook secret', tenantId = currentTenant().id): string {
  return `payment account stripe ${use} ${tenantId}`;
}

const saveStatement = {
  name: 'payment-account-save',
  text: `insert into {tenant}.payment_account (provider, sealed_secret_key, sealed_webhook_secret) values ('stripe', $1, $2)
    on conflict (provider) do update set sealed_secret_key = excluded.sealed_secret_key,
      sealed_webhook_secret = excluded.sealed_webhook_secret, enabled = true, updated_at = excluded.updated_at`,
};

const enableStatement = {
  name: 'payment-account-enable',
  text: `update {tenant}.payment_account set enabled = $1, updated_at = now() where provider = 'stripe' and enabled <> $1`,
};

const delayedStatement = {
  name: 'payment-account-delayed',
  text: `update {tenant}.payment_account set delayed_methods = $1, updated_at = now() where provider = 'stripe' and delayed_methods <> $1`,
};

const removeStatement = {
  name: 'payment-account-remove',
  text: `delete from {tenant}.payment_account where provider = 'stripe'`,
};

const loadStatement = {
  name: 'payment-account',
  text: `select sealed_secret_key as "secretKey", sealed_webhook_secret as "webhookSecret", enabled, delayed_methods as "delayedMethods",
      updated_at as "updatedAt"
    from {tenant}.payment_account where provider = 'stripe'`,
};
