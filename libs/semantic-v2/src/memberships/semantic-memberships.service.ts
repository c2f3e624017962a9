import { Injectable } from '@nestjs/common';
import { MembershipsService, toSchemaOrgMembership, type MembershipAnswer, type WholeMembership } from '#memberships';
import { bookingProblem } from '#tickets';
import { entityTag, reply, type JsonList, type Preconditions, type Reply } from '#http';
import { EnteredCodesService } from '#selling';
import { currentTenant, type Principal } from '#tenancy';
import { listReply } from '../bookings/booking-list.js';
import type { MembershipsQuery } from '../bookings/bookings-query.dto.js';
import { toNewMembership, type NewMembershipBody } from './membership-body.dto.js';

/** Memberships of the current tenant as schema.org ProgramMembership. */
@Injectable()
export class SemanticMembershipsService {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly codes: EnteredCodesService,
  ) {}

  list(query: MembershipsQuery): Promise<Reply<JsonList<MembershipAnswer>>> {
    return listReply(this.memberships, query, shown);
  }

  async create(body: NewMembershipBody, caller: Principal | undefined): Promise<Reply<MembershipAnswer>> {
    const wanted = toNewMembership(body);
    await this.codes.limit(wanted.code, caller);
    const membership = await this.memberships.create(wanted);
    return this.answer(membership, `/api/v2/memberships/${membership.id}/`);
  }

  async get(id: string): Promise<Reply<MembershipAnswer>> {
    return this.answer(await this.memberships.find(id));
  }

  async cancel(id: string, conditions: Preconditions): Promise<Reply<MembershipAnswer>> {
    const check = (current: WholeMembership): void => conditions.check({ tags: [entityTag(shown(current))] });
    return this.answer(await this.memberships.cancel(id, undefined, check));
  }

  /** @throws Problem `membership.unknown` when there is none */
  private async answer(membership: WholeMembership | undefined, location?: string): Promise<Reply<MembershipAnswer>> {
    if (!membership) throw bookingProblem('membership.unknown');
    const code = await this.memberships.codeOf(membership);
    // The code depends only on the other members, so the tag of the answer without code is valid for both.
    return reply(toSchemaOrgMembership(membership, currentTenant(), code), { version: shown(membership), location });
  }
}

function shown(membership: WholeMembership): MembershipAnswer {
  return toSchemaOrgMembership(membership, currentTenant());
}
