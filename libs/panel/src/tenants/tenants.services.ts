import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { SupportVisitsService, TenantHistory, TenantLife, Tenants } from '#tenancy';

/** What the resource of tenants asks. */
@Injectable()
export class TenantServices {
  constructor(
    readonly tenants: Tenants,
    readonly life: TenantLife,
    readonly history: TenantHistory,
    @Inject(SETTINGS) readonly settings: Settings,
    readonly visits: SupportVisitsService,
  ) {}
}
