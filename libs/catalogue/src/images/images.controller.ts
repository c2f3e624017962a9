import { isUuid } from '#kernel';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { Access, AnyOrigin } from '#tenancy';
import type { Response } from 'express';
import { imageFormats, variantOfFile } from './image-addresses.js';
import { problem } from './images.problems.js';
import { Images } from './images.service.js';

/** Pictures, for everybody who knows their address, on any host of their tenant. */
@Controller('images')
@Access('public', 'pictures')
export class ImagesController {
  constructor(private readonly images: Images) {}

  @Get(':id/:file')
  @AnyOrigin()
  show(@Param('id') id: string, @Param('file') file: string, @Res() response: Response): Promise<void> {
    return sendImage(this.images, id, file, response);
  }
}

/**
 * Answers with a picture of the current tenant.
 * @param file size and format, the last part of its path
 * @throws Problem 404 `image.unknown`
 */
export async function sendImage(images: Images, id: string, file: string, response: Response): Promise<void> {
  const wanted = variantOfFile(file);
  const found = wanted && isUuid(id) ? await images.variant(id, wanted.name, wanted.format) : undefined;
  if (!wanted || !found) throw problem('image.unknown');
  const { extension, mediaType } = imageFormats[wanted.format];
  response.set({
    'Content-Type': mediaType,
    // An address never shows another picture: a new one gets a new id.
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: `"${found.sha256.toString('hex')}"`,
    'Content-Disposition': `inline; filename="${wanted.name}.${extension}"`,
    // Agendas elsewhere show them, too.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  response.send(found.bytes);
}
