import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { TenantHoldings } from '#tenancy';
import { eventIsOverSql } from './event-queries/event-end.js';

/** Reports the parts of the catalogue that prevent a change of the tenant's category. Unpublished products and events do not. */
@Injectable()
export class CatalogueHoldings implements OnModuleInit {
  constructor(
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.holdings.add(
      {
        module: 'ticketing',
        name: { en: 'published ticket products', fr: 'produits de billetterie publiés' },
        from: `from product where category <> 'A' and published and built_in is null`,
      },
      {
        module: 'membership',
        name: { en: 'published membership products', fr: "produits d'adhésion publiés" },
        from: `from product where category = 'A' and published`,
      },
      {
        module: 'events',
        name: { en: 'published events that are not over', fr: 'événements publiés à venir' },
        from: `from event where published and not ${eventIsOverSql('event', this.settings)}`,
      },
    );
  }
}
