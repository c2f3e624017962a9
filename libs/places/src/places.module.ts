import { CatalogueModule } from '#catalogue';
import { Module } from '@nestjs/common';
import { PlacePicturesController } from './api/place-pictures.controller.js';
import { PlacesController } from './api/places.controller.js';
import { PlaceCreationService } from './creation/place-creation.service.js';
import { FederatedEvent } from './federation/federated-event.entity.js';
import { FederatedEventsService } from './federation/federated-events.service.js';
import { FederationAuditService } from './federation/federation-audit.service.js';
import { NetworkAgendaService } from './federation/network-agenda.service.js';
import { NetworkMember } from './federation/network-member.entity.js';
import { NetworksService } from './federation/networks.service.js';
import { Place } from './place.entity.js';
import { PlaceRecords } from './place-records.service.js';
import { PlacesService } from './places.service.js';
import { PlaceProfileService } from './profile/place-profile.service.js';
import { Profile } from './profile/profile.entity.js';

/** Entities of what tenants say of themselves and share with each other. */
export const placeEntities = [Place, Profile, NetworkMember, FederatedEvent];

/** What crosses tenants: their public records, their creation, and the agendas that several of them fill. */
@Module({
  imports: [CatalogueModule],
  controllers: [PlacesController, PlacePicturesController],
  providers: [
    PlaceProfileService,
    PlacesService,
    PlaceCreationService,
    PlaceRecords,
    FederatedEventsService,
    FederationAuditService,
    NetworksService,
    NetworkAgendaService,
  ],
  exports: [
    PlaceProfileService,
    PlacesService,
    PlaceCreationService,
    PlaceRecords,
    FederatedEventsService,
    FederationAuditService,
    NetworksService,
    NetworkAgendaService,
  ],
})
export class PlacesModule {}
