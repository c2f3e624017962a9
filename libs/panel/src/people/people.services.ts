import { SETTINGS, type Settings } from '#kernel';
import { InvitationMailsService, RightWordsService } from '#places';
import { FactorResetsService, FactorRulesService, GrantsService, InvitationsService, TenantDb, VenueRolesService } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** The services of the resource `people`. */
@Injectable()
export class PeopleServices {
  constructor(
    readonly db: TenantDb,
    readonly grants: GrantsService,
    readonly roles: VenueRolesService,
    readonly invitations: InvitationsService,
    readonly mails: InvitationMailsService,
    readonly rights: RightWordsService,
    readonly rules: FactorRulesService,
    readonly resets: FactorResetsService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}
}
