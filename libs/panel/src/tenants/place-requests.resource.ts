import { languageNames, languages, RefusedInput } from '#kernel';
import { awaitsApprovalSql, formCategories, longestRefusalNote, PlaceRequest, SignupApprovalsService, type AwaitedApproval } from '#places';
import { TenantDb } from '#tenancy';
import {
  categoryLabels,
  currentPanelRequest,
  declareProperties,
  entityReader,
  formAction,
  inEachLanguage,
  PANEL_PATH,
  PanelResource,
  textOf,
} from '#panel-kit';
import type { FormView, PanelAction, PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { decisionWords, placeRequestWords } from './place-requests.words.js';

const id = 'place-requests';
const listPath = `${PANEL_PATH}/resources/${id}`;

/** Forms for new places about which operators decide. Their content is encrypted: it can be read, but neither sorted nor filtered. */
@PanelResource({ panels: 'root', position: 15 })
export class PlaceRequestsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly approvals: SignupApprovalsService,
  ) {}

  entry(): PanelEntry {
    const { db, approvals } = this;
    const sealed = { sort: false, filter: false } as const;
    const declared = declareProperties(
      {
        id: { show: true },
        name: { ...sealed, isTitle: true, list: 1, show: 1 },
        category: { ...sealed, availableValues: formCategories, list: 2, show: 2 },
        host: { ...sealed, list: 3, show: 3 },
        email: { ...sealed, list: 4, show: 4 },
        city: { ...sealed, list: 5, show: 5 },
        shortDescription: { ...sealed, type: 'textarea', show: 6 },
        website: { ...sealed, show: 7 },
        language: { ...sealed, availableValues: languages, show: 8 },
        confirmedAt: { list: 6, show: 9, filter: true },
        expiresAt: { show: 10, filter: false },
        sealed: { hidden: true },
      },
      { entity: PlaceRequest, alias: 'request' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      where: awaitsApprovalSql('request'),
      sort: { by: 'confirmedAt', direction: 'asc' },
    });
    const opened = ({ sealed: content, ...row }: PanelRow): PanelRow => {
      const { form, host } = approvals.opened({ id: textOf(row['id']), sealed: content as unknown as Buffer });
      const { name, category, email, city, shortDescription, website, language } = form;
      return { ...row, name, category, host, email, city, shortDescription, website, language };
    };
    const source: PanelSource = {
      id,
      properties: declared.properties,
      ...reader,
      find: async (query) => (await reader.find(query)).map(opened),
      findOne: async (wanted) => {
        const row = await reader.findOne(wanted);
        return row && opened(row);
      },
      findMany: async (wanted) => (await reader.findMany(wanted)).map(opened),
    };
    return {
      source,
      group: 'server',
      icon: 'UserPlus',
      ...declared.places,
      sort: { by: 'confirmedAt', direction: 'asc' },
      actions: { approve: approveAction(approvals), refuse: refuseAction(approvals) },
      words: inEachLanguage((language) => ({
        ...placeRequestWords[language],
        values: { category: categoryLabels(language), language: languageNames(language) },
      })),
    };
  }
}

/** Sends what the operator has read, so that nothing else is approved. */
function approveAction(approvals: SignupApprovalsService): PanelAction {
  const words = () => decisionWords[currentPanelRequest().language];
  return formAction({
    icon: 'Check',
    variant: 'primary',
    form: formOf(approvals, ({ form: { name, slug, email }, host }) => ({
      lead: [words().approveLead(name, host)],
      facts: words().approveFacts(email),
      fields: [
        { name: 'name', kind: 'hidden', label: '', value: name },
        { name: 'slug', kind: 'hidden', label: '', value: slug },
      ],
      submit: words().approve,
    })),
    act: async (wanted, { name, slug }) => {
      await refusable(() => approvals.approve(wanted, { name: textOf(name), slug: textOf(slug) }));
      return { message: 'approved', redirect: listPath };
    },
  });
}

function refuseAction(approvals: SignupApprovalsService): PanelAction {
  const words = () => decisionWords[currentPanelRequest().language];
  return formAction({
    icon: 'X',
    variant: 'danger',
    form: formOf(approvals, ({ form: { name, email } }) => ({
      lead: [words().refuseLead(name)],
      facts: words().refuseFacts(email),
      fields: [{ name: 'note', kind: 'textarea', label: words().note, help: words().noteHelp, longest: longestRefusalNote }],
      submit: words().refuse,
      danger: true,
    })),
    act: async (wanted, { note }) => {
      await refusable(() => approvals.refuse(wanted, textOf(note)));
      return { message: 'refused', redirect: listPath };
    },
  });
}

/** The form of a decision; of a request that is decided, as after the decision itself, only the reason why there is none. */
function formOf(approvals: SignupApprovalsService, view: (request: AwaitedApproval) => FormView): (wanted: string) => Promise<FormView> {
  return async (wanted) => {
    try {
      return view(await approvals.find(wanted));
    } catch (error) {
      if (error instanceof RefusedInput) return { lead: [error.message], fields: [] };
      throw error;
    }
  };
}
