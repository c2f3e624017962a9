import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue';

/** Entities of what tenants share with each other. */
export const placeEntities: readonly (abstract new () => object)[] = [];

/** What crosses tenants: their public records, their creation, and the agendas that several of them fill. */
@Module({ imports: [CatalogueModule] })
export class PlacesModule {}
