import { SETTINGS, type Settings } from '#kernel';
import { AccountLookupService, FactorRulesService, GrantsService, TenantDb, VenueRolesService } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** The services of the resource `people`. */
@Injectable()
export class PeopleServices {
  constructor(
    readonly db: TenantDb,
    readonly grants: GrantsService,
    readonly roles: VenueRolesService,
    readonly accounts: AccountLookupService,
    readonly rules: FactorRulesService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}
}
