import { foldedColumnSql } from '#kernel';
import { SecondFactorService, Tenant, User, TenantDb, UserHistoryService, UsersService } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  PanelFieldError,
  searchProperty,
  entityReader,
  textOf,
  newHref,
  recordHref,
  related,
  relatedProperty,
  keepToReveal,
  revealAction,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { userChangeWords, words } from './users.words.js';
import { factorProperty } from './factor.property.js';
import { texts } from '../locales/panel.texts.js';

const subject = (id: string): string => `password:${id}`;
const isSelf = (id: unknown): boolean => currentPanelRequest().user?.id === id;
const addTenant = texts.localized('users.addTenant');

async function tenantsOf(db: TenantDb, userId: string): Promise<PanelValue> {
  const rows = await db.shared((tx) =>
    tx
      .createQueryBuilder()
      .select('tenant.id', 'id')
      .addSelect('tenant.name', 'name')
      .addSelect('tenant.slug', 'slug')
      .from(Tenant, 'tenant')
      .where(
        `(tenant.id in (select tenant_id from shared.tenant_administrator where user_id = :userId)
          or tenant.id in (select tenant_id from shared.role_grant where user_id = :userId))`,
        { userId },
      )
      .orderBy('tenant.name')
      .limit(200)
      .getRawMany<{ id: string; name: string; slug: string }>(),
  );
  const items = rows.map(({ id, name, slug }) => ({
    title: name,
    href: recordHref('administrators', `${id}.${userId}`),
    details: slug,
  }));
  const { language } = currentPanelRequest();
  return related(items, { href: newHref('administrators', { userId }), label: addTenant[language] });
}

/** The record of changes of a user's permissions. */
async function changesOf(history: UserHistoryService, userId: string): Promise<PanelValue> {
  const done = userChangeWords[currentPanelRequest().language];
  const changes = await history.list(userId, 50);
  return related(
    changes.map(({ action, actor, at, details }) => ({
      title: done[action] ?? action,
      at: at.toISOString(),
      details: [actor, details['tenant']].filter((text) => typeof text === 'string').join(' · '),
    })),
  );
}

async function create(users: UsersService, values: PanelRow): Promise<PanelRow> {
  const { email, name, password, isSuperUser, mayCreateTenants } = values;
  const typed = typeof password === 'string' && password !== '';
  const user = await refusable(() =>
    users.create({
      email: textOf(email),
      ...(typeof name === 'string' && { name }),
      ...(typed && { password }),
      isSuperUser: isSuperUser === true,
      mayCreateTenants: mayCreateTenants === true,
    }),
  );
  if (!typed) keepToReveal(subject(user.id), user.password);
  return { id: user.id, email: user.email };
}

async function update(users: UsersService, id: string, values: PanelRow): Promise<boolean> {
  const { name, email, password, isSuperUser, mayCreateTenants } = values;
  if (isSuperUser === false && isSelf(id)) throw new PanelFieldError({ isSuperUser: { message: 'notYourself' } });
  const found = await refusable(() =>
    users.change(id, { ...(typeof name === 'string' && { name }), ...(typeof email === 'string' && { email }) }),
  );
  if (!found) return false;
  if (typeof password === 'string' && password !== '') await refusable(() => users.setPassword(id, password));
  await refusable(() =>
    users.grant(id, {
      ...(typeof isSuperUser === 'boolean' && { isSuperUser }),
      ...(typeof mayCreateTenants === 'boolean' && { mayCreateTenants }),
    }),
  );
  return true;
}

/** The users of all panels. */
@PanelResource({ panels: 'root', position: 30 })
export class UsersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
    private readonly history: UserHistoryService,
    private readonly factor: SecondFactorService,
  ) {}

  entry(): PanelEntry {
    const { db, users, history, factor } = this;
    const declared = declareProperties(
      {
        id: { show: 8 },
        search: { ...searchProperty, filter: true },
        name: { isTitle: true, required: false, list: true, form: true, filter: true },
        email: { type: 'email', list: true, show: true, form: true, filter: true },
        password: { type: 'password', help: 'passwordHelp', form: true },
        tenantsCount: {
          type: 'number',
          list: true,
          filter: false,
          sql: `((select count(*)::int from shared.tenant_administrator a where a.user_id = person.id)
            + (select count(*)::int from shared.role_grant g where g.user_id = person.id))`,
        },
        mayCreateTenants: { initial: false, help: 'mayCreateHelp', list: true, show: true, form: true, filter: true },
        isSuperUser: { initial: false, help: 'superUserHelp', list: true, show: true, form: true, filter: true },
        hasFactor: factorProperty,
        lastSignInAt: { list: true, show: true },
        createdAt: { show: true },
        tenants: { ...relatedProperty('tenants'), show: 2 },
        history: { ...relatedProperty('history'), show: true },
      },
      { entity: User, alias: 'person' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      searched: { own: ['person.name', 'person.email'].map(foldedColumnSql), ids: ['person.id'] },
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'users',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, tenants: await tenantsOf(db, id), history: await changesOf(history, id) };
      },
      create: (values) => create(users, values),
      update: async (id, values) => ((await update(users, id, values)) ? source.findOne(id) : null),
    };
    return {
      source,
      group: 'server',
      icon: 'Users',
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      afterNew: (id) => (currentPanelRequest().secrets.has(subject(id)) ? 'reveal' : 'show'),
      actions: {
        reveal: revealAction(subject),
        newPassword: {
          icon: 'Lock',
          guard: 'newPasswordSure',
          // Not for the own user: a new password would end the session that shows it. The own password is set in the form.
          visible: (row) => !isSelf(row['id']),
          act: async (id) => {
            if (!(await reader.findOne(id))) return { message: 'error404Record' };
            keepToReveal(subject(id), await users.setPassword(id));
            return { redirect: recordHref('users', id, 'reveal') };
          },
        },
        resetFactor: {
          icon: 'Unlock',
          variant: 'danger',
          guard: 'resetFactorSure',
          visible: (row) => row['hasFactor'] === true && !isSelf(row['id']),
          act: async (id) => ({ message: (await reader.findOne(id)) && (await factor.reset(id)) ? 'factorReset' : 'error404Record' }),
        },
      },
      hit: { details: ['email'], at: 'lastSignInAt' },
      words,
    };
  }
}
