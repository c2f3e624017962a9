import { Injectable, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ruleOf, type AccessRule } from './access-rule.js';
import type { TenantModule } from '../../database/context/tenant-categories.js';
import { modulesOf } from '../../database/context/tenant-modules.js';

/** A route as its controller declares it. */
export interface ControllerRoute {
  /** `Controller.method`. */
  readonly name: string;
  readonly rule: AccessRule | undefined;
  /** The tenant must have one of these modules; empty: no requirement. */
  readonly modules: readonly TenantModule[];
  /** In capitals. */
  readonly method: string;
  /** With `:parameters`, without a final slash. */
  readonly path: string;
  readonly handler: object;
}

/** All routes of the program, for the check of access rules and for the API document. */
@Injectable()
export class ControllerRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Returns the routes of all controllers. */
  all(): ControllerRoute[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (!instance || !metatype) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => ({ name, handler: prototype[name] as () => unknown }))
        .filter(({ handler }) => Reflect.getMetadata('path', handler) !== undefined)
        .map(({ name, handler }) => ({
          name: `${metatype.name}.${name}`,
          rule: ruleOf(this.reflector, handler, metatype),
          modules: modulesOf(this.reflector, handler, metatype),
          method: RequestMethod[Reflect.getMetadata('method', handler) as RequestMethod],
          path: `/${[pathOf(metatype), pathOf(handler)]
            .flatMap((part) => part.split('/'))
            .filter(Boolean)
            .join('/')}`,
          handler,
        }));
    });
  }
}

function pathOf(declared: object): string {
  return [Reflect.getMetadata('path', declared) as string | string[] | undefined].flat()[0] ?? '';
}
