import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currency, forEachLanguage, RecentReadings, SecretBox, SecretBoxError, type Text } from '#kernel';
import { limits } from '../limits.js';
import {
  currentTenant,
  queryPrepared,
  ScheduledTasks,
  SealedColumnsService,
  TenantDb,
  UserHistoryService,
  type PreparedStatement,
  type Tx,
} from '#tenancy';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentAccountMissing } from '../providers/payment-errors.js';
import { namesOfMethods, type OnlineMethod } from '../providers/online-methods.js';
import type { ProviderAccount } from '../providers/account-fields.js';
import type { PaymentProvider } from '../providers/payment-provider.js';
import { PaymentProviders } from '../providers/payment-providers.js';
import {
  accountsSql,
  enableStatement,
  firstStatement,
  loadStatement,
  methodsStatement,
  removeStatement,
  saveStatement,
  sealStatement,
  type AccountRow,
} from './account-statements.js';
import { fieldsOfFormer, formerOf, formerSealedColumns } from './former-columns.js';

/** An account with its provider. */
export interface OpenAccount {
  readonly provider: PaymentProvider;
  readonly account: ProviderAccount;
}

/** What accounts are offered for: buyers pay on the page of the provider, or the box office has its card readers. */
type Use = 'open' | 'readers';

/** An account that takes payments. */
export interface OfferedAccount {
  readonly id: string;
  readonly provider: PaymentProvider;
  /** Shown to buyers who can choose. */
  readonly label: Text;
  /** The ways to pay on its page, by name; empty: not known. */
  readonly methods: Text;
}

/** An account as staff see it. */
export interface PaymentAccountStatus {
  readonly id: string;
  readonly provider: PaymentProvider;
  /** As staff wrote it; may be empty. */
  readonly label: string;
  readonly enabled: boolean;
  readonly updatedAt: Date;
  /** The ways to pay on its page, by name; empty: not known. */
  readonly methods: Text;
  /** undefined: the server secret changed, and nobody can read them. */
  readonly account: ProviderAccount | undefined;
}

/** The current tenant's accounts with payment providers. Their fields are encrypted at rest and given to their provider only. */
@Injectable()
export class PaymentAccountsService implements OnModuleInit {
  /** By tenant. Each booking asks; a change takes effect after a second at the latest. */
  private readonly known = new RecentReadings<readonly OfferedAccount[]>(limits.accounts.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
    private readonly tasks: ScheduledTasks,
    private readonly providers: PaymentProviders,
    private readonly history: UserHistoryService,
  ) {}

  onModuleInit(): void {
    const fields = { table: 'payment_account', column: 'sealed_fields', purpose: (id: string): string => purposeOf('{provider}', id) };
    this.sealed.add(fields, ...formerSealedColumns);
    this.tasks.add(sealAccountsTask, () => this.sealFormer());
  }

  /**
   * Creates the account with a provider or replaces its fields, and enables it.
   * @param fields as `fitFields` returns them
   * @returns its id
   */
  async save(provider: string, fields: Readonly<Record<string, string>>, label = ''): Promise<string> {
    const sealed = this.box.seal(Buffer.from(JSON.stringify(fields)), purposeOf(provider));
    const former = formerOf(this.box, provider, fields);
    const { sealedSecretKey, sealedWebhookSecret, delayedMethods } = former;
    const [row] = await this.change(saveStatement, [provider, label, sealed, sealedSecretKey, sealedWebhookSecret, delayedMethods]);
    return (row as { id: string }).id;
  }

  /** Enables or disables new payments; existing payments are completed and refunded either way. */
  async setEnabled(id: string, enabled: boolean): Promise<void> {
    await this.change(enableStatement, [id, enabled]);
  }

  /** Stores the ways to pay on the provider's page. */
  async setMethods(id: string, methods: readonly OnlineMethod[]): Promise<void> {
    await this.db.atOnce([{ statement: methodsStatement, values: [id, methods] }]);
    this.known.forget(currentTenant().id);
  }

  /** Offers the account before all others. */
  async setFirst(id: string): Promise<void> {
    await this.change(firstStatement, [id]);
  }

  /** Deletes the account. Its payments can then only be refunded on the provider's own pages, unless it is entered again. */
  async remove(id: string): Promise<void> {
    await this.change(removeStatement, [id]);
  }

