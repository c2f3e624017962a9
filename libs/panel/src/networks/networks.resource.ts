import { memberStates, NetworkMember, NetworksService } from '#places';
import { currentTenant, Domain, liveTenantSql, Tenant, User, TenantDb } from '#tenancy';
import {
  formAction,
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { memberStateLabels, memberStateTones, networkWords } from './networks.words.js';
import { refusable } from '../forms/refusals.js';
const isIn = ({ state }: PanelRow): boolean => state === 'asked' || state === 'accepted';

/** Tags as people type them, with commas, semicolons or line ends between them. */
const tagsOf = (value: PanelValue | undefined): string[] =>
  textOf(value).split(/[,;\n]/).map((tag) => tag.trim()).filter(Boolean); // prettier-ignore

const message = (name: string): string => networkWords[currentPanelRequest().language].messages?.[name] ?? '';
const label = (name: string): string => networkWords[currentPanelRequest().language].properties?.[name] ?? '';

/** The networks of the server, and where the place stands with each. */
@PanelResource({ panels: 'tenant', position: 130, modules: 'events' })
export class NetworksResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly networks: NetworksService,
  ) {}

  entry(): PanelEntry {
    const { db, networks } = this;
    const reader = entityReader({
      open: (work) => db.shared(work),
      entity: Tenant,
      alias: 'network',
      joins: (query) =>
        query
          .leftJoin(Domain, 'domain', 'domain.tenantId = network.id and domain.isPrimary')
          .leftJoin(NetworkMember, 'member', 'member.networkId = network.id and member.tenantId = :tenantId')
          .leftJoin(User, 'asker', 'asker.id = member.askedBy'),
      where: `network.category = 'M' and (${liveTenantSql('network')} or member.state in ('asked', 'accepted'))`,
      parameters: () => ({ tenantId: currentTenant().id }),
      columns: {
        id: 'network.id',
        name: 'network.name',
        host: 'domain.host',
        state: `coalesce(member.state, 'none')`,
        members: `(select count(*)::int from shared.network_member other where other.network_id = network.id and other.state = 'accepted')`,
        sentTags: `array_to_string(member.sent_tags, ', ')`,
        showsOthers: 'coalesce(member.shows_others, false)',
        shownTags: `array_to_string(member.shown_tags, ', ')`,
        askedAt: 'member.askedAt',
        askedByName: 'asker.name',
        decidedAt: 'member.decidedAt',
        leftAt: 'member.leftAt',
      },
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'networks',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        { name: 'name', type: 'string', isTitle: true, editable: false },
        { name: 'host', type: 'string', editable: false },
        { name: 'state', type: 'string', editable: false, availableValues: ['none', ...memberStates], tones: memberStateTones }, // prettier-ignore
        { name: 'members', type: 'number', editable: false, filterable: false },
        { name: 'sentTags', type: 'string', editable: false, filterable: false },
        { name: 'showsOthers', type: 'boolean', editable: false },
        { name: 'shownTags', type: 'string', editable: false, filterable: false },
        { name: 'askedAt', type: 'datetime', editable: false },
        { name: 'askedByName', type: 'string', editable: false },
        { name: 'decidedAt', type: 'datetime', editable: false },
        { name: 'leftAt', type: 'datetime', editable: false },
      ],
      ...reader,
    };
    const done = async (work: Promise<boolean>, said: string): Promise<{ message: string }> => {
      if (!(await work)) throw new PanelFieldError({}, message('notMember'));
      return { message: said };
    };
    const tagsField = (name: 'sentTags' | 'shownTags', row: PanelRow | null) =>
({ name, kind: 'text', label: label(name), help: message(`${name}Help`), value: textOf(row?.[name]), longest: 5000 }) as const; // prettier-ignore
    return {
      source,
      group: 'programme',
      icon: 'Share2',
      list: ['name', 'state', 'host', 'members', 'showsOthers'],
      show: ['state', 'host', 'members', 'sentTags', 'showsOthers', 'shownTags', 'askedAt', 'askedByName', 'decidedAt', 'leftAt'], // prettier-ignore
      filter: ['name', 'state'],
      sort: { by: 'name', direction: 'asc' },
      actions: {
        ask: formAction({
          icon: 'Send',
          variant: 'primary',
          visible: (row) => !isIn(row),
          form: async (id) => ({ lead: [message('askLead')], fields: [tagsField('sentTags', await source.findOne(id))], submit: message('askDo') }), // prettier-ignore
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
            const options = [{ value: 'yes', label: message('gatherYes') }, { value: 'no', label: message('gatherNo') }]; // prettier-ignore
            return {
              lead: [message('gatherLead')],
              fields: [
                { name: 'showsOthers', kind: 'choice', label: message('gatherChoice'), options, value: row?.['showsOthers'] === true ? 'yes' : 'no' }, // prettier-ignore
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
        leave: {
          icon: 'LogOut',
          variant: 'danger',
          guard: 'leaveSure',
          visible: isIn,
          act: (id) => done(networks.leave(id), 'left'),
        },
      },
      words: inBoth((language) => ({
        ...networkWords[language],
        values: { state: labels(memberStateLabels, language) },
      })),
    };
  }
}
