import {
  currentPanelRequest,
  declareProperties,
  formView,
  PanelResource,
  recordHref,
  textOf,
  type FormField,
  type PanelEntry,
  type PanelPage,
  type PanelRow,
  type PanelSource,
  type ResourceProvider,
} from '#panel-kit';
import { longestPassphrase, longestPem, WalletAccountsService, type TypedApple, type TypedGoogle, type WalletProvider } from '#wallet';
import { refusable } from '../forms/refusals.js';
import { stateUntil } from './wallet-state.js';
import { formWords, words } from './wallets.words.js';

const tones = { on: 'good', ending: 'waiting', ended: 'bad', unreadable: 'bad' } as const;

type FieldKind = Pick<FormField, 'kind' | 'required' | 'longest'>;

const pem = { kind: 'textarea', required: true, longest: longestPem } as const;

/** The fields of the forms, in their order. */
const appleFields: Readonly<Record<keyof TypedApple, FieldKind>> = {
  passTypeIdentifier: { kind: 'text', required: true },
  teamIdentifier: { kind: 'text', required: true },
  certificate: pem,
  privateKey: pem,
  passphrase: { kind: 'secret', longest: longestPassphrase },
  authority: pem,
};
const googleFields: Readonly<Record<keyof TypedGoogle, FieldKind>> = { issuerId: { kind: 'text', required: true }, serviceAccount: pem };

/** Certificates and keys for passes in Apple Wallet and Google Wallet. No page shows what was stored. */
@PanelResource({ panels: 'tenant', position: 155, modules: ['ticketing'] })
export class WalletsResource implements ResourceProvider {
  constructor(private readonly accounts: WalletAccountsService) {}

  entry(): PanelEntry {
    const { accounts } = this;
    const rows = async (): Promise<PanelRow[]> =>
      (await accounts.status()).map(({ provider, identifier, isReadable, expiresAt, updatedAt }) => ({
        id: provider,
        provider,
        state: isReadable ? stateUntil(expiresAt) : 'unreadable',
        identifier,
        expiresAt: expiresAt?.toISOString() ?? null,
        updatedAt: updatedAt.toISOString(),
      }));
    const declared = declareProperties({
      id: { isId: true },
      provider: { isTitle: true, availableValues: ['apple', 'google'], sort: false, list: true, show: true },
      state: { availableValues: Object.keys(tones), tones, sort: false, list: true, show: true },
      identifier: { sort: false, list: true, show: true },
      expiresAt: { type: 'datetime', sort: false, list: true, show: true },
      updatedAt: { type: 'datetime', sort: false, list: true, show: true },
    });
    const source: PanelSource = {
      id: 'wallets',
      properties: declared.properties,
      find: ({ offset }) => (offset > 0 ? Promise.resolve([]) : rows()),
      count: async () => (await rows()).length,
      findOne: async (id) => (await rows()).find((row) => row.id === id) ?? null,
      findMany: async (ids) => (await rows()).filter(({ id }) => ids.includes(String(id))),
      remove: (id) => (id === 'apple' || id === 'google' ? accounts.remove(id) : Promise.resolve()),
    };
    return {
      source,
      support: 'closed',
      group: 'settings',
      icon: 'Smartphone',
      rare: true,
      ...declared.places,
      pages: {
        apple: setUpPage('apple', appleFields, (typed) => accounts.saveApple(typed)),
        google: setUpPage('google', googleFields, (typed) => accounts.saveGoogle(typed)),
      },
      words,
    };
  }
}

/** The form for the certificate or key of a wallet, when set for the first time or replaced. */
function setUpPage<Name extends keyof TypedApple | keyof TypedGoogle>(
  provider: WalletProvider,
  fields: Readonly<Record<Name, FieldKind>>,
  save: (typed: Record<Name, string>) => Promise<void>,
): PanelPage {
  const names = Object.keys(fields) as Name[];
  return {
    icon: 'Key',
    component: 'ActionForm',
    variant: 'primary',
    view: () => {
      const texts = formWords[currentPanelRequest().language];
      const helps: Readonly<Record<string, string>> = texts;
      const shown = names.map((name) => ({ name, label: texts[name], help: helps[`${name}Help`] ?? '', ...fields[name] }));
      return Promise.resolve(formView({ lead: [texts.lead], fields: shown, submit: texts.save }));
    },
    act: async (values) => {
      const typed = Object.fromEntries(names.map((name) => [name, textOf(values[name])])) as Record<Name, string>;
      await refusable(() => save(typed));
      return { message: 'saved', redirect: recordHref('wallets', provider) };
    },
  };
}