  /** All accounts whose provider this program has, in their order. */
  async all(): Promise<PaymentAccountStatus[]> {
    return (await this.rows()).flatMap((row) => {
      const { id, label, enabled, updatedAt, methods } = row;
      const provider = this.providers.find(row.provider);
      return provider ? [{ id, provider, label, enabled, updatedAt, methods: namesOfMethods(methods), account: this.readable(row) }] : [];
    });
  }

  /**
   * The accounts that buyers can pay with, in their order, as of a second ago. Nobody can pay with one that does not open any more, because
   * the server secret changed.
   */
  async offered(use: Use = 'open'): Promise<readonly OfferedAccount[]> {
    const all = await this.known.read(currentTenant().id, async () => this.offeredOf(await this.rows()));
    return all.filter(({ provider }) => provider[use]);
  }

  /** The same inside a transaction, as of now. */
  async offeredIn(tx: Tx, use: Use = 'open'): Promise<OfferedAccount[]> {
    return this.offeredOf(await tx.query<AccountRow[]>(accountsSql('payment_account'))).filter(({ provider }) => provider[use]);
  }

  /**
   * The account of a payment, also when it is disabled. A payment without one has the account of its provider; so has one whose account was
   * deleted and entered again.
   * @throws PaymentAccountMissing; SecretBoxError when the server secret changed
   */
  async of({ provider: name, accountId }: Pick<Payment, 'provider' | 'accountId'>): Promise<OpenAccount> {
    const rows = (await this.rows()).filter((row) => row.provider === name);
    const row = rows.find(({ id }) => id === accountId) ?? rows[0];
    const provider = this.providers.find(name);
    if (!row || !provider) throw new PaymentAccountMissing();
    return { provider, account: this.open(row) };
  }

  /** The accounts with a provider, also disabled ones. @throws SecretBoxError when the server secret changed */
  async ofProvider(provider: string): Promise<ProviderAccount[]> {
    return (await this.rows()).filter((row) => row.provider === provider).map((row) => this.open(row));
  }

  /** Seals the fields of accounts that an older program wrote. Accounts that cannot be read stay as they are. */
  private async sealFormer(): Promise<void> {
    for (const row of (await this.rows()).filter(({ sealedFields }) => sealedFields === null)) {
      const account = this.readable(row);
      if (!account) continue;
      const sealed = this.box.seal(Buffer.from(JSON.stringify(account.fields)), purposeOf(row.provider));
      const values = [row.id, sealed, row.sealedSecretKey, row.sealedWebhookSecret, row.delayedMethods];
      await this.db.atOnce([{ statement: sealStatement, values }]);
    }
  }

  private offeredOf(rows: readonly AccountRow[]): OfferedAccount[] {
    return rows.flatMap((row) => {
      const provider = this.providers.find(row.provider);
      const account = this.readable(row);
      if (!provider || !account || !row.enabled || !provider.currencies.includes(currency) || !provider.available(account)) return [];
      const label = row.label === '' ? provider.label : forEachLanguage(() => row.label);
      return [{ id: row.id, provider, label, methods: namesOfMethods(row.methods) }];
    });
  }

  private async change(statement: PreparedStatement, values: readonly unknown[]): Promise<unknown[]> {
    const rows = await this.db.transaction(async (tx) => {
      const changed = await queryPrepared(tx, statement, values);
      await this.history.tellDirectors(tx, 'payment_account_changed');
      return changed;
    });
    this.known.forget(currentTenant().id);
    return rows;
  }

  private rows(): Promise<AccountRow[]> {
    return this.db.statement<AccountRow>(loadStatement, []);
  }

  private readable(row: AccountRow): ProviderAccount | undefined {
    try {
      return this.open(row);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return undefined;
    }
  }

  private open(row: AccountRow): ProviderAccount {
    const { id, provider, sealedFields } = row;
    if (!sealedFields) return { id, fields: fieldsOfFormer(this.box, row) };
    return { id, fields: JSON.parse(this.box.open(sealedFields, purposeOf(provider)).toString()) as Record<string, string> };
  }
}

/** Hourly task, see `former-columns.ts`. */
export const sealAccountsTask = 'seal payment accounts';

/** Binds the fields to their provider and tenant: copied elsewhere, they cannot be decrypted. */
function purposeOf(provider: string, tenantId = currentTenant().id): string {
  return `payment account ${provider} ${tenantId}`;
}
