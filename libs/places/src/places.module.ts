import { CatalogueModule } from '#catalogue';
import { Module } from '@nestjs/common';
import { Place } from './place.entity.js';
import { PlaceProfileService } from './profile/place-profile.service.js';
import { Profile } from './profile/profile.entity.js';

/** Entities of what tenants say of themselves and share with each other. */
export const placeEntities = [Place, Profile];

/** What crosses tenants: their public records, their creation, and the agendas that several of them fill. */
@Module({
  imports: [CatalogueModule],
  providers: [PlaceProfileService],
  exports: [PlaceProfileService],
})
export class PlacesModule {}
