import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ScheduledTasks, TenantDb } from '#tenancy';
import { limits } from '../limits.js';
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import { dueMethodsStatement } from './account-statements.js';
import { PaymentAccountsService } from './payment-accounts.service.js';

/** Hourly task; it asks once a day. */
const readMethodsTask = 'read ways to pay online';

/** Keeps the names of the ways to pay that buyers find on the pages of providers, so that they read them before they go there. */
@Injectable()
export class AccountMethodsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly accounts: PaymentAccountsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add(readMethodsTask, async () => {
      const due = await this.db.statement<{ id: string }>(dueMethodsStatement, [limits.methods.ms]);
      for (const { id } of due) await this.read(id);
    });
  }

  /**
   * Asks the provider of an account and stores its answer. A provider that does not answer changes nothing; one that refuses, as to a key
   * with few rights, leaves no names. Do not call it inside a transaction.
   */
  async read(id: string): Promise<void> {
    const { provider, account } = (await this.accounts.all()).find((one) => one.id === id) ?? {};
    if (!provider?.methods || !account) return;
    try {
      await this.accounts.setMethods(id, await provider.methods(account));
    } catch (error) {
      if (error instanceof PaymentProviderUnavailable) return;
      if (!(error instanceof PaymentProviderRefused)) throw error;
      await this.accounts.setMethods(id, []);
    }
  }
}
