import { fitStripeKeys, PaymentAccountsService, StripeCheckoutService } from '#payments';
import { SecretBoxError, SETTINGS } from '#kernel';
import type { Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { formView, currentPanelRequest, PanelFieldError, textOf, recordHref, PanelResource, declareProperties } from '#panel-kit';
import type { PanelEntry, PanelPage, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { formWords, words } from './payment-account.words.js';
import { providerTrouble } from './provider-trouble.js';
import { refusable } from '../forms/refusals.js';
import { Inject } from '@nestjs/common';

/** The id of the only record. */
const ID = 'stripe';

const tones = { on: 'good', off: 'quiet', unreadable: 'bad' } as const;

/** The payment account for online payments. No page shows a stored key. */
@PanelResource({ panels: 'tenant', position: 150, modules: ['membership', 'ticketing'] })
export class PaymentAccountResource implements ResourceProvider {
  constructor(
    private readonly accounts: PaymentAccountsService,
    private readonly stripe: StripeCheckoutService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { accounts, stripe, settings } = this;
    const webhookUrl = (): string => tenantUrl(settings, currentTenant(), '/payments/stripe/');
    const rows = async (): Promise<PanelRow[]> => {
      const common = { id: ID, provider: 'Stripe', webhookUrl: webhookUrl() };
      try {
        const status = await accounts.status();
        if (!status) return [];
        const { mode, enabled, delayedMethods, lastFour, updatedAt } = status;
        const key = `…${lastFour}`;
        return [
          {
            ...common,
            state: enabled ? 'on' : 'off',
            mode,
            delayed: delayedMethods ? 'accepted' : 'refused',
            key,
            updatedAt: updatedAt.toISOString(),
          },
        ];
      } catch (error) {
        if (!(error instanceof SecretBoxError)) throw error;
        return [{ ...common, state: 'unreadable', mode: null, delayed: null, key: null, updatedAt: null }];
      }
    };
    const declared = declareProperties({
      id: { isId: true },
      provider: { isTitle: true, sort: false, list: true },
      state: { availableValues: Object.keys(tones), tones, sort: false, list: true, show: true },
      mode: {
        availableValues: ['live', 'test'],
        tones: { live: 'info', test: 'waiting' },
        sort: false,
        list: true,
        show: true,
      },
      delayed: { availableValues: ['refused', 'accepted'], sort: false, show: true },
      key: { sort: false, list: true, show: true },
      webhookUrl: { sort: false, components: { show: 'CopyText' }, show: true },
      updatedAt: { type: 'datetime', sort: false, list: true, show: true },
    });

    const source: PanelSource = {
      id: 'payment-account',
      properties: declared.properties,
      find: ({ offset }) => (offset > 0 ? Promise.resolve([]) : rows()),
      count: async () => (await rows()).length,
      findOne: async (id) => (id === ID ? ((await rows())[0] ?? null) : null),
      findMany: async (ids) => (ids.includes(ID) ? rows() : []),
      remove: () => accounts.remove(),
    };
    const switchTo = (enabled: boolean) => async (): Promise<{ message: string }> => {
      await accounts.setEnabled(enabled);
      return { message: enabled ? 'enabled' : 'disabled' };
    };
    const acceptDelayed = (accepted: boolean) => async (): Promise<{ message: string }> => {
      await accounts.setDelayedMethods(accepted);
      return { message: accepted ? 'delayedAccepted' : 'delayedRefused' };
    };
    return {
      source,
      support: 'closed',
      group: 'settings',
      icon: 'CreditCard',
      ...declared.places,
      pages: { keys: keysPage(accounts, stripe, webhookUrl) },
      actions: {
        check: {
          icon: 'Activity',
          visible: ({ state }) => state !== 'unreadable',
          act: async () => {
            const trouble = await providerTrouble(() => stripe.check());
            if (trouble) throw new PanelFieldError({}, trouble.message);
            return { message: 'checked' };
          },
        },
        enable: { icon: 'Play', variant: 'primary', visible: ({ state }) => state === 'off', act: switchTo(true) },
        disable: {
          icon: 'Pause',
          guard: 'disableSure',
          visible: ({ state }) => state === 'on',
          act: switchTo(false),
        },
        acceptDelayed: { icon: 'Clock', guard: 'delayedSure', visible: ({ delayed }) => delayed === 'refused', act: acceptDelayed(true) },
        refuseDelayed: { icon: 'Clock', visible: ({ delayed }) => delayed === 'accepted', act: acceptDelayed(false) },
      },
      words,
    };
  }
}

/** The form for the keys, when set for the first time or replaced. Stripe checks them before they are stored. */
function keysPage(accounts: PaymentAccountsService, stripe: StripeCheckoutService, webhookUrl: () => string): PanelPage {
  return {
    icon: 'Key',
    component: 'ActionForm',
    variant: 'primary',
    view: () => {
      const words = formWords[currentPanelRequest().language];
      return Promise.resolve(
        formView({
          lead: [words.lead],
          fields: [
            { name: 'secretKey', kind: 'secret', label: words.secretKey, help: words.secretKeyHelp, required: true },
            { name: 'webhookUrl', kind: 'copy', label: words.webhookUrl, value: webhookUrl() },
            { name: 'webhookSecret', kind: 'secret', label: words.webhookSecret, help: words.webhookSecretHelp, required: true },
          ],
          submit: words.save,
        }),
      );
    },
    act: async (values) => {
      const typed = { secretKey: textOf(values['secretKey']), webhookSecret: textOf(values['webhookSecret']) };
      const keys = await refusable(() => Promise.resolve().then(() => fitStripeKeys(typed)));
      const trouble = await providerTrouble(() => stripe.check(keys.secretKey));
      // A restricted key may create payments without permission to read the account.
      if (trouble && trouble.kind !== 'refused') throw new PanelFieldError({ secretKey: { message: trouble.message } });
      await accounts.save(keys);
      return { message: trouble ? 'savedUnchecked' : 'saved', redirect: recordHref('payment-account', ID) };
    },
  };
}
