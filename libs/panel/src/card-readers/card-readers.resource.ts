import { currentLanguage } from '#kernel';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  formView,
  listHref,
  PanelFieldError,
  PanelResource,
  textOf,
  type PanelEntry,
  type PanelPage,
  type PanelSource,
  type ResourceProvider,
} from '#panel-kit';
import {
  CardReader,
  CardReadersService,
  isAskingSql,
  longestReaderName,
  PaymentAccountMissing,
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#payments';
import { PlaceProfileService } from '#places';
import { currentTenant, TenantDb } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const formWords = texts.perLanguage('cardReaders.form', ({ words, t }) => ({
  ...words,
  refused: (message: string) => t('cardReaders.form.refused', { message }),
}));

/** The card readers of the box office. */
@PanelResource({ panels: 'tenant', position: 152, modules: ['membership', 'ticketing'] })
export class CardReadersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly readers: CardReadersService,
    private readonly profiles: PlaceProfileService,
  ) {}

  entry(): PanelEntry {
    const { db, readers } = this;
    const declared = declareProperties(
      {
        id: {},
        name: { isTitle: true, list: true, filter: true },
        state: {
          availableValues: ['ready', 'asking'],
          tones: { ready: 'good', asking: 'waiting' },
          sql: `case when ${isAskingSql('card_reader.id')} then 'asking' else 'ready' end`,
          sort: false,
          filter: false,
          list: true,
          show: true,
        },
        reference: { show: true },
        createdAt: { list: true, show: true },
      },
      { entity: CardReader, alias: 'card_reader' },
    );
    const source: PanelSource = {
      id: 'card-readers',
      properties: declared.properties,
      ...entityReader({ ...declared.reading, open: (work) => db.transaction(work), sort: { by: 'name', direction: 'asc' } }),
      remove: async (id) => {
        const words = formWords[currentLanguage()];
        if (!(await answered(() => readers.remove(id)))) throw new PanelFieldError({}, words.busy);
      },
    };
    return {
      source,
      group: 'settings',
      icon: 'Smartphone',
      rare: true,
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      pages: { pair: this.pairPage() },
      words: texts.perLanguage('cardReaders', ({ words }) => words),
    };
  }

  private pairPage(): PanelPage {
    return {
      icon: 'Plus',
      component: 'ActionForm',
      variant: 'primary',
      view: async () => {
        const { language } = currentPanelRequest();
        const words = formWords[language];
        const accounts = await this.readers.accountsForReaders();
        const [first] = accounts;
        if (!first) return formView({ lead: [words.noAccount], fields: [] });
        const options = accounts.map(({ id, label }) => ({ value: id, label: label[language] }));
        const help = accounts.map(({ provider }) => provider.readers?.codeHelp[language] ?? '').join(' ');
        return formView({
          lead: [words.lead],
          fields: [
            { name: 'account', kind: options.length > 1 ? 'choice' : 'hidden', label: words.account, options, value: first.id },
            { name: 'name', kind: 'text', label: words.name, help: words.nameHelp, longest: longestReaderName, required: true },
            { name: 'code', kind: 'text', label: words.code, help, longest: 60, required: true },
          ],
          submit: words.submit,
        });
      },
      act: async (values) => {
        const { streetAddress, postalCode, city, country } = await this.profiles.read();
        const place = {
          name: currentTenant().name,
          street: streetAddress ?? '',
          postalCode: postalCode ?? '',
          city: city ?? '',
          country: country ?? '',
        };
        const wanted = { code: textOf(values['code']), name: textOf(values['name']), place };
        await refusable(() => answered(() => this.readers.pair(textOf(values['account']), wanted), 'code'));
        return { message: 'paired', redirect: listHref('card-readers', {}) };
      },
    };
  }
}

/** Runs work that asks a provider. @param field where it stands what the provider refuses; default: above all */
async function answered<Result>(work: () => Promise<Result>, field?: string): Promise<Result> {
  const words = formWords[currentLanguage()];
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentAccountMissing) throw new PanelFieldError({}, words.noAccount);
    if (error instanceof PaymentProviderUnavailable) throw new PanelFieldError({}, words.noAnswer);
    if (!(error instanceof PaymentProviderRefused)) throw error;
    if (error.code === 'place') throw new PanelFieldError({}, words.noPlace);
    const message = error.code === 'pairing_code' ? words.noCode : words.refused(error.message);
    throw field === undefined ? new PanelFieldError({}, message) : new PanelFieldError({ [field]: { message } });
  }
}
