import { currentPanelRequest, formAction, formView, PanelFieldError, recordHref, textOf } from '#panel-kit';
import type { FormField, PanelAction, PanelPage, PanelRow } from '#panel-kit';
import {
  fitFields,
  type AccountMethodsService,
  type PaymentAccountsService,
  type PaymentProvider,
  type PaymentProviders,
  type ProviderAccount,
} from '#payments';
import type { PlaceProfileService } from '#places';
import { refusable } from '../forms/refusals.js';
import { payAtVenue } from './pay-at-venue.js';
import { formWords } from './payment-account.words.js';
import { providerTrouble } from './provider-trouble.js';

type Values = Readonly<Record<string, string>>;

const longestLabel = 60;
const longestField = 300;
/** Of shorter secrets, four characters would tell too much. */
const shortestShown = 20;

/** The fields of an account as text; of a secret at most its last four characters. */
export function shownFields({ fields }: PaymentProvider, account: ProviderAccount): string {
  const { language } = currentPanelRequest();
  const words = formWords[language];
  return fields
    .map(({ name, label, secret, shape }) => {
      const value = account.fields[name] ?? '';
      const shown = shape === 'yes_no' ? (value === 'yes' ? words.yes : words.no) : value;
      return `${label[language]}: ${secret ? `…${value.length < shortestShown ? '' : value.slice(-4)}` : shown}`;
    })
    .join(' · ');
}

/** The form of a new account, and that of a stored one. The provider checks the account before it is stored. */
export function accountForms(
  accounts: PaymentAccountsService,
  methods: AccountMethodsService,
  providers: PaymentProviders,
  profiles: PlaceProfileService,
  addressOf: (provider: string) => string,
): { add: PanelPage; change: PanelAction } {
  const stored = async (id: string) => (await accounts.all()).find((one) => one.id === id);
  const save = async (provider: PaymentProvider, values: PanelRow, before?: Values): Promise<{ message: string; redirect: string }> => {
    const typed = Object.fromEntries(provider.fields.map(({ name }) => [name, textOf(values[name])]));
    const fields = await refusable(() => Promise.resolve().then(() => fitFields(provider.fields, typed, before)));
    const trouble = await providerTrouble(provider, { id: '', fields });
    // A restricted key may create payments without permission to read the account.
    const first = provider.fields[0]?.name ?? 'label';
    if (trouble && trouble.kind !== 'refused') throw new PanelFieldError({ [first]: { message: trouble.message } });
    const label = textOf(values['label']).replaceAll(/\s+/g, ' ').trim().slice(0, longestLabel);
    const id = await accounts.save(provider.name, fields, label);
    await methods.read(id);
    const saved = provider.open ? 'saved' : 'savedReaders';
    return { message: trouble ? 'savedUnchecked' : saved, redirect: recordHref('payment-account', id) };
  };
  return {
    add: {
      icon: 'Plus',
      component: 'ActionForm',
      variant: 'primary',
      view: ({ atVenue }) => {
        const words = formWords[currentPanelRequest().language];
        const all = providers.all();
        const fields = all.flatMap((provider) =>
          formFields(provider, addressOf).map((field) => ({ ...field, when: { field: 'provider', values: [provider.name] } })),
        );
        const label = { ...labelField(), when: { field: 'provider', values: all.filter(({ open }) => open).map(({ name }) => name) } };
        const more: FormField[] = atVenue === 'true' ? [{ name: 'atVenue', kind: 'hidden', label: '', value: 'true' }] : [];
        return Promise.resolve(
          formView({ lead: [words.lead], fields: [providerField(all), ...fields, label, ...more], submit: words.save }),
        );
      },
      act: async (values) => {
        const provider = providers.find(textOf(values['provider']));
        if (!provider) throw new PanelFieldError({ provider: { message: 'fieldRequired' } });
        const saved = await save(provider, values);
        // The first steps offer both ways together.
        if (values['atVenue'] === 'true') await payAtVenue(profiles);
        return saved;
      },
    },
    change: formAction({
      icon: 'Key',
      form: async (id) => {
        const words = formWords[currentPanelRequest().language];
        const account = await stored(id);
        if (!account) return { fields: [] };
        const fields = formFields(account.provider, addressOf, account.account?.fields);
        return {
          lead: [words.lead],
          fields: [...fields, ...(account.provider.open ? [labelField(account.label)] : [])],
          submit: words.save,
        };
      },
      act: async (id, values) => {
        const account = await stored(id);
        if (!account) throw new PanelFieldError({}, 'failed');
        return save(account.provider, values, account.account?.fields);
      },
    }),
  };
}

/** The choice of the provider, where there are several. */
function providerField(providers: readonly PaymentProvider[]): FormField {
  const { language } = currentPanelRequest();
  const options = providers.map(({ name, label }) => ({ value: name, label: label[language] }));
  const [first] = options;
  const kind = options.length > 1 ? 'choice' : 'hidden';
  return { name: 'provider', kind, label: formWords[language].provider, options, value: first?.value ?? '', required: true };
}

function labelField(value = ''): FormField {
  const words = formWords[currentPanelRequest().language];
  return { name: 'label', kind: 'text', label: words.label, help: words.labelHelp, longest: longestLabel, value };
}

/** The fields that a provider declares, after its address for events. @param before what is stored; of secrets, only that they are */
function formFields(provider: PaymentProvider, addressOf: (provider: string) => string, before?: Values): FormField[] {
  const { language } = currentPanelRequest();
  const words = formWords[language];
  const events = provider.eventsHelp?.[language];
  const copied: FormField[] = events ? [{ name: 'webhookUrl', kind: 'copy', label: events, value: addressOf(provider.name) }] : [];
  const fields = provider.fields.map(({ name, label, secret, shape, help }): FormField => {
    const isKept = secret && Boolean(before?.[name]);
    const common = { name, label: label[language], help: [help[language], ...(isKept ? [words.kept] : [])].join(' ') };
    const value = secret ? '' : (before?.[name] ?? '');
    if (shape !== 'yes_no') return { ...common, kind: secret ? 'secret' : 'text', value, longest: longestField, required: !isKept };
    const options = [
      { value: 'no', label: words.no },
      { value: 'yes', label: words.yes },
    ];
    return { ...common, kind: 'choice', value: value === 'yes' ? 'yes' : 'no', options };
  });
  return [...copied, ...fields];
}
