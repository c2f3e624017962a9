import { Inject } from '@nestjs/common';
import { currentLanguage, SETTINGS, type Settings } from '#kernel';
import {
  declareProperties,
  inEachLanguage,
  PanelFieldError,
  PanelResource,
  type PanelEntry,
  type PanelRow,
  type ResourceProvider,
} from '#panel-kit';
import type { PanelSource } from '#panel-kit';
import { AccountMethodsService, PaymentAccountsService, PaymentProviders, type PaymentAccountStatus } from '#payments';
import { PlaceProfileService } from '#places';
import { currentTenant, hasModule, tenantUrl } from '#tenancy';
import { TransferAccountService } from '#transfers';
import { accountPage } from '../transfers/transfer-pages.js';
import { withAccountWords } from '../transfers/transfers.words.js';
import { accountForms, shownFields } from './payment-account.form.js';
import { words } from './payment-account.words.js';
import { providerTrouble } from './provider-trouble.js';

const tones = { on: 'good', off: 'quiet', unreadable: 'bad' } as const;

/** The accounts for online payments, with the fields that their providers declare. No page shows a stored secret. */
@PanelResource({ panels: 'tenant', position: 150, modules: ['membership', 'ticketing'] })
export class PaymentAccountResource implements ResourceProvider {
  constructor(
    private readonly accounts: PaymentAccountsService,
    private readonly methods: AccountMethodsService,
    private readonly providers: PaymentProviders,
    private readonly profiles: PlaceProfileService,
    private readonly transferAccounts: TransferAccountService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { accounts } = this;
    const addressOf = (provider: string): string => tenantUrl(this.settings, currentTenant(), `/payments/${provider}/`);
    const rowOf = ({ id, provider, label, enabled, updatedAt, methods, account }: PaymentAccountStatus): PanelRow => ({
      id,
      provider: provider.label[currentLanguage()],
      label,
      state: account ? (enabled ? 'on' : 'off') : 'unreadable',
      mode: account ? modeOf(provider.isTest(account)) : null,
      methods: methods[currentLanguage()] || null,
      fields: account ? shownFields(provider, account) : null,
      isOnline: provider.open !== undefined,
      webhookUrl: provider.readEvent ? addressOf(provider.name) : null,
      updatedAt: account ? updatedAt.toISOString() : null,
    });
    const rows = async (): Promise<PanelRow[]> => (await accounts.all()).map(rowOf);
    const declared = declareProperties({
      id: { isId: true },
      provider: { isTitle: true, sort: false, list: true },
      label: { sort: false, list: true, show: true },
      state: { availableValues: Object.keys(tones), tones, sort: false, list: true, show: true },
      mode: { availableValues: ['live', 'test'], tones: { live: 'info', test: 'waiting' }, sort: false, list: true, show: true },
      fields: { sort: false, list: true, show: true },
      methods: { sort: false, show: true },
      isOnline: { type: 'boolean', hidden: true },
      webhookUrl: { sort: false, components: { show: 'CopyText' }, show: true },
      updatedAt: { type: 'datetime', sort: false, list: true, show: true },
    });
    const source: PanelSource = {
      id: 'payment-account',
      properties: declared.properties,
      find: ({ offset }) => (offset > 0 ? Promise.resolve([]) : rows()),
      count: async () => (await rows()).length,
      findOne: async (id) => (await rows()).find((row) => row['id'] === id) ?? null,
      findMany: async (ids) => (await rows()).filter((row) => ids.includes(String(row['id']))),
      remove: (id) => accounts.remove(id),
    };
    const switchTo =
      (enabled: boolean) =>
      async (id: string): Promise<{ message: string }> => {
        await accounts.setEnabled(id, enabled);
        const isOnline = (await source.findOne(id))?.['isOnline'] === true;
        return { message: enabled ? (isOnline ? 'enabled' : 'enabledReaders') : 'disabled' };
      };
    const { add, change } = accountForms(accounts, this.methods, this.providers, this.profiles, addressOf);
    return {
      source,
      allows: (action) => action !== 'transferAccount' || hasModule('ticketing'),
      group: 'settings',
      icon: 'CreditCard',
      ...declared.places,
      pages: { add, transferAccount: accountPage(this.transferAccounts) },
      actions: {
        change,
        check: {
          icon: 'Activity',
          visible: ({ state }) => state !== 'unreadable',
          act: async (id) => {
            const { provider, account } = (await accounts.all()).find((one) => one.id === id) ?? {};
            if (!provider || !account) throw new PanelFieldError({}, 'failed');
            const trouble = await providerTrouble(provider, account);
            await this.methods.read(id);
            if (trouble) throw new PanelFieldError({}, trouble.message);
            return { message: 'checked' };
          },
        },
        enable: { icon: 'Play', variant: 'primary', visible: ({ state }) => state === 'off', act: switchTo(true) },
        disable: { icon: 'Pause', guard: 'disableSure', visible: ({ state }) => state === 'on', act: switchTo(false) },
        first: {
          icon: 'ArrowUp',
          visible: ({ isOnline }) => isOnline === true,
          act: async (id) => {
            await accounts.setFirst(id);
            return { message: 'madeFirst' };
          },
        },
      },
      words: inEachLanguage((language) => withAccountWords(words[language], language)),
    };
  }
}

/** Of an account; null: nobody can tell. */
const modeOf = (isTest: boolean | undefined): 'live' | 'test' | null => (isTest === undefined ? null : isTest ? 'test' : 'live');
