import { AdminModule, type AbstractLoader, type AdminModuleOptions } from '@adminjs/nestjs';
import { Injectable, type DynamicModule, type Type } from '@nestjs/common';
import { AdminJS, type AdminJSOptions } from 'adminjs';
import type { PanelKind } from '../resource/panel-entry.js';
import { PanelRouter } from './panel-router.js';

// AdminModule calls `watch`, which compiles components and watches their files unless NODE_ENV is production. The bundle is built
// by `npm run build`.
AdminJS.prototype.watch = async () => undefined;

/** What {@link PanelLoader} is given beside AdminJS's own options. */
export interface PanelAdminOptions extends AdminModuleOptions {
  readonly kind: PanelKind;
}

/**
 * Puts the routes of an AdminJS into the router that the panel keeps for it, behind the session, host and same-origin checks. The
 * loader of @adminjs/nestjs would put them in front of all middleware.
 */
@Injectable()
export class PanelLoader implements AbstractLoader {
  constructor(private readonly panel: PanelRouter) {}

  register(admin: AdminJS, _adapter: unknown, { kind }: PanelAdminOptions): void {
    this.panel.fill(kind, admin);
  }
}

/**
 * One AdminJS as a Nest module. It is made once, when the application starts, and knows no tenant, no user and no language; those come
 * with each request.
 *
 * @param home module that exports a {@link PanelRouter}
 */
export function panelAdmin(kind: PanelKind, home: Type | DynamicModule): DynamicModule {
  return AdminModule.createAdminAsync({
    imports: [home],
    inject: [PanelRouter],
    useFactory: (panel: PanelRouter): PanelAdminOptions => {
      let options: AdminJSOptions | undefined;
      // Read when the module starts: then all providers are made, those of resources too.
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
