import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, type PipeTransform } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { PostalAddressAnswer } from '#catalogue';
import {
  AppliesPrefer,
  Describe,
  FormFiles,
  IfMatch,
  MapsRefusals,
  Preconditions,
  ReadsFound,
  Versioned,
  WholeList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { TakesAddressForm, type PictureFiles } from '../shared/picture-form.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { problem } from '../shared/semantic-v2.problems.js';
import { PostalAddressList } from './address-list.dto.js';
import { AddressChangeBody, NewAddressBody } from './postal-address-body.dto.js';
import { SemanticAddressesService } from './semantic-addresses.service.js';

const unknown = ['postal_address.unknown'];

/** Answers malformed ids like unknown ones. */
class AddressId implements PipeTransform<string> {
  transform(id: string): string {
    if (!/^[1-9]\d{0,17}$/.test(id)) throw problem('postal_address.unknown');
    return id;
  }
}

/** Addresses of the caller's tenant as schema.org PostalAddress. */
@Controller('api/v2/postal-addresses')
@ApiTags('Postal addresses')
@ApiParam({ name: 'id', description: 'Identifier of the address.', type: 'integer', example: 1 })
@Access('key', 'event')
@MapsRefusals(eventPointers)
export class SemanticPostalAddressesController {
  constructor(private readonly addresses: SemanticAddressesService) {}

  @Get()
  @WholeList({ pages: true })
  @Versioned({ list: true })
  @Describe({ summary: 'All postal addresses', description: 'The main address has `isMain` as a property.' })
  @ApiOkResponse({ type: PostalAddressList, description: 'The addresses' })
  list(): Promise<Reply<PostalAddressList>> {
    return this.addresses.list();
  }

  @NeedsModule('events')
  @Post()
  @TakesAddressForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @ReadsFound()
  @Describe({ summary: 'A new postal address', description: 'Pictures come as files of a form.', problems: ['image.busy'] })
  @ApiCreatedResponse({ type: PostalAddressAnswer, description: 'Made' })
  create(@Body() body: NewAddressBody, @FormFiles() files: PictureFiles): Promise<Reply<PostalAddressAnswer>> {
    return this.addresses.create(body, files);
  }

  @Get(':id')
  @Versioned({ modified: true })
  @Describe({ summary: 'One postal address', description: 'With its pictures.', problems: unknown })
  @ApiOkResponse({ type: PostalAddressAnswer, description: 'The address' })
  get(@Param('id', AddressId) id: string): Promise<Reply<PostalAddressAnswer>> {
    return this.addresses.get(id);
  }

  @NeedsModule('events')
  @Patch(':id')
  @TakesAddressForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @ReadsFound()
  @Describe({
    summary: 'Change a postal address (JSON merge patch)',
    description: 'What is absent stays, null removes.',
    problems: [...unknown, 'image.busy'],
  })
  @ApiOkResponse({ type: PostalAddressAnswer, description: 'The address as it is now' })
  change(
    @Param('id', AddressId) id: string,
    @Body() body: AddressChangeBody,
    @FormFiles() files: PictureFiles,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<PostalAddressAnswer>> {
    return this.addresses.change(id, body, files, conditions);
  }

  @Delete(':id')
  @Describe({ summary: 'Delete a postal address', description: 'Its events live on without it.', problems: unknown })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@Param('id', AddressId) id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.addresses.remove(id, conditions);
  }
}
