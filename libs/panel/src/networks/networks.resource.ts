import { NetworkCardsService } from '#gift-cards';
import { memberStates, NetworkMember, NetworksService } from '#places';
import { currentTenant, Domain, liveTenantSql, Tenant, User, TenantDb } from '#tenancy';
import {
  formAction,
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { memberStateLabels, memberStateTones, networkWords } from './networks.words.js';
import { refusable } from '../forms/refusals.js';

const isIn = ({ state }: PanelRow): boolean => state === 'asked' || state === 'accepted';

/** Splits tags at commas, semicolons and line breaks. */
const tagsOf = (value: PanelValue | undefined): string[] =>
  textOf(value)
    .split(/[,;\n]/)
    .map((tag) => tag.trim())
    .filter(Boolean);

const message = (name: string): string => networkWords[currentPanelRequest().language].messages?.[name] ?? '';
const label = (name: string): string => networkWords[currentPanelRequest().language].properties?.[name] ?? '';

/** The networks of the server, with the state of the tenant's membership in each. */
@PanelResource({ panels: 'tenant', position: 130, modules: 'events' })
export class NetworksResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly networks: NetworksService,
    private readonly cards: NetworkCardsService,
  ) {}

  entry(): PanelEntry {
    const { db, networks } = this;
    const declared = declareProperties(
      {
        id: {},
        name: { isTitle: true, list: true, filter: true },
        state: {
          availableValues: ['none', ...memberStates],
          tones: memberStateTones,
          list: true,
          show: true,
          filter: true,
          sql: `coalesce(member.state, 'none')`,
        },
        host: { list: true, show: true, sql: 'domain.host' },
        members: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: `(select count(*)::int from shared.network_member other where other.network_id = network.id and other.state = 'accepted')`,
        },
        sentTags: { show: true, filter: false, sql: `array_to_string(member.sent_tags, ', ')` },
        showsOthers: { type: 'boolean', list: true, show: true, sql: 'coalesce(member.shows_others, false)' },
        shownTags: { show: true, filter: false, sql: `array_to_string(member.shown_tags, ', ')` },
        takesCards: { type: 'boolean', show: true, filter: false, sql: 'coalesce(member.takes_cards, false)' },
        givesCards: { type: 'boolean', show: true, filter: false, sql: 'coalesce(member.gives_cards, false)' },
        askedAt: { type: 'datetime', show: true, sql: 'member.askedAt' },
        askedByName: { show: true, sql: 'asker.name' },
        decidedAt: { type: 'datetime', show: true, sql: 'member.decidedAt' },
        leftAt: { type: 'datetime', show: true, sql: 'member.leftAt' },
      },
      { entity: Tenant, alias: 'network' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      joins: (query) =>
        query
          .leftJoin(Domain, 'domain', 'domain.tenantId = network.id and domain.isPrimary')
          .leftJoin(NetworkMember, 'member', 'member.networkId = network.id and member.tenantId = :tenantId')
          .leftJoin(User, 'asker', 'asker.id = member.askedBy'),
      where: `network.category = 'M' and (${liveTenantSql('network')} or member.state in ('asked', 'accepted'))`,
      parameters: () => ({ tenantId: currentTenant().id }),
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'networks',
      properties: declared.properties,
      ...reader,
    };
    const done = async (work: Promise<boolean>, notice: string): Promise<{ message: string }> => {
      if (!(await work)) throw new PanelFieldError({}, message('notMember'));
      return { message: notice };
    };
    const tagsField = (name: 'sentTags' | 'shownTags', row: PanelRow | null) =>
      ({ name, kind: 'text', label: label(name), help: message(`${name}Help`), value: textOf(row?.[name]), longest: 5000 }) as const;
    return {
      source,
      group: 'programme',
      icon: 'Share2',
      rare: true,
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      actions: {
        ask: formAction({
          icon: 'Send',
          variant: 'primary',
          visible: (row) => !isIn(row),
          form: async (id) => ({
            lead: [message('askLead')],
            fields: [tagsField('sentTags', await source.findOne(id))],
            submit: message('askDo'),
          }),
          act: async (id, { sentTags }) => {
            const userId = currentPanelRequest().user?.id ?? null;
            await refusable(() => networks.ask(id, { sentTags: tagsOf(sentTags), userId }));
            return { message: 'askDone' };
          },
        }),
        send: formAction({
          icon: 'Tag',
          visible: isIn,
          form: async (id) => ({
            fields: [tagsField('sentTags', await source.findOne(id))],
            submit: message('sendDo'),
          }),
          act: (id, { sentTags }) =>
            done(
              refusable(() => networks.send(id, tagsOf(sentTags))),
              'sendDone',
            ),
        }),
        gather: formAction({
          icon: 'Download',
          visible: isIn,
          form: async (id) => {
            const row = await source.findOne(id);
            const options = [
              { value: 'yes', label: message('gatherYes') },
              { value: 'no', label: message('gatherNo') },
            ];
            return {
              lead: [message('gatherLead')],
              fields: [
                {
                  name: 'showsOthers',
                  kind: 'choice',
                  label: message('gatherChoice'),
                  options,
                  value: row?.['showsOthers'] === true ? 'yes' : 'no',
                },
                { ...tagsField('shownTags', row), when: { field: 'showsOthers', values: ['yes'] } },
              ],
              submit: message('sendDo'),
            };
          },
          act: (id, { showsOthers, shownTags }) =>
            done(
              refusable(() => networks.show(id, showsOthers === 'yes', tagsOf(shownTags))),
              'gatherDone',
            ),
        }),
        cards: formAction({
          icon: 'Gift',
          visible: isIn,
          form: async (id) => {
            const row = await source.findOne(id);
            const choice = (name: 'takesCards' | 'givesCards', yes: string, no: string) => ({
              name,
              kind: 'choice' as const,
              label: label(name),
              options: [
                { value: 'yes', label: message(yes) },
                { value: 'no', label: message(no) },
              ],
              value: row?.[name] === true ? 'yes' : 'no',
            });
            return {
              lead: [message('cardsLead')],
              fields: [choice('takesCards', 'takesCardsYes', 'takesCardsNo'), choice('givesCards', 'givesCardsYes', 'givesCardsNo')],
              submit: message('sendDo'),
            };
          },
          act: async (id, { takesCards, givesCards }) => {
            const shared = { takesCards: takesCards === 'yes', givesCards: givesCards === 'yes' };
            if (shared.givesCards) await this.cards.list();
            return done(networks.shareCards(id, shared), 'sendDone');
          },
        }),
        leave: {
          icon: 'LogOut',
          variant: 'danger',
          guard: 'leaveSure',
          visible: isIn,
          act: (id) => done(networks.leave(id), 'left'),
        },
      },
      words: inEachLanguage((language) => ({
        ...networkWords[language],
        values: { state: labels(memberStateLabels, language) },
      })),
    };
  }
}
