import { databaseNow } from '#kernel';
import { allScopes, ApiKey, currentTenant, User, ApiKeysService, TenantDb } from '#tenancy';
import type { Scope } from '#tenancy';
import {
  formAction,
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  keepToReveal,
  revealAction,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { words } from './api-keys.words.js';
import { refusable } from '../forms/refusals.js';

const subject = (id: string): string => `key:${id}`;

/** Splits a text with one address, network or origin per line; also accepts commas, semicolons and spaces. */
const linesOf = (text: PanelValue | undefined): string[] => (typeof text === 'string' ? text.split(/[\s,;]+/).filter(Boolean) : []);

function expiryOf(value: PanelValue | undefined): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const expiry = new Date(value);
  if (expiry.getTime() <= databaseNow().getTime()) throw new PanelFieldError({ expiresAt: { message: 'expiresPast' } });
  return expiry;
}

async function create(keys: ApiKeysService, { name, scopes, expiresAt, allowedAddresses, allowedOrigins }: PanelRow): Promise<PanelRow> {
  const { user } = currentPanelRequest();
  const expiry = expiryOf(expiresAt);
  const { id, key } = await refusable(() =>
    keys.createIntegrationKey({
      name: textOf(name),
      scopes: (scopes ?? []) as Scope[],
      allowedAddresses: linesOf(allowedAddresses),
      allowedOrigins: linesOf(allowedOrigins),
      ...(user && { ownerId: user.id, byOwner: true }),
      ...(expiry && { expiresAt: expiry }),
    }),
  );
  keepToReveal(subject(id), key);
  return { id, name: textOf(name) };
}

/** API keys of other programs. Keys of scanning devices belong to the resource `devices`. */
@PanelResource({ panels: 'tenant', position: 170 })
export class ApiKeysResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
  ) {}

  entry(): PanelEntry {
    const { db, keys } = this;
    const declared = declareProperties(
      {
        id: { show: 9 },
        name: { isTitle: true, list: true, form: true, filter: true },
        state: {
          availableValues: ['active', 'expired', 'suspended', 'revoked'],
          tones: { active: 'good', expired: 'waiting', suspended: 'bad', revoked: 'bad' },
          list: true,
          show: true,
          filter: true,
          sql: `case when key.revoked_at is not null then 'revoked' when key.suspended_at is not null then 'suspended'
          when key.expires_at <= now() then 'expired' else 'active' end`,
        },
        scopes: {
          type: 'string',
          isArray: true,
          availableValues: allScopes,
          sort: false,
          components: { edit: 'ScopeChecks', list: 'WordList', show: 'WordList' },
          required: true,
          list: true,
          show: true,
          form: true,
          filter: false,
        },
        lastUsedAt: { list: true, show: 6 },
        expiresAt: { help: 'expiresHelp', list: true, show: true, form: true },
        allowedAddresses: {
          type: 'textarea',
          help: 'addressesHelp',
          show: true,
          form: true,
          sql: `array_to_string(key.allowed_addresses, E'\\n')`,
        },
        allowedOrigins: {
          type: 'textarea',
          help: 'originsHelp',
          show: true,
          form: true,
          sql: `array_to_string(key.allowed_origins, E'\\n')`,
        },
        owner: { list: true, show: true, filter: true, sql: 'owner.name' },
        createdAt: { show: true },
      },
      { entity: ApiKey, alias: 'key' },
    );

    const source: PanelSource = {
      id: 'keys',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.shared(work),
        joins: (query) => query.leftJoin(User, 'owner', 'owner.id = key.ownerId'),
        where: `key.tenant_id = :tenantId and key.kind = 'gkey'`,
        parameters: () => ({ tenantId: currentTenant().id }),
        sort: { by: 'createdAt', direction: 'desc' },
      }),
      create: (values) => create(keys, values),
    };
    return {
      source,
      group: 'settings',
      icon: 'Key',
      rare: true,
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      afterNew: 'reveal',
      actions: {
        reveal: revealAction(subject),
        origins: formAction({
          icon: 'Globe',
          visible: (row) => row['state'] !== 'revoked',
          form: async (id) => {
            const { properties, messages } = words[currentPanelRequest().language];
            const value = textOf((await source.findOne(id))?.['allowedOrigins']);
            return {
              lead: [messages?.['originsLead'] ?? ''],
              fields: [
                {
                  name: 'allowedOrigins',
                  kind: 'textarea',
                  label: properties?.['allowedOrigins'] ?? '',
                  help: messages?.['originsHelp'] ?? '',
                  value,
                  longest: 6000,
                },
              ],
              submit: messages?.['originsSubmit'] ?? '',
            };
          },
          act: async (id, { allowedOrigins }) => {
            if (!(await refusable(() => keys.allowOrigins(id, linesOf(allowedOrigins))))) throw new PanelFieldError({}, 'error404Record');
            return { message: 'originsDone' };
          },
        }),
        takeOver: {
          icon: 'UserCheck',
          guard: 'takeOverSure',
          visible: (row) => row['state'] === 'suspended',
          act: async (id) => {
            const { user } = currentPanelRequest();
            const taken = user !== null && (await keys.takeOver(id, user.id));
            return { message: taken ? 'takenOver' : 'error404Record' };
          },
        },
        revoke: {
          icon: 'Slash',
          variant: 'danger',
          guard: 'revokeSure',
          visible: (row) => row['state'] !== 'revoked',
          act: async (id) => {
            // Only keys of this list: a device's key is revoked by renewing its pairing code.
            if (await source.findOne(id)) await db.transaction((tx) => keys.revoke(tx, id));
            return { message: 'revoked' };
          },
        },
      },
      words,
    };
  }
}
