import { CatalogueModule } from '#catalogue';
import { MessagesModule } from '#messages';
import { Module } from '@nestjs/common';
import { PlacePicturesController } from './api/place-pictures.controller.js';
import { PlacesController } from './api/places.controller.js';
import { OpenedTenantsService } from './creation/opened-tenants.service.js';
import { PlaceCreationService } from './creation/place-creation.service.js';
import { FederatedEvent } from './federation/federated-event.entity.js';
import { FederatedEventsService } from './federation/federated-events.service.js';
import { FederationAuditService } from './federation/federation-audit.service.js';
import { NetworkAgendaService } from './federation/network-agenda.service.js';
import { NetworkMember } from './federation/network-member.entity.js';
import { NetworksService } from './federation/networks.service.js';
import { Place } from './directory/place.entity.js';
import { PlaceRecordsService } from './directory/place-records.service.js';
import { PlacesService } from './directory/places.service.js';
import { PlaceProfileService } from './profile/place-profile.service.js';
import { Profile } from './profile/profile.entity.js';
import { PlaceRequestPicture } from './signup/place-request-picture.entity.js';
import { PlaceRequest } from './signup/place-request.entity.js';
import { SignupApprovalsService } from './signup/signup-approvals.service.js';
import { SignupConfirmationService } from './signup/signup-confirmation.service.js';
import { SignupCreationService } from './signup/signup-creation.service.js';
import { SignupInvitationsService } from './signup/signup-invitations.service.js';
import { SignupLinks } from './signup/signup-links.js';
import { OperatorMailsService } from './operators/operator-mails.service.js';
import { QuotaNoticesService } from './quotas/quota-notices.service.js';
import { ApprovalNoticesService } from './signup-mails/approval-notices.service.js';
import { SignupMailsService } from './signup-mails/signup-mails.service.js';
import { SignupPicturesService } from './signup/signup-pictures.service.js';
import { SignupRequestsService } from './signup/signup-requests.service.js';
import { SubDomainsService } from './signup/sub-domains.service.js';
import { InvitationMailsService } from './staff/invitation-mails.service.js';
import { RightWordsService } from './staff/right-words.service.js';
import { StaffMailsService } from './staff/staff-mails.service.js';
import { TenantWelcome } from './welcome/tenant-welcome.entity.js';
import { TenantWelcomeService } from './welcome/tenant-welcome.service.js';

/** Entities of profiles, of data that tenants share, and of places that are being created. */
export const placeEntities = [Place, Profile, NetworkMember, FederatedEvent, PlaceRequest, PlaceRequestPicture, TenantWelcome];

const services = [
  PlaceProfileService,
  PlacesService,
  PlaceCreationService,
  PlaceRecordsService,
  FederatedEventsService,
  FederationAuditService,
  NetworksService,
  NetworkAgendaService,
  SubDomainsService,
  SignupLinks,
  SignupPicturesService,
  SignupRequestsService,
  SignupCreationService,
  SignupApprovalsService,
  SignupConfirmationService,
  SignupInvitationsService,
  OperatorMailsService,
  QuotaNoticesService,
  ApprovalNoticesService,
  SignupMailsService,
  TenantWelcomeService,
  StaffMailsService,
  RightWordsService,
  InvitationMailsService,
  OpenedTenantsService,
];

/** Public records, creation of tenants, and agendas with events of several tenants. */
@Module({
  imports: [CatalogueModule, MessagesModule],
  controllers: [PlacesController, PlacePicturesController],
  providers: services,
  exports: services,
})
export class PlacesModule {}
