import { isUuid } from '#kernel';
import { Controller, Get, Param } from '@nestjs/common';
import { reply, type Reply } from '#http';
import { Access, AnyOrigin } from '#tenancy';
import { imageFormats, variantOfFile } from './image-addresses.js';
import { problem } from './images.problems.js';
import { ImagesService } from './images.service.js';

/** Public images, available on every host of their tenant. */
@Controller('images')
@Access('public', 'pictures')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get(':id/:file')
  @AnyOrigin()
  show(@Param('id') id: string, @Param('file') file: string): Promise<Reply<Buffer>> {
    return imageReply(this.images, id, file);
  }
}

/**
 * Reads an image of the current tenant.
 * @param file size and format: the last segment of the path
 * @throws Problem 404 `image.unknown`
 */
export async function imageReply(images: ImagesService, id: string, file: string): Promise<Reply<Buffer>> {
  const wanted = variantOfFile(file);
  const found = wanted && isUuid(id) ? await images.variant(id, wanted.name, wanted.format) : undefined;
  if (!wanted || !found) throw problem('image.unknown');
  const { extension, mediaType } = imageFormats[wanted.format];
  const headers = {
    'Content-Type': mediaType,
    // The image of a URL never changes: a new image gets a new id.
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: `"${found.sha256.toString('hex')}"`,
    'Content-Disposition': `inline; filename="${wanted.name}.${extension}"`,
    // Network agendas on other sites embed images.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  return reply(found.bytes, { headers });
}
