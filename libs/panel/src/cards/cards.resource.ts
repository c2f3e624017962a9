import { Card, cardStates, importModes, parseTag, CardImportsService, CardsService } from '#cards';
import type { CardState, ImportMode } from '#cards';
import { foldedColumnSql } from '#kernel';
import { Tenant, TenantDb } from '#tenancy';
import {
  formView,
  currentPanelRequest,
  PanelFieldError,
  searchProperty,
  UploadedFile,
  entityReader,
  textOf,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import type { PanelAction, PanelEntry, PanelPage, PanelFilter, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { cardWords, importReport, importWords } from './cards.words.js';
import { refusable } from '../forms/refusals.js';

/** The NFC cards of the server. */
@PanelResource({ panels: 'root', position: 60 })
export class CardsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly cards: CardsService,
    private readonly imports: CardImportsService,
  ) {}

  entry(): PanelEntry {
    const { db, cards, imports } = this;
    const declared = declareProperties(
      {
        id: { show: 8 },
        search: { ...searchProperty, filter: true },
        tag: { isTitle: true, help: 'tagHelp', list: true, show: true, form: true, filter: true, export: true },
        number: { list: true, show: true, form: true, filter: true, export: true },
        ownerEmail: {
          type: 'email',
          help: 'ownerHelp',
          list: true,
          show: true,
          form: true,
          filter: true,
          export: true,
        },
        originTenantId: { reference: 'tenants', help: 'originHelp', list: true, show: true, form: true, filter: true },
        origin: { export: true, filter: false, sql: 'origin.slug' },
        state: {
          availableValues: Object.keys(cardStates),
          tones: { active: 'good', blocked: 'bad', lost: 'waiting' },
          list: true,
          show: true,
          filter: true,
          export: true,
        },
        createdAt: { list: true, show: true, filter: true, export: true },
        changedAt: { show: true },
      },
      { entity: Card, alias: 'card' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) => query.leftJoin(Tenant, 'origin', 'origin.id = card.originTenantId'),
      searched: {
        own: ['card.tag', `coalesce(card.number, '')`, `coalesce(card.owner_email, '')`].map(foldedColumnSql),
        ids: ['card.id'],
      },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'cards',
      properties: declared.properties,
      ...reader,
      find: (query) => reader.find({ ...query, filter: withPlainTags(query.filter) }),
      count: (filter) => reader.count(withPlainTags(filter)),
      create: async (values) => {
        const { id, tag } = await refusable(() => cards.create(cardOf(values)));
        return { id, tag };
      },
      update: async (id, values) => {
        const before = await reader.findOne(id);
        if (!before) return null;
        return (await refusable(() => cards.change(id, cardOf({ ...before, ...values })))) ? reader.findOne(id) : null;
      },
      remove: (id) => cards.remove(id),
    };
    const turn = (to: CardState, message: string, from: readonly CardState[], icon: string): PanelAction => ({
      icon,
      ...(to !== 'active' && { variant: 'danger' as const }),
      visible: ({ state }) => from.includes(state as CardState),
      act: async (id) => ({ message: (await cards.setState(id, to)) ? message : 'error404Record' }),
    });
    return {
      source,
      group: 'server',
      icon: 'CreditCard',
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      hit: { details: ['number', 'ownerEmail'], state: 'state' },
      actions: {
        block: { ...turn('blocked', 'blocked', ['active', 'lost'], 'Slash'), guard: 'blockSure' },
        markLost: { ...turn('lost', 'markedLost', ['active', 'blocked'], 'HelpCircle'), guard: 'markLostSure' },
        activate: { ...turn('active', 'activated', ['blocked', 'lost'], 'RotateCcw'), guard: 'activateSure' },
      },
      pages: { import: importPage(imports) },
      words: inEachLanguage((language) => ({ ...cardWords[language], values: { state: labels(cardStates, language) } })),
    };
  }
}

/** Accepts tags in the filter with separators, as some readers output them. */
const withPlainTags = (filter: PanelFilter): PanelFilter =>
  Object.fromEntries(
    Object.entries(filter).map(([name, condition]) => [
      name,
      condition.kind === 'contains' ? { ...condition, text: parseTag(condition.text) ?? condition.text } : condition,
    ]),
  );

const cardOf = ({ tag, number, ownerEmail, originTenantId }: PanelRow) => ({
  tag: textOf(tag),
  number: textOf(number),
  ownerEmail: textOf(ownerEmail),
  originTenantId: textOf(originTenantId) || null,
});

function importPage(imports: CardImportsService): PanelPage {
  return {
    icon: 'Upload',
    component: 'ActionForm',
    view: async () => {
      const { lead, facts, file, mode, modes, submit } = importWords[currentPanelRequest().language];
      return formView({
        lead: [lead],
        facts: [...facts],
        fields: [
          { name: 'file', kind: 'file', label: file, accept: '.csv,text/csv', required: true },
          {
            name: 'mode',
            kind: 'choice',
            label: mode,
            value: 'check',
            options: importModes.map((value) => ({ value, label: modes[value] })),
          },
        ],
        submit,
      });
    },
    act: async (values) => {
      const file: unknown = values['file'];
      const mode: ImportMode = importModes.find((one) => one === values['mode']) ?? 'check';
      if (!(file instanceof UploadedFile)) throw new PanelFieldError({ file: { message: 'noFile' } });
      const report = await refusable(() => imports.run(file.stream(), mode));
      return { view: { report: importReport(report, currentPanelRequest().language, mode === 'check') } };
    },
  };
}
