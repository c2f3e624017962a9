import { Inject, Injectable } from '@nestjs/common';
import { ImageFetcher, ImagesService, variantOfFile, type Pictures, type PreparedImage } from '#catalogue';
import { ignoreMember, isLenient, isUuid, RefusedInput, SETTINGS, type Settings } from '#kernel';
import { currentTenant, tenantUrl } from '#tenancy';
import { preparedPictures, type PictureFiles } from './picture-form.js';

/** Pictures that a body brings: as files of a form, or as addresses. */
@Injectable()
export class SentPicturesService {
  constructor(
    private readonly images: ImagesService,
    private readonly fetcher: ImageFetcher,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Prepares the pictures of a new object; never call it inside a transaction. Files win over addresses.
   * @param addresses of the picture and of the small one for lists
   * @throws RefusedInput on the file, or on `image`; who asks for leniency gets an object without the picture
   */
  async prepare(files: PictureFiles, addresses: readonly string[] | null | undefined): Promise<Pictures> {
    const [picture, sticker] = addresses ?? [];
    const uploaded = await preparedPictures(this.images, files);
    return {
      ...(picture !== undefined && !uploaded.picture && (await this.named('picture', picture, 'image'))),
      ...(sticker !== undefined && !uploaded.sticker && (await this.named('sticker', sticker, 'image/1'))),
      ...uploaded,
    };
  }

  private async named(name: keyof Pictures, address: string, field: string): Promise<Pictures> {
    try {
      return { [name]: await this.fetched(address, field) };
    } catch (error) {
      if (!(error instanceof RefusedInput) || !isLenient()) throw error;
      ignoreMember(`/${field}`);
      return {};
    }
  }

  /** Pictures of this place, as answers name them, are read from where they are stored. */
  private async fetched(address: string, field: string): Promise<PreparedImage> {
    const own = tenantUrl(this.settings, currentTenant(), '/images/');
    const [id = '', file = ''] = address.startsWith(own) ? address.slice(own.length).split('/') : [];
    const variant = isUuid(id) ? variantOfFile(file) : undefined;
    const stored = variant && (await this.images.variant(id, variant.name, variant.format));
    return stored ? this.images.prepare(stored.bytes, field) : this.fetcher.fetch(address, field);
  }
}
