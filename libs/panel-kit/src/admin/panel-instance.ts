import type { AdminJSOptions, PropertyOptions, ResourceOptions } from 'adminjs';
import { allowed, ownActions, toAdminAction } from './panel-action.js';
import { toAdminPage } from './panel-page-action.js';
import { PanelResource } from './panel-adapter.js';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelContent } from '../resource/panel-content.js';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PanelProperty } from '../resource/panel-source.js';
import { panelTheme } from './panel-theme.js';
import { isEditable, isFilterable } from '../resource/panel-values.js';

function propertyOptions(property: PanelProperty): PropertyOptions {
  return {
    isRequired: property.required === true,
    isArray: property.isArray === true,
    // Read by our field components: input type, colours of values, initial value.
    custom: {
      input: property.type,
      ...(property.tones && { tones: property.tones }),
      ...(property.suggestedValues && { suggested: [...property.suggestedValues] }),
      ...(property.suggest && { asks: true }),
      ...(property.initial !== undefined && { initial: property.initial }),
    },
    ...(property.components && { components: property.components }),
    ...(property.help && { description: property.help }),
  };
}

function resourceOptions(entry: PanelEntry): ResourceOptions {
  const { properties } = entry.source;
  const named = (wanted: readonly string[] | undefined, otherwise: (property: PanelProperty) => boolean): string[] =>
    wanted ? [...wanted] : properties.filter(otherwise).map(({ name }) => name);
  const ours = Object.entries(entry.actions ?? {}).map(([name, action]) => [name, toAdminAction(entry, name, action)]);
  const pages = Object.entries(entry.pages ?? {}).map(([name, page]) => [name, toAdminPage(entry, name, page)]);
  return {
    id: entry.source.id,
    navigation: { name: entry.group, icon: entry.icon },
    listProperties: [...entry.list],
    showProperties: named(entry.show, ({ type }) => type !== 'password'),
    editProperties: named(entry.edit, isEditable),
    filterProperties: named(entry.filter, (property) => entry.list.includes(property.name) && isFilterable(property)),
    ...(entry.sort && { sort: { sortBy: entry.sort.by, direction: entry.sort.direction } }),
    properties: Object.fromEntries(properties.map((property) => [property.name, propertyOptions(property)])),
    actions: { ...ownActions(entry), ...Object.fromEntries([...ours, ...pages]) },
  };
}

/** A resource with its options. AdminJS copies plain objects deeply, which takes longer than all else that it does at the start. */
class Registered {
  constructor(
    readonly resource: PanelResource,
    readonly options: ResourceOptions,
  ) {}
}

/** The options of an AdminJS instance with the given resources. */
export function adminOptions({ entries, startPage }: PanelContent, assets: PanelAssets): AdminJSOptions {
  return {
    rootPath: PANEL_PATH,
    loginPath: `${PANEL_PATH}/login`,
    logoutPath: `${PANEL_PATH}/logout`,
    resources: entries.map(
      (entry) => new Registered(new PanelResource(entry.source, (action) => allowed(entry, action)), resourceOptions(entry)),
    ),
    dashboard: { component: 'Dashboard', handler: () => startPage() },
    branding: {
      companyName: 'Guichet',
      logo: assets.url('logo.svg'),
      favicon: assets.url('favicon.svg'),
      withMadeWithLove: false,
      theme: panelTheme,
    },
    settings: { defaultPerPage: 20 },
  };
}
