import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RefusedInput, SecretBox } from '#kernel';
import { currentTenant, SealedColumnsService, TenantDb } from '#tenancy';
import { texts } from '../locales/payments.texts.js';

/** What is needed to speak with Stripe for a tenant. Never to be logged or answered. */
export interface StripeKeys {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** What staff may see of a payment account. */
export interface PaymentAccountStatus {
  readonly mode: 'live' | 'test';
  readonly enabled: boolean;
  /** Of the secret key, to tell two apart. */
  readonly lastFour: string;
  readonly updatedAt: Date;
}

const secretKeyShape = /^(?:sk|rk)_(live|test)_[A-Za-z0-9]{12,250}$/;
const webhookSecretShape = /^whsec_[A-Za-z0-9+/=_-]{16,250}$/;

/**
 * Keys as Stripe shows them, without the blanks that copying brings.
 * @throws RefusedInput on secretKey or webhookSecret when it is not shaped as one
 */
export function fitStripeKeys(keys: StripeKeys): StripeKeys {
  const secretKey = keys.secretKey.trim();
  const webhookSecret = keys.webhookSecret.trim();
  if (!secretKeyShape.test(secretKey)) {
    throw new RefusedInput('secretKey', texts.localized('paymentAccounts.noSecretKeyStripeBegins'));
  }
  if (!webhookSecretShape.test(webhookSecret)) {
    throw new RefusedInput('webhookSecret', texts.localized('paymentAccounts.noSigningSecretStripeWebhook'));
  }
  return { secretKey, webhookSecret };
}

/** The current tenant's own account with the payment provider. Keys are sealed at rest, and come out for the provider alone. */
@Injectable()
export class PaymentAccountsService implements OnModuleInit {
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
   * Sets the account up, or replaces its keys, and switches it on.
   * @throws RefusedInput on secretKey or webhookSecret when it is not shaped as one
   */
  async save(keys: StripeKeys): Promise<void> {
    const { secretKey, webhookSecret } = fitStripeKeys(keys);
    await this.db.statement(saveStatement, [
      this.box.seal(Buffer.from(secretKey), purposeOf('secret key')),
      this.box.seal(Buffer.from(webhookSecret), purposeOf('webhook secret')),
    ]);
  }

  /** Switches new payments on or off; those that were begun are ended and refunded either way. */
  async setEnabled(enabled: boolean): Promise<void> {
    await this.db.statement(enableStatement, [enabled]);
  }

  /** Forgets the account. What was paid with it can then be refunded on the provider's own pages only. */
  async remove(): Promise<void> {
    await this.db.statement(removeStatement, []);
  }

  /** What staff may see; undefined: not set up. */
  async status(): Promise<PaymentAccountStatus | undefined> {
    const row = await this.load();
    if (!row) return undefined;
    const { secretKey } = this.open(row);
    const mode = secretKeyShape.exec(secretKey)?.[1] === 'live' ? 'live' : 'test';
    return { mode, enabled: row.enabled, lastFour: secretKey.slice(-4), updatedAt: row.updatedAt };
  }

  /**
   * The keys of an account that is switched on; undefined: there is none.
   * @param evenDisabled also of one that is switched off, for what was begun before
   * @throws SecretBoxError when the server secret changed
   */
  async stripe({ evenDisabled = false } = {}): Promise<StripeKeys | undefined> {
    const row = await this.load();
    return row && (row.enabled || evenDisabled) ? this.open(row) : undefined;
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
  readonly updatedAt: Date;
}

/** Binds a sealed key to its tenant, provider and use: copied elsewhere, it does not open. */
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

const removeStatement = {
  name: 'payment-account-remove',
  text: `delete from {tenant}.payment_account where provider = 'stripe'`,
};

const loadStatement = {
  name: 'payment-account',
  text: `select sealed_secret_key as "secretKey", sealed_webhook_secret as "webhookSecret", enabled, updated_at as "updatedAt"
    from {tenant}.payment_account where provider = 'stripe'`,
};
