import { CatalogueModule } from '#catalogue';
import { GiftCardsModule } from '#gift-cards';
import { PaymentsModule } from '#payments';
import { TicketsModule } from '#tickets';
import { Module } from '@nestjs/common';
import { Membership } from './rows/membership.entity.js';
import { MembershipsService } from './memberships.service.js';
import { MembershipOrdersService } from './membership-orders.service.js';
import { MembershipRemindersService } from './membership-reminders.service.js';
import { MembershipRenewal } from './rows/membership-renewal.entity.js';
import { MembershipRenewalsService } from './membership-renewals.service.js';
import { EarlierMembershipsService } from './earlier-memberships.service.js';
import { MembershipExpiryService } from './membership-expiry.service.js';

export const membershipEntities = [Membership, MembershipRenewal];

const shared = [MembershipsService, MembershipOrdersService, MembershipRemindersService, MembershipRenewalsService];

@Module({
  imports: [CatalogueModule, PaymentsModule, TicketsModule, GiftCardsModule],
  providers: [...shared, MembershipExpiryService, EarlierMembershipsService],
  exports: shared,
})
export class MembershipsModule {}
