import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { bookingProblem } from '#booking';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { membershipPointer } from '../bookings/booking-refusals.dto.js';
import { MembershipsQuery } from '../bookings/bookings-query.dto.js';
import { answerPointers } from '../bookings/custom-form.dto.js';
import { MembershipChangeBody, NewMembershipBody } from './membership-body.dto.js';
import { membershipsApi } from './memberships.api.js';
import { SemanticMembershipsService } from './semantic-memberships.service.js';

const MembershipId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('membership.unknown'));

/** Memberships of the caller's tenant as schema.org ProgramMembership. */
@Controller('api/v2/memberships')
@Access('key', 'membership')
@MapsRefusals(membershipPointer)
export class SemanticMembershipsController {
  constructor(private readonly memberships: SemanticMembershipsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe(membershipsApi.list)
  list(@Query() query: MembershipsQuery): Promise<Reply<object>> {
    return this.memberships.list(query);
  }

  @NeedsModule('membership')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @BodyPointers((body: NewMembershipBody) => answerPointers(body))
  @Describe(membershipsApi.create)
  create(@Body() body: NewMembershipBody): Promise<Reply<object>> {
    return this.memberships.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe(membershipsApi.get)
  get(@MembershipId() id: string): Promise<Reply<object>> {
    return this.memberships.get(id);
  }

  /** The only change that the body can say is the end. */
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe(membershipsApi.change)
  change(@MembershipId() id: string, @Body() _body: MembershipChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<object>> {
    return this.memberships.cancel(id, conditions);
  }
}
