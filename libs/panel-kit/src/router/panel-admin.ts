import { AdminModule, type AbstractLoader, type AdminModuleOptions } from '@adminjs/nestjs';
import { Injectable, type DynamicModule, type Type } from '@nestjs/common';
import { AdminJS, type AdminJSOptions } from 'adminjs';
import type { PanelKind } from '../resource/panel-entry.js';
import { PanelRouter } from './panel-router.js';

// AdminModule calls `watch`, which compiles components and watches their files unless NODE_ENV is production. Here `npm run build` makes
// the bundle.
AdminJS.prototype.watch = async () => undefined;

/** Options of {@link PanelLoader} in addition to AdminJS's own. */
export interface PanelAdminOptions extends AdminModuleOptions {
  readonly kind: PanelKind;
}

/**
 * Registers the routes of an AdminJS instance in the panel's router, after the session, host and same-origin checks. The loader of
 * @adminjs/nestjs would register them before all middleware.
 */
@Injectable()
export class PanelLoader implements AbstractLoader {
  constructor(private readonly panel: PanelRouter) {}

  register(admin: AdminJS, _adapter: unknown, { kind }: PanelAdminOptions): void {
    this.panel.fill(kind, admin);
  }
}

/**
 * An AdminJS instance as a Nest module. It is created once, when the application starts; tenant, user and language come with each request.
 * @param home module that exports a {@link PanelRouter}
 */
export function panelAdmin(kind: PanelKind, home: Type | DynamicModule): DynamicModule {
  return AdminModule.createAdminAsync({
    imports: [home],
    inject: [PanelRouter],
    useFactory: (panel: PanelRouter): PanelAdminOptions => {
      let options: AdminJSOptions | undefined;
      // A getter, because the options need all providers, including those of resources, which exist only when the module starts.
      return {
        kind,
        get adminJsOptions() {
          return (options ??= panel.adminOptions(kind));
        },
      };
    },
    customLoader: PanelLoader,
  });
}
