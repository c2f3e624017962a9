import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { OpenedTenantsService } from '#places';
import { QuotasService, SupportVisitsService, TenantHistoryService, TenantLifeService } from '#tenancy';

/** The services of the resource `tenants`. */
@Injectable()
export class TenantServices {
  constructor(
    readonly opened: OpenedTenantsService,
    readonly life: TenantLifeService,
    readonly history: TenantHistoryService,
    @Inject(SETTINGS) readonly settings: Settings,
    readonly visits: SupportVisitsService,
    readonly quotas: QuotasService,
  ) {}
}
