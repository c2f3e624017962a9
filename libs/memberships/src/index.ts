export { TooManyMemberships } from './joining/membership-limits.js';
export {
  type AskedMembershipOffer,
  type MemberBenefit,
  type MembershipOffer,
  isForCart,
  isForOwnForm,
  isFreeOffer,
  membershipOffer,
  membershipOffers,
  membershipOffersSql,
} from './membership-offers.js';
export { MembershipOrdersService, type Renewal, awaitsAddress } from './membership-orders.service.js';
export { EarlierMembershipsService } from './earlier-memberships.service.js';
export { MembershipRenewalsService } from './membership-renewals.service.js';
export { type AutomaticRenewal, renewThemselves } from './rows/renewal-rows.js';
export { MembershipRemindersService } from './membership-reminders.service.js';
export { type WholeMembership, loadMembership, loadMemberships, lockMembership } from './rows/membership-rows.js';
export { checkMembershipLimits, renewalAmount } from './joining/membership-terms.js';
export { membershipContractName, membershipWithdrawableUntil, membershipWithdrawalEnd } from './rows/withdrawable-membership.js';
export { publishMembershipUpdate } from './rows/membership-updates.js';
export { MembershipAnswer, toSchemaOrgMembership } from './rows/membership.dto.js';
export { Membership, type MembershipStatus, membershipStates } from './rows/membership.entity.js';
export { MembershipsService } from './memberships.service.js';
export { codedMemberships } from './joining/membership-code.js';
export { type NewMembership, checkNewMembership } from './joining/new-membership.js';
export { membershipEntities, MembershipsModule } from './memberships.module.js';
