import { Inject, Injectable } from '@nestjs/common';
import { ImagesService, PostalAddressesService, toSchemaOrgAddress, type PostalAddress, type PostalAddressAnswer } from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { preparedPictures, type PictureFiles } from '../shared/picture-form.js';
import { problem } from '../shared/semantic-v2.problems.js';
import { SentPicturesService } from '../shared/sent-pictures.service.js';
import type { PostalAddressList } from './address-list.dto.js';
import { toAddressChange, toGeo, toNewAddress, type AddressChangeBody, type NewAddressBody } from './postal-address-body.dto.js';

/** Postal addresses of the current tenant as schema.org PostalAddress. */
@Injectable()
export class SemanticAddressesService {
  constructor(
    private readonly addresses: PostalAddressesService,
    private readonly images: ImagesService,
    private readonly pictures: SentPicturesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async list(): Promise<Reply<PostalAddressList>> {
    return reply({ results: (await this.addresses.list()).map((address) => this.shown(address)) });
  }

  async create(body: NewAddressBody, files: PictureFiles): Promise<Reply<PostalAddressAnswer>> {
    const pictures = await this.pictures.prepare(files, body.image);
    const address = await this.addresses.create({ ...toNewAddress(body), ...pictures });
    return this.answer(address, `/api/v2/postal-addresses/${address.id}/`);
  }

  async get(id: string): Promise<Reply<PostalAddressAnswer>> {
    return this.answer(await this.addresses.find(id));
  }

  async change(id: string, body: AddressChangeBody, files: PictureFiles, conditions: Preconditions): Promise<Reply<PostalAddressAnswer>> {
    const pictures = await preparedPictures(this.images, files);
    const address = await this.addresses.update(id, { ...toAddressChange(body), ...pictures }, (current) => {
      this.check(conditions, current);
      refuseOtherThanAnswered(body, this.shown(current), ['identifier', 'image']);
      return toGeo(body, current);
    });
    return this.answer(address);
  }

  async remove(id: string, conditions: Preconditions): Promise<void> {
    const removed = await this.addresses.remove(id, (current) => this.check(conditions, current));
    if (!removed) throw problem('postal_address.unknown');
  }

  private shown(address: PostalAddress): PostalAddressAnswer {
    return toSchemaOrgAddress(address, tenantUrl(this.settings, currentTenant(), '/'));
  }

  /** @throws Problem `postal_address.unknown` when there is none */
  private answer(address: PostalAddress | null | undefined, location?: string): Reply<PostalAddressAnswer> {
    if (!address) throw problem('postal_address.unknown');
    return reply(this.shown(address), { modified: address.updatedAt, location });
  }

  private check(conditions: Preconditions, address: PostalAddress): void {
    conditions.check({ tags: [entityTag(this.shown(address))], modified: address.updatedAt });
  }
}
