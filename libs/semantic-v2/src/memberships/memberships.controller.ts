import { Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { bookingProblem, Memberships, toSchemaOrgMembership, type WholeMembership } from '#booking';
import { checkPreconditions, Describe, entityTag, applyPrefer, showValidators, uuidParam, WholeList } from '#http';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { answerList } from '../bookings/booking-list.js';
import { mapBookingRefusals, membershipPointer } from '../bookings/booking-refusals.dto.js';
import { answerPointers } from '../bookings/custom-form.dto.js';
import { MembershipsQuery } from '../bookings/bookings-query.dto.js';
import { MembershipChangeBody, NewMembershipBody, toNewMembership } from './membership-body.dto.js';
import { membershipsApi } from './memberships.api.js';

/** Memberships of the caller's tenant as schema.org ProgramMembership. */
@Controller('api/v2/memberships')
@Access('key', 'membership')
export class SemanticMembershipsController {
  constructor(private readonly memberships: Memberships) {}

  @Get()
  @WholeList()
  @Describe(membershipsApi.list)
  async list(
    @Query() query: MembershipsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    return answerList(this.memberships, query, shown, request, response);
  }

  @NeedsModule('membership')
  @Post()
  @Describe(membershipsApi.create)
  async create(
    @Body() body: NewMembershipBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const answerPointer = answerPointers(body);
    const membership = await mapBookingRefusals(
      this.memberships.create(toNewMembership(body)),
      (field) => answerPointer(field) ?? membershipPointer(field),
    );
    response.location(`/api/v2/memberships/${membership.id}/`);
    return applyPrefer(request, response, await this.answer(membership, response));
  }

  @Get(':id')
  @Describe(membershipsApi.get)
  async get(
    @Param('id', uuidParam(() => bookingProblem('membership.unknown'))) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.answer(known(await this.memberships.find(id)), response);
  }

  /** The only change that the body can say is the end. */
  @Patch(':id')
  @Describe(membershipsApi.change)
  async change(
    @Param('id', uuidParam(() => bookingProblem('membership.unknown'))) id: string,
    @Body() _body: MembershipChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const check = (current: WholeMembership): void =>
      checkPreconditions(request, { tags: [entityTag(shown(current))] });
    const membership = known(await this.memberships.cancel(id, undefined, check));
    return applyPrefer(request, response, await this.answer(membership, response));
  }

  private async answer(membership: WholeMembership, response: Response): Promise<object> {
    // The code follows from what is shown without it, so the tag of that is the tag of both.
    showValidators(response, shown(membership));
    return toSchemaOrgMembership(membership, currentTenant(), await this.memberships.codeOf(membership));
  }
}

function shown(membership: WholeMembership): object {
  return toSchemaOrgMembership(membership, currentTenant());
}

function known(membership: WholeMembership | undefined): WholeMembership {
  if (!membership) throw bookingProblem('membership.unknown');
  return membership;
}
