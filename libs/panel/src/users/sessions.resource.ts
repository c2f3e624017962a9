import { isUuid } from '#kernel';
import { PanelSession, Tenant, SessionsService, TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { currentPanelRequest, entityReader, PanelResource, declareProperties } from '#panel-kit';
import { words } from './sessions.words.js';

const nobody = '00000000-0000-0000-0000-000000000000';
const ownId = (): string => currentPanelRequest().user?.id ?? nobody;

/** The sessions of the signed-in user, in every panel; nobody sees those of other users. */
@PanelResource({ panels: ['tenant', 'root'], position: 990 })
export class SessionsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly sessions: SessionsService,
  ) {}

  entry(): PanelEntry {
    const { db, sessions } = this;
    const declared = declareProperties(
      {
        id: { isId: true },
        place: { isTitle: true, list: true, show: true, filter: true, sql: 'tenant.name' },
        browser: { list: true, show: true, sql: browserSql },
        address: { list: true, show: true },
        createdAt: { list: true, show: true },
        seenAt: { list: true, show: true },
        expiresAt: { show: true },
      },
      { entity: PanelSession, alias: 'session' },
    );

    const source: PanelSource = {
      id: 'sessions',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.shared(work),
        joins: (query) => query.innerJoin(Tenant, 'tenant', 'tenant.id = session.tenantId'),
        where: 'session.user_id = :userId and session.expires_at > now()',
        parameters: () => ({ userId: ownId() }),
        sort: { by: 'seenAt', direction: 'desc' },
      }),
    };
    return {
      source,
      support: 'closed',
      group: 'settings',
      icon: 'LogIn',
      ...declared.places,
      sort: { by: 'seenAt', direction: 'desc' },
      actions: {
        end: {
          icon: 'LogOut',
          variant: 'danger',
          guard: 'endSure',
          act: async (id) => ({
            message: isUuid(id) && (await sessions.end(ownId(), id)) ? 'ended' : 'error404Record',
          }),
        },
        endAll: {
          icon: 'Power',
          variant: 'danger',
          guard: 'endAllSure',
          act: async () => {
            await sessions.endAll(ownId());
            return { message: 'endedAll' };
          },
        },
      },
      words,
    };
  }
}

/** SQL: browser and system, such as "Firefox on Linux". The order matters, because browsers name others in their user agent. */
const browserSql = `concat_ws(' · ',
  case when session.user_agent ~ 'Edg' then 'Edge' when session.user_agent ~ 'OPR' then 'Opera'
    when session.user_agent ~ 'Firefox|FxiOS' then 'Firefox'
    when session.user_agent ~ 'Chrome|CriOS' then 'Chrome' when session.user_agent ~ 'Safari' then 'Safari' else '?' end,
  case when session.user_agent ~ 'iPhone|iPad' then 'iOS' when session.user_agent ~ 'Android' then 'Android'
    when session.user_agent ~ 'Windows' then 'Windows'
    when session.user_agent ~ 'Mac OS' then 'macOS' when session.user_agent ~ 'Linux' then 'Linux' end)`;
