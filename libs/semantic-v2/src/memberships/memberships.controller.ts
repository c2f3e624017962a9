import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { MembershipAnswer } from '#memberships';
import { bookingProblem } from '#tickets';
import {
  AppliesPrefer,
  BodyPointers,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, Caller, NeedsModule, QuotasService, type Principal } from '#tenancy';
import { codeRefusals, membershipPointer } from '../bookings/booking-refusals.dto.js';
import { MembershipsQuery } from '../bookings/bookings-query.dto.js';
import { answerPointers } from '../bookings/custom-form.dto.js';
import { MembershipChangeBody, NewMembershipBody } from './membership-body.dto.js';
import { MembershipList } from '../bookings/booking-lists.dto.js';
import { SemanticMembershipsService } from './semantic-memberships.service.js';

const unknown = ['membership.unknown'];
const MembershipId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('membership.unknown'));

/** Memberships of the caller's tenant as schema.org ProgramMembership. */
@Controller('api/v2/memberships')
@ApiTags('Memberships')
@ApiParam({ name: 'id', description: 'Identifier of the membership.', ...formats.uuid, example: '2b0d6c5e-93a3-4d0c-9b27-6f3e5a1c7d42' })
@Access('key', 'membership')
@MapsRefusals(membershipPointer)
export class SemanticMembershipsController {
  constructor(
    private readonly memberships: SemanticMembershipsService,
    private readonly quotas: QuotasService,
  ) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({
    summary: 'Memberships, the newest first',
    description: 'All of them, unless a page is asked for. `email` finds every spelling of an address.',
  })
  @ApiOkResponse({ type: MembershipList, description: 'The memberships, without codes' })
  list(@Query() query: MembershipsQuery): Promise<Reply<JsonList<MembershipAnswer>>> {
    return this.memberships.list(query);
  }

  @NeedsModule('membership')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @BodyPointers((body: NewMembershipBody) => answerPointers(body))
  @Describe({
    summary: 'A new membership',
    description: 'Valid at once when it costs nothing or `paymentMode` says how it was paid; a card goes by mail. `code` reduces it.',
    problems: [
      'booking.sold_out',
      'booking.limit_per_user',
      'booking.membership_required',
      'booking.price_not_published',
      'booking.sale_not_open',
      'booking.sale_ended',
      ...codeRefusals,
      'payment.unavailable',
      'payment.refused',
    ],
  })
  @ApiCreatedResponse({ type: MembershipAnswer, description: 'Made' })
  async create(@Body() body: NewMembershipBody, @Caller() caller?: Principal): Promise<Reply<MembershipAnswer>> {
    await this.quotas.demand('bookings');
    return this.memberships.create(body, caller);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One membership', description: 'With its code while it is valid.', problems: unknown })
  @ApiOkResponse({ type: MembershipAnswer, description: 'The membership' })
  get(@MembershipId() id: string): Promise<Reply<MembershipAnswer>> {
    return this.memberships.get(id);
  }

  /** The only supported change is the cancellation. */
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'End a membership',
    description: 'One that is cancelled already stays so. What was paid online is given back.',
    problems: unknown,
  })
  @ApiOkResponse({ type: MembershipAnswer, description: 'The membership as it is now' })
  change(
    @MembershipId() id: string,
    @Body() _body: MembershipChangeBody,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<MembershipAnswer>> {
    return this.memberships.cancel(id, conditions);
  }
}
