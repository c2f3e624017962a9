import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { currentLanguage, type Language, type Text } from '#kernel';
import { problem } from './tenancy.problems.js';
import { categories, categoryHas, type TenantModule } from './tenant-categories.js';
import { currentTenant } from './tenant-context.js';
import { texts } from '../../locales/tenancy.texts.js';

const modulesKey = 'guichet:modules';

/**
 * Restricts a route, or all routes of a controller, to tenants whose category has one of these modules. Others get 403 `tenant.module`.
 * Routes that only read, cancel or delete have no restriction, so that a tenant can always see and remove its data.
 */
export function NeedsModule(...modules: readonly TenantModule[]): MethodDecorator & ClassDecorator {
  return SetMetadata(modulesKey, modules);
}

/** The modules of a route: the method's own, otherwise its controller's; empty when every tenant may call it. */
export function modulesOf(reflector: Reflector, handler: object, controller: object): readonly TenantModule[] {
  const found = reflector.getAllAndOverride<readonly TenantModule[] | undefined>(modulesKey, [handler as never, controller as never]);
  return found ?? [];
}

/** Whether the current tenant's category has one of these modules. */
export function hasModule(...modules: readonly TenantModule[]): boolean {
  return categoryHas(currentTenant().category, ...modules);
}

/**
 * Requires one of these modules. Services call it wherever data is created, so that the check applies to API, panel and pages alike.
 * @throws Problem 403 `tenant.module`, which names the category and its modules
 */
export function demandModule(...modules: readonly TenantModule[]): void {
  if (hasModule(...modules)) return;
  const language = currentLanguage();
  const { category } = currentTenant();
  const { label, modules: allowed } = categories[category];
  const parameters = {
    category,
    label: label[language],
    wanted: listOfModules(modules, language, 'or'),
    allowed: listOfModules(allowed, language, 'and'),
  };
  throw problem('tenant.module', { parameters, members: { category, modules: allowed } });
}

const does: Readonly<Record<TenantModule, Text>> = {
  events: texts.localized('tenantModules.does.events'),
  membership: texts.localized('tenantModules.does.membership'),
  ticketing: texts.localized('tenantModules.does.ticketing'),
  scanning: texts.localized('tenantModules.does.scanning'),
  'federated-agenda': texts.localized('tenantModules.does.federatedAgenda'),
  server: texts.localized('tenantModules.does.server'),
};

const listWords = { or: 'disjunction', and: 'conjunction' } as const;

function listOfModules(modules: readonly TenantModule[], language: Language, word: keyof typeof listWords): string {
  const list = new Intl.ListFormat(language, { type: listWords[word] });
  return list.format(modules.map((module) => does[module][language]));
}
