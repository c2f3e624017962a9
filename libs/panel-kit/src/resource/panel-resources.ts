import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { TenantModule } from '#tenancy';
import { ofModule } from './of-module.js';
import type { PanelEntry, PanelKind } from './panel-entry.js';

export interface PanelResourceOptions {
  /** The panels that have the resource. */
  readonly panels: PanelKind | readonly PanelKind[];
  /** Position in its section of the side bar, and in the search; the lowest is first. */
  readonly position: number;
  /** Only tenants whose category has one of these modules have the resource. Default: all. */
  readonly modules?: TenantModule | readonly TenantModule[];
}

/** A class that describes one resource of the panel. */
export interface ResourceProvider {
  /** Called once per panel when the application starts. */
  entry(panel: PanelKind): PanelEntry;
}

const Marked = DiscoveryService.createDecorator<PanelResourceOptions>();

/** Declares a provider as a resource of the panel. Its class must implement {@link ResourceProvider}. */
export const PanelResource = (options: PanelResourceOptions): ClassDecorator => applyDecorators(Injectable(), Marked(options));

/** Finds all providers with the decorator {@link PanelResource}. */
@Injectable()
export class PanelResources {
  private readonly found = new Map<PanelKind, readonly PanelEntry[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** The resources of one panel, ordered by position. Call it from `onModuleInit` on, when all providers exist. */
  entries(panel: PanelKind): readonly PanelEntry[] {
    let entries = this.found.get(panel);
    if (!entries) this.found.set(panel, (entries = this.read(panel)));
    return entries;
  }

  private read(panel: PanelKind): PanelEntry[] {
    const marked = this.discovery.getProviders({ metadataKey: Marked.KEY }).flatMap((wrapper) => {
      const options = this.discovery.getMetadataByDecorator(Marked, wrapper);
      if (!options || ![options.panels].flat().includes(panel)) return [];
      return [{ options, provider: wrapper.instance as ResourceProvider }];
    });
    return marked
      .toSorted((one, other) => one.options.position - other.options.position)
      .map(({ options: { modules }, provider }) => {
        const entry = provider.entry(panel);
        return modules ? ofModule(modules, entry) : entry;
      });
  }
}
